"""A probe: a leaf that returns scripted statuses; for tests and traces.

SUCCESS: the next letter is S.

FAILURE: the next letter is F.

RUNNING: the next letter is R.

Memory: the position in the script: one letter per tick, from the start again at its end. Neither
finishing nor a halt resets it.

Halting: when halted while RUNNING, it calls `on_halt`; the next tick reads on.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import TYPE_CHECKING

from pydantic import Field

from treec.files.fields import Model
from treec.files.node_spec import Drawing, NodeSpec
from treec.files.nodes import NodeBase
from treec.nodes.base import Leaf, Status

if TYPE_CHECKING:
    from py_trees.behaviour import Behaviour

    from treec.nodes.node_place import NodePlace


class ProbeBody(Model):
    """A scripted leaf: one letter a tick."""

    name: str
    script: str = Field(pattern="^[SFR]+$", examples=["RS"])


class ProbeNode(NodeBase):
    """A leaf that returns the statuses of a script; for tests and traces."""

    probe: ProbeBody


LETTERS = {"S": "SUCCESS", "F": "FAILURE", "R": "RUNNING"}


@cache
def _statuses(script: str) -> tuple[Status, ...]:
    if not script or not LETTERS.keys() >= set(script):
        raise ValueError(f"a script is one or more of the letters S, F and R, not {script!r}")
    return tuple(Status[LETTERS[letter]] for letter in script)


class Probe(Leaf):
    """Returns scripted statuses; calls `on_tick` at every tick and `on_halt` at every halt."""

    wakes_itself = False

    def __init__(
        self,
        name: str,
        script: str,
        on_tick: Callable[[Probe, Status], None] | None = None,
        on_halt: Callable[[Probe], None] | None = None,
    ) -> None:
        super().__init__(name)
        self.script = script
        self._statuses = _statuses(script)
        self.on_tick = on_tick
        self.on_halt = on_halt
        self._due = 0

    def update(self) -> Status:
        """Read the next letter."""
        status = self._statuses[self._due]
        self._due = (self._due + 1) % len(self._statuses)
        if self.on_tick is not None:
            self.on_tick(self, status)
        return status

    @property
    def memory(self) -> object:
        """The position in the script."""
        return self._due or None

    def recall(self, memory: object) -> bool:
        """Read on there."""
        self._due = memory if isinstance(memory, int) and memory < len(self.script) else 0
        return True

    def terminate(self, new_status: Status) -> None:
        """Report a halt; py_trees also halts idle nodes, which is not reported."""
        if (
            new_status is Status.INVALID
            and self.status is Status.RUNNING
            and self.on_halt is not None
        ):
            self.on_halt(self)


def build(at: NodePlace, node: ProbeNode) -> Behaviour:
    """The node as a leaf, with its own name."""
    return Probe(node.probe.name, node.probe.script)


NODE = NodeSpec(
    key="probe",
    model=ProbeNode,
    build=build,
    waits=lambda node: "R" in node.probe.script,
    name=lambda node: node.probe.name,
    label=lambda node: node.probe.name,
    drawing=Drawing("action", "•", "M5 8a3 3 0 1 0 6 0a3 3 0 1 0 -6 0", filled=True),
)
