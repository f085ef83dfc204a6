"""Recordings of questions and their answers: read, written, answered from, compared."""
