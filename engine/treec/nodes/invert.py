"""`invert`: SUCCESS and FAILURE change places.

SUCCESS: the node returned FAILURE.

FAILURE: the node returned SUCCESS.

RUNNING: the node returned RUNNING.

Memory: none.

Halting: when halted, the running node is halted. It never halts the node of its own accord.
"""

from __future__ import annotations

from py_trees import decorators
from py_trees.behaviour import Behaviour


def invert(name: str, child: Behaviour) -> decorators.Inverter:
    """py_trees' Inverter, itself."""
    return decorators.Inverter(name=name, child=child)
