"""For each: a child once for every item of a list, one after the other.

SUCCESS: the child returned SUCCESS for the last item; also when the list is empty.

FAILURE: the child returned FAILURE for an item; the remaining items are skipped. Also when the list
cannot be evaluated.

RUNNING: the child returned RUNNING. When it returns SUCCESS, the next item starts in the same tick,
like the next child of a sequence.

Memory: the items, evaluated when a round begins, and the current one. Items added to the list later
are used in the next round.

Halting: when halted, the running child is halted and the items are forgotten. It never halts the
child by itself.
"""

from __future__ import annotations

import zlib
from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING, Generic, TypeVar

from pydantic import Field

from treec.files.fields import Expr, Model
from treec.files.node_spec import Drawing, Each, NodeSpec, Xml
from treec.files.nodes import Node, NodeBase
from treec.nodes.base import Modifier, Status

if TYPE_CHECKING:
    from py_trees.behaviour import Behaviour

    from treec.nodes.node_place import NodePlace


class ForEachBody(Model):
    """A name for the item, the list, and the child to run for each item."""

    item: str
    in_: Expr = Field(alias="in")
    do: Node


class ForEachNode(NodeBase):
    """Runs a child once for each item of a list, one after the other."""

    for_each: ForEachBody


Item = TypeVar("Item")


class ForEach(Modifier, Generic[Item]):
    """Binds each item before the child starts on it."""

    def __init__(
        self,
        name: str,
        items: Callable[[], Sequence[Item] | None],
        bind: Callable[[Item], None],
        child: Behaviour,
    ) -> None:
        super().__init__(name, child)
        self.items = items
        self.bind = bind
        self.left: list[Item] = []
        self._list = 0

    def tick(self) -> Iterator[Behaviour]:
        """Tick the child for the current item, and for the next ones as long as it succeeds."""
        child = self.decorated
        if self.status is not Status.RUNNING:
            self.initialise()
            items = self.items()
            if not items:
                self.stop(Status.FAILURE if items is None else Status.SUCCESS)
                yield self
                return
            self._begin(items)
            self.bind(self.left.pop())
        while True:
            yield from child.tick()
            if child.status is not Status.SUCCESS or not self.left:
                break
            self.bind(self.left.pop())
        self.finish(child.status)
        yield self

    def _begin(self, items: Sequence[Item]) -> None:
        self.left = list(reversed(items))
        self._list = zlib.crc32("\n".join(map(str, items)).encode())

    @property
    def memory(self) -> object:
        """How many items are left behind the current one, and a check sum of the list's names."""
        return (len(self.left), self._list) if self.status is Status.RUNNING else None

    def recall(self, memory: object) -> bool:
        """Bind the same item, if the list evaluated now has the same names."""
        items = self.items()
        if not items or not isinstance(memory, tuple) or len(memory) != 2:
            return False
        self._begin(items)
        left, names = memory
        if names != self._list or not isinstance(left, int) or not 0 <= left < len(items):
            self.left = []
            return False
        del self.left[left + 1 :]
        self.bind(self.left.pop())
        return True

    @property
    def rounds(self) -> int:
        """The items that are left, and the current one."""
        return len(self.left) + 1

    def terminate(self, new_status: Status) -> None:
        """Forget the items."""
        self.left = []


def build(at: NodePlace, node: ForEachNode) -> Behaviour:
    """The node with its child, in which `item` is a name."""
    body = node.for_each
    frame = at.frame.inner({body.item: None})
    child = at.child(body.do, "for_each", "do", frame=frame)
    items = at.value(body.in_, None, "for_each", "in")

    def listed() -> Sequence[object] | None:
        values = items()
        if isinstance(values, list | tuple):
            return values
        if values is not None:
            at.report_failure(f"'{body.in_}' is no list")
        return None

    def bind(value: object) -> None:
        frame.set(body.item, value)

    return ForEach(at.name, listed, bind, child)


NODE = NodeSpec(
    key="for_each",
    model=ForEachNode,
    build=build,
    waits=False,
    binds=lambda node: {node.for_each.item: Each(node.for_each.in_)},
    resume="place",
    swap="open",
    label=lambda node: f"for each {node.for_each.item} in {node.for_each.in_}",
    drawing=Drawing("control", "∀", "M3 2.5L8 13.5L13 2.5M4.9 6.8H11.1"),
    xml=Xml(
        attributes={"item": "for_each.item", "in": "for_each.in"},
        children=("for_each.do",),
    ),
)
