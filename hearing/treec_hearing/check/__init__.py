"""Rules about what is heard."""
