"""`keep_running_until_failure`: the node over and over until it fails.

SUCCESS: never.

FAILURE: the node returned FAILURE.

RUNNING: the node returned RUNNING or SUCCESS. After SUCCESS it is begun again at the next tick
that comes; none is asked for, as in BehaviorTree.CPP.

Memory: none.

Halting: when halted, the running node is halted. It never halts the node of its own accord.
"""

from __future__ import annotations

from py_trees import decorators
from py_trees.behaviour import Behaviour


def keep_running_until_failure(name: str, child: Behaviour) -> decorators.SuccessIsRunning:
    """py_trees' SuccessIsRunning, itself."""
    return decorators.SuccessIsRunning(name=name, child=child)
