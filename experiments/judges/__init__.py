"""Judges by rules and by models."""
