"""Decisions under test: cases, what each decides, and how that differs from before."""
