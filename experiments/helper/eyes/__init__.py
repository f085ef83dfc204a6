"""Trains the small eyes of the embodied household on pictures of random homes."""
