"""Hearing on labelled phrases: how many are heard right, and the network that is fitted to them."""
