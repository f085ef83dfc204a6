"""Chaos: systems, moments and faults drawn from a seed, run as processes and judged by a log of
their own. ``python -m benchmarks chaos`` prints what was lost, doubled, not stopped, not named."""
