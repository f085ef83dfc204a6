"""Rules about programs."""
