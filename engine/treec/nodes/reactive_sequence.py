"""A reactive sequence: asks every child again at every tick, from the first.

SUCCESS: every child returned SUCCESS in this tick; also when there is no child.

FAILURE: a child returned FAILURE in this tick. The children after it are not ticked.

RUNNING: a child returned RUNNING in this tick. The children after it are not ticked.

Memory: none. A child that succeeded is begun again at the next tick, so the children before the
one that takes time should be conditions.

Halting: when a child returns FAILURE or RUNNING, a running child after it is halted in the same
tick: this is how a condition that no longer holds stops the work behind it. When halted, the
running child is halted.
"""

from __future__ import annotations

from collections.abc import Sequence

from py_trees import composites
from py_trees.behaviour import Behaviour


def reactive_sequence(name: str, children: Sequence[Behaviour]) -> composites.Sequence:
    """py_trees' sequence without memory, itself."""
    return composites.Sequence(name=name, memory=False, children=children)
