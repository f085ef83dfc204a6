"""Environments of the core: the symbolic one, which needs nothing else."""
