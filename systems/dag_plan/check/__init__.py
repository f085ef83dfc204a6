"""Rules about problems."""
