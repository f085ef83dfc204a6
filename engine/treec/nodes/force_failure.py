"""`force_failure`: SUCCESS becomes FAILURE.

SUCCESS: never.

FAILURE: the node returned SUCCESS or FAILURE.

RUNNING: the node returned RUNNING.

Memory: none.

Halting: when halted, the running node is halted. It never halts the node of its own accord.
"""

from __future__ import annotations

from py_trees import decorators
from py_trees.behaviour import Behaviour


def force_failure(name: str, child: Behaviour) -> decorators.SuccessIsFailure:
    """py_trees' SuccessIsFailure, itself."""
    return decorators.SuccessIsFailure(name=name, child=child)
