"""Tests of decisions: cases, their recordings, and what differs."""
