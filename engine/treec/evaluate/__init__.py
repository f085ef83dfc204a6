"""Evaluations of whole systems and skills: trials, results, tables and figures."""
