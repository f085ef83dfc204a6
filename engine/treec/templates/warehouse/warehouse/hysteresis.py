"""A node class of one's own: a condition that does not flicker around its threshold."""

from __future__ import annotations

from typing import ClassVar

from py_trees.behaviour import Behaviour
from py_trees.common import Status

from treec import NodePorts


class Hysteresis(Behaviour):
    """SUCCESS from when `value` falls below `low` until it reaches `high`; FAILURE otherwise.

    While the value is unknown, the status stays as it was. A resumed run remembers which threshold
    counts: what `memory` gives is in the journal, and `recall` is given it.
    """

    ports: ClassVar[dict[str, str]] = {
        "value": "in number",
        "low": "in number",
        "high": "in number",
    }

    def __init__(self, name: str, ports: NodePorts) -> None:
        super().__init__(name)
        self._ports = ports
        self._below = False

    @property
    def memory(self) -> bool:
        """Whether the value has fallen below `low`."""
        return self._below

    def recall(self, memory: bool | None) -> None:
        """Go on with what a run remembered before it was cut off; None as at first."""
        self._below = bool(memory)

    def update(self) -> Status:
        """Compare the value with the threshold that counts now."""
        value = self._ports.get("value")
        limit = self._ports.get("high" if self._below else "low")
        if isinstance(value, int | float) and isinstance(limit, int | float):
            self._below = value < limit
        return Status.SUCCESS if self._below else Status.FAILURE
