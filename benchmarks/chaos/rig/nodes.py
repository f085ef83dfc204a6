"""A node class that waits beside the skills."""

from __future__ import annotations

from typing import ClassVar

from py_trees.behaviour import Behaviour
from py_trees.common import Status
from rig import call

from treec import NodePorts


class Watch(Behaviour):
    """RUNNING, for ever."""

    ports: ClassVar[dict[str, str]] = {}

    def __init__(self, name: str, ports: NodePorts) -> None:
        super().__init__(name)
        call("node")

    def initialise(self) -> None:
        """Note it."""
        call("initialise")

    def update(self) -> Status:
        """Note it."""
        call("tick")
        return Status.RUNNING

    def terminate(self, new_status: Status) -> None:
        """Note it."""
        call("terminate")
