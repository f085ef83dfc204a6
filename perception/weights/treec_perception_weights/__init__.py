"""Weights of the small detector and the small scorer."""
