"""Watching a run in the terminal, talking with it there, and holding it to look for a mistake."""
