"""All rules of graphs, layouts and plans for arms, which are no files of a library."""

from __future__ import annotations

from treec.systems.dag_plan.arms import check_rules, layout_rules, read_rules

__all__ = ["CODES", "check_rules", "layout_rules", "read_rules"]

CODES = frozenset(f"TC7{number:02}" for number in range(40))
"""Kept for these rules."""
