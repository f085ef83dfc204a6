"""A sequence: its children in order, until one fails.

SUCCESS: every child has returned SUCCESS; also when there is no child. Children that succeed
within one tick follow each other in that tick.

FAILURE: a child returned FAILURE. The children after it are not ticked.

RUNNING: a child returned RUNNING. The children after it are not ticked.

Memory: the running child, at which the next tick continues; those before it are not ticked again.
Nothing is kept over rounds: after SUCCESS, FAILURE or a halt the sequence starts with its first
child.

Halting: when halted, the running child is halted. The sequence never halts a child by itself,
since at most one child is running, and it is the one being ticked.
"""

from __future__ import annotations

from collections.abc import Sequence

from py_trees import composites
from py_trees.behaviour import Behaviour


def sequence(name: str, children: Sequence[Behaviour]) -> composites.Sequence:
    """py_trees' sequence with memory, itself."""
    return composites.Sequence(name=name, memory=True, children=children)
