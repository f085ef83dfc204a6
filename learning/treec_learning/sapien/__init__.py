"""Learned reaching with physics: Stretch before a pantry in SAPIEN."""
