"""A selector: its children in order, until one succeeds.

SUCCESS: a child returned SUCCESS. The children after it are not ticked.

FAILURE: every child has returned FAILURE; also when there is no child. Children that fail within
one tick follow each other in that tick.

RUNNING: a child returned RUNNING. The children after it are not ticked.

Memory: the running child. The next tick goes on with it; those before it are not asked again.
Nothing is kept from one round to the next: after SUCCESS, FAILURE or a halt the selector begins
with its first child.

Halting: when halted, the running child is halted. The selector never halts a child of its own
accord, for at most one child is running and it is the one being ticked.
"""

from __future__ import annotations

from collections.abc import Sequence

from py_trees import composites
from py_trees.behaviour import Behaviour


def selector(name: str, children: Sequence[Behaviour]) -> composites.Selector:
    """py_trees' selector with memory, itself."""
    return composites.Selector(name=name, memory=True, children=children)
