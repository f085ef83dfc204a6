"""Proofs over every answer: of systems, and of trees alone."""
