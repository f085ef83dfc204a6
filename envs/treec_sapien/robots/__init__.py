"""Robots: the packages' models, adapted in code and loaded into a physics scene."""
