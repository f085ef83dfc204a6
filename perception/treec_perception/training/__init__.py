"""Fits treec's small weights to pictures of its own scenes."""
