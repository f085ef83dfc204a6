"""What people hear from MOSAIC in dialogues that no code was written for."""
