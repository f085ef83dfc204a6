"""Runs as MCAP files: written for Foxglove and for bags, and read back."""
