"""All rules of graphs, layouts, teams and plans for arms."""

from __future__ import annotations

from treec_dag_plan.arms import check_rules, layout_rules, read_rules

__all__ = ["CODES", "check_rules", "layout_rules", "read_rules"]

CODES = frozenset(f"TC7{number:02}" for number in range(40))
"""Codes reserved for these rules."""
