"""`once`: the node runs once; its result is returned from then on.

SUCCESS: the node returned SUCCESS, now or in an earlier round.

FAILURE: the node returned FAILURE, now or in an earlier round.

RUNNING: the node returned RUNNING.

Memory: the result, for the life of the tree; the node is not ticked again. A halt does not clear
it; a node that is halted before its end has no result and is started again. This is
BehaviorTree.CPP's RunOnce with `then_skip` false.

Halting: when halted, the running node is halted. It never halts the node of its own accord.
"""

from __future__ import annotations

from py_trees import decorators
from py_trees.behaviour import Behaviour
from py_trees.common import OneShotPolicy


def once(name: str, child: Behaviour) -> decorators.OneShot:
    """py_trees' OneShot on completion, itself."""
    return decorators.OneShot(name=name, child=child, policy=OneShotPolicy.ON_COMPLETION)
