"""A reactive selector: at every tick the first child that does not fail.

SUCCESS: a child returned SUCCESS in this tick. The children after it are not ticked.

FAILURE: every child returned FAILURE in this tick; also when there is no child.

RUNNING: a child returned RUNNING in this tick. The children after it are not ticked.

Memory: none. A child that failed is started again at the next tick, so a child of higher priority
takes over as soon as it no longer fails.

Halting: when a child returns SUCCESS or RUNNING, a running child after it is halted in the same
tick, after the tick of the child that took over. When halted, the running child is halted.
"""

from __future__ import annotations

from collections.abc import Sequence

from py_trees import composites
from py_trees.behaviour import Behaviour


def reactive_selector(name: str, children: Sequence[Behaviour]) -> composites.Selector:
    """py_trees' selector without memory, itself."""
    return composites.Selector(name=name, memory=False, children=children)
