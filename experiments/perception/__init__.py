"""Measures how well localizers find things."""
