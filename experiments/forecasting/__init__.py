"""Reactive skills beside a person: MOSAIC's Table 3."""
