"""Talking with a run: what hears, what speaks, and the stop that is heard beside both."""
