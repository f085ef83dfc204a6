"""`repeat`: the node again after a SUCCESS, a number of times.

SUCCESS: the node has returned SUCCESS `cycles` times in this round; at once if `cycles` is 0. -1
means without limit.

FAILURE: the node returned FAILURE.

RUNNING: the node returned RUNNING; or a pause is not over; or a node that was not running returned
SUCCESS and cycles are left: the next cycle then starts in the next tick, which is requested at once
(BehaviorTree.CPP's wake-up rule). A node that had been running and returns SUCCESS starts its next
cycle in the same tick.

With `{times, every, backoff}` the next cycle begins `every` after a SUCCESS; each pause is
`backoff` times as long as the one before, an hour at most.

Memory: the finished cycles of this round, and until when it pauses. SUCCESS, FAILURE and a halt
reset them.

Halting: when halted, the running node is halted and the pause is over. It never halts the node of
its own accord.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from pydantic import Field

from treec.files.node_spec import Drawing, ModifierSpec, Xml, XmlTag
from treec.nodes.again import Again, HowOften, Times, limit_of, shows, write_own
from treec.nodes.again import build as build_again
from treec.nodes.base import Status

if TYPE_CHECKING:
    from py_trees.behaviour import Behaviour

    from treec.nodes.node_place import NodePlace


class Repeat(Again):
    """BehaviorTree.CPP's Repeat."""

    ends = "SUCCESS"

    def __init__(self, name: str, cycles: int, child: Behaviour) -> None:
        super().__init__(name, cycles, child)
        if cycles < -1:
            raise ValueError(f"cycles are -1 (no limit), 0 or more, not {cycles}")

    def after(self, child: Behaviour) -> Behaviour | None:
        """Run further ones as far as the wake-up rule and the pauses allow."""
        if child.status is not Status.SUCCESS:
            return super().after(child)
        self.count += 1
        if self.count == self.limit or (not self.begin_next_pause() and self._was_running):
            return self.next()
        if not self.is_pausing:
            self.wake()
            self.status = Status.RUNNING
        return None


def build(at: NodePlace, value: Times | int | str, child: Behaviour) -> Behaviour:
    """The node in its modifier."""
    return build_again(at, value, Repeat(child.name, limit_of(value), child))


MODIFIER = ModifierSpec(
    key="repeat",
    order=70,
    type=HowOften | None,
    field=Field(
        None, description="How often it must succeed; -1: unlimited. With pauses: a mapping."
    ),
    build=build,
    waits=lambda value: isinstance(value, Times),
    endless=-1,
    off=0,
    resume="place",
    swap="open",
    shows=lambda value: shows("repeat", value),
    drawing=Drawing("modifier", "↻", "M13.2 8A5.2 5.2 0 1 1 10.6 3.5M10.8 .8V3.7H7.7"),
    xml=Xml(
        tags=(
            XmlTag("Repeat", ("btcpp",), value="num_cycles"),
            XmlTag("Repeat", ("py_trees",), value="num_success", least=0),
        ),
        write=write_own("repeat"),
    ),
)
