"""`force_success`: FAILURE becomes SUCCESS.

SUCCESS: the node returned SUCCESS or FAILURE.

FAILURE: never.

RUNNING: the node returned RUNNING.

Memory: none.

Halting: when halted, the running node is halted. It never halts the node of its own accord.
"""

from __future__ import annotations

from py_trees import decorators
from py_trees.behaviour import Behaviour


def force_success(name: str, child: Behaviour) -> decorators.FailureIsSuccess:
    """py_trees' FailureIsSuccess, itself."""
    return decorators.FailureIsSuccess(name=name, child=child)
