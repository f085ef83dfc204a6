"""Hearing without a model: sentence templates from files, matched with the names of the domain."""
