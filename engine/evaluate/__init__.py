"""Experiments on whole systems: who talks to them, who judges them, tables and figures."""
