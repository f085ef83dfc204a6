"""Policies, a folder each."""
