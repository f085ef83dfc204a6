"""Asking: requests, answers, and whatever answers them, behind one method."""
