"""Weights of the forecasters, a folder each."""
