"""Weights of the scorer that hears everyday English."""
