"""Decisions under test: cases, their recordings, and what differs from them."""
