"""Proofs over every answer: trees alone, and systems."""
