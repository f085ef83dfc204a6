"""Perception: cameras, open-vocabulary localization and human pose, all described by files."""
