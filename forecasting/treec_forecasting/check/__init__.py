"""Rules about forecasters."""
