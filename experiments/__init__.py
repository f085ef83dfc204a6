"""The laboratory: what prints the tables of papers and of pages, and what trains shipped weights.

Run from the top of a checkout: ``python -m experiments.AREA.NAME``; README.md lists them.
No package imports this, and no wheel holds it.
"""
