"""For each: a child once for every item of a list, one after the other.

SUCCESS: the child returned SUCCESS for the last item; also when the list is empty.

FAILURE: the child returned FAILURE for an item; the remaining items are skipped. Also when the list
cannot be evaluated.

RUNNING: the child returned RUNNING. When it returns SUCCESS, the next item starts in the same tick,
like the next child of a sequence.

Memory: the items, evaluated when a round begins, and the current one; a resumed run goes on with
them. Items added to the list later are used in the next round. With `shuffle: true` their order is
drawn with the run's seed, the node's path and the number of the round, which is remembered.

Halting: when halted, the running child is halted and the items are forgotten. It never halts the
child by itself.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Generic, TypeVar, cast

from pydantic import Field

from treec.files.fields import Expr, Model
from treec.files.node_spec import Drawing, Each, NodeSpec, Xml
from treec.files.nodes import Node, NodeBase
from treec.nodes.base import Modifier, Status
from treec.nodes.control.sequence import SHUFFLE

if TYPE_CHECKING:
    from py_trees.behaviour import Behaviour

    from treec.nodes.node_place import NodePlace


class ForEachBody(Model):
    """A name for the item, the list, and the child to run for each item."""

    item: str
    in_: Expr = Field(alias="in")
    shuffle: bool = SHUFFLE
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
        restore: Callable[[object], Item] = lambda item: cast(Item, item),
        seed: str | None = None,
    ) -> None:
        """``restore`` gives the item that was recorded. Raises NotRecordable.

        ``seed``: each round has an order of its own, drawn with this.
        """
        super().__init__(name, child)
        self.items = items
        self.bind = bind
        self.restore = restore
        self.seed = seed
        self.round = 0
        self.left: list[Item] = []
        self._recorded: object = None

    def begin(self) -> Behaviour | None:
        """Tick the child for the current item."""
        if self.status is not Status.RUNNING:
            self.initialise()
            items = self.items()
            if not items:
                self.stop(Status.FAILURE if items is None else Status.SUCCESS)
                return None
            self._begin(self._drawn(items))
            self.bind(self.left.pop())
        return self.decorated

    def after(self, child: Behaviour) -> Behaviour | None:
        """Tick it for the next item if it has succeeded."""
        skipped = child.status is Status.INVALID
        if not (skipped or child.status is Status.SUCCESS) or not self.left:
            self.finish(Status.SUCCESS if skipped else child.status)
            return None
        self.bind(self.left.pop())
        return child

    def _drawn(self, items: Sequence[Item]) -> Sequence[Item]:
        if self.seed is None:
            return items
        from random import Random

        self.round += 1
        draw = Random(f"{self.seed} {self.round}")
        return sorted(items, key=lambda _: draw.random())

    def _begin(self, items: Sequence[Item]) -> None:
        from treec.nodes.recorded_value import NotRecordable, to_record

        self.left = list(reversed(items))
        try:
            self._recorded = to_record(items)
        except NotRecordable:
            self._recorded = None

    @property
    def memory(self) -> object:
        """The items of this round, how many are left behind the current one, the round."""
        memory: dict[str, object] = {"round": self.round} if self.round else {}
        if self.status is Status.RUNNING and self._recorded is not None:
            memory |= {"items": self._recorded, "left": len(self.left)}
        return memory or None

    def recall(self, memory: object) -> bool:
        """Bind the same item of the same list."""
        from treec.nodes.recorded_value import NotRecordable

        match memory:
            case {"round": int(round)}:
                self.round = round
        match memory:
            case {"items": list() | tuple() as items, "left": int(left)} if left < len(items):
                try:
                    self._begin([self.restore(item) for item in items])
                except NotRecordable:
                    self.left = []
                    return False
                del self.left[left + 1 :]
                self.bind(self.left.pop())
                return True
        return False

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
            at.report_failure(f"'{body.in_}' is not a list")
        return None

    def bind(value: object) -> None:
        frame.bind(body.item, value)

    def restore(item: object) -> object:
        from treec.nodes.recorded_value import from_record

        return from_record(item, at.runtime.team)

    seed = f"{at.runtime.seed} {at.path}" if body.shuffle else None
    return ForEach(at.name, listed, bind, child, restore, seed)


NODE = NodeSpec(
    key="for_each",
    model=ForEachNode,
    build=build,
    waits=False,
    binds=lambda node: {node.for_each.item: Each(node.for_each.in_)},
    resume="place",
    swap="open",
    label=lambda node: f"for each {node.for_each.item} in {node.for_each.in_}",
    detail=lambda node: "shuffle" if node.for_each.shuffle else "",
    drawing=Drawing("control", "∀", "M3 2.5L8 13.5L13 2.5M4.9 6.8H11.1"),
    xml=Xml(
        attributes={
            "item": "for_each.item",
            "in": "for_each.in",
            "shuffle": "for_each.shuffle",
        },
        children=("for_each.do",),
    ),
)
