"""For each: a child once for every item of a list, one after the other.

SUCCESS: no item is left, each has had a SUCCESS of the child; also when the list is empty. It is
FAILURE, RUNNING or skipped instead with `if_empty: failure`, `running` or `skip`.

FAILURE: the child returned FAILURE for an item; the remaining items are skipped. Also when the list
cannot be evaluated.

RUNNING: the child returned RUNNING. When it returns SUCCESS, the next item starts in the same tick,
like the next child of a sequence. With `yields: true` the next one starts, or the loop ends, in the
next tick, which is requested at once. Also while it waits for an item (`if_empty: running`).

A queue: with `takes: true` the list is a variable, and each item is taken from its front as the
child starts on it (BehaviorTree.CPP's LoopDouble and its kind, with `yields: true`). What other
branches append meanwhile is taken, too, and wakes a loop that waits for it. What is appended within
a tick begins in the next one, so that a loop that feeds itself never holds a tick. The variable has
what is left: nothing after the last item, else the items behind the one that failed or was halted.
One that nobody has set is empty.

Memory: the items, evaluated when a round begins, and the current one; a resumed run goes on with
them. Items added to the list later are used in the next round, if it is not a queue. With
`shuffle: true` their order is drawn with the run's seed, the node's path and the number of the
round, or of the item that is taken, which is remembered.

Halting: when halted, the running child is halted and the items are forgotten. It never halts the
child by itself.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING, Generic, Literal, TypeVar, cast

from pydantic import Field

from treec.files.fields import Expr, Model
from treec.files.node_spec import Assignment, Drawing, Each, NodeSpec, Xml
from treec.files.nodes import Node, NodeBase
from treec.nodes.base import Modifier, Status
from treec.nodes.control.sequence import SHUFFLE

if TYPE_CHECKING:
    from py_trees.behaviour import Behaviour

    from treec.nodes.node_place import NodePlace


IN = ("for_each", "in")
Ends = Literal["success", "failure", "skip", "running"]


class ForEachBody(Model):
    """A name for the item, the list, and the child to run for each item."""

    item: str
    in_: Expr = Field(alias="in", examples=["[]"])
    shuffle: bool = SHUFFLE
    takes: bool = Field(False, description="Takes the items from a variable, one at a time.")
    yields: bool = Field(False, description="RUNNING after each item.")
    if_empty: Ends = Field("success", description="How it ends when no item is left.")
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
        take: Callable[[Sequence[Item]], None] | None = None,
        yields: bool = False,
        if_empty: Ends = "success",
        seed: str | None = None,
    ) -> None:
        """``restore`` gives the item that was recorded. Raises NotRecordable.

        ``take`` sets the queue to what is left of it; without it the items are no queue.
        ``seed``: each round has an order of its own, drawn with this.
        """
        super().__init__(name, child)
        self.items = items
        self.bind = bind
        self.restore = restore
        self.take = take
        self.yields = yields
        self.if_empty = Status["INVALID" if if_empty == "skip" else if_empty.upper()]
        self.seed = seed
        self.round = 0
        self.left: list[Item] = []
        self._most = 0
        self._due: int | None = None
        """How many items of the queue may still begin in this tick; None: not known yet."""
        self._has_item = False
        self._recorded: object = None

    def begin(self) -> Behaviour | None:
        """Tick the child for the current item, or the next one."""
        self._due = None
        if self.status is not Status.RUNNING:
            self.initialise()
            self._most = 0
            if self.take is None and not self._read():
                return None
        return self.decorated if self._has_item else self._next()

    def after(self, child: Behaviour) -> Behaviour | None:
        """Go on with the next item if it has succeeded."""
        if child.status is Status.RUNNING or child.status is Status.FAILURE:
            return super().after(child)
        self._has_item = False
        if not self.yields:
            return self._next()
        self._give_back()
        return None

    def _give_back(self) -> None:
        self.wake()
        self.status = Status.RUNNING

    def _next(self) -> Behaviour | None:
        if self.take is not None and not self._read():
            return None
        if not self.left:
            self.finish(self.if_empty)
            return None
        self._has_item = True
        self.bind(self.left.pop())
        return self.decorated

    def _read(self) -> bool:
        """Read the items of the round, or take one of the queue; false if none begins now."""
        items = self.items()
        if items is None:
            self.stop(Status.FAILURE)
            return False
        self._most = max(self._most, len(items))
        self._due = len(items) if self._due is None else self._due
        if self.take is not None and items and not self._due:
            self._give_back()
            return False
        if self.seed is not None and items:
            from random import Random

            self.round += 1
            draw = Random(f"{self.seed} {self.round}")
            items = sorted(items, key=lambda _: draw.random())
        if self.take is not None and items:
            self.take(items[1:])
            items = items[:1]
            self._due -= 1
        self._begin(items)
        return True

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
            memory |= {"items": self._recorded, "left": len(self.left) - (not self._has_item)}
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
                if self.left:
                    self._has_item = True
                    self.bind(self.left.pop())
                return True
        return False

    @property
    def rounds(self) -> int:
        """The items, or the most that have been in the queue at once."""
        return max(len(self.left) + 1, self._most)

    def terminate(self, new_status: Status) -> None:
        """Forget the items."""
        self.left, self._has_item = [], False


def build(at: NodePlace, node: ForEachNode) -> Behaviour:
    """The node with its child, in which `item` is a name."""
    body = node.for_each
    frame = at.frame.inner({body.item: None})
    child = at.child(body.do, "for_each", "do", frame=frame)
    value = at.value(body.in_, None, "for_each", "in")

    def listed() -> Sequence[object] | None:
        values = value()
        if isinstance(values, list | tuple):
            return values
        if values is not None:
            at.report_failure(f"'{body.in_}' is not a list")
        return None

    def queued() -> Sequence[object] | None:
        """The queue; what is appended to one that is empty requests a tick."""
        cell = at.frame.cell(body.in_)
        read_in = cell.read_in if cell is not None else 0
        values = listed()
        if values and cell is not None:
            cell.read_in = read_in
        return () if cell is not None and cell.value is None else values

    def take(rest: Sequence[object]) -> None:
        at.frame.set(body.in_, rest, at.path)

    def bind(value: object) -> None:
        frame.bind(body.item, value)

    def restore(item: object) -> object:
        from treec.nodes.recorded_value import from_record

        return from_record(item, at.runtime.team)

    seed = f"{at.runtime.seed} {at.path}" if body.shuffle else None
    items, taking = (queued, take) if body.takes else (listed, None)
    how = (body.yields, body.if_empty, seed)
    return ForEach(at.name, items, bind, child, restore, taking, *how)


def sets(node: ForEachNode) -> Iterator[Assignment]:
    """The queue that it takes from."""
    if node.for_each.takes:
        yield Assignment(node.for_each.in_, IN, "variable", is_read=True)


def detail(node: ForEachNode) -> str:
    """What it does besides, for a picture."""
    body = node.for_each
    parts = [key for key in ("shuffle", "takes", "yields") if getattr(body, key)]
    if body.if_empty != "success":
        parts.append(f"if empty: {body.if_empty}")
    return ", ".join(parts)


NODE = NodeSpec(
    key="for_each",
    model=ForEachNode,
    build=build,
    waits=lambda node: node.for_each.if_empty == "running",
    sets=sets,
    binds=lambda node: {node.for_each.item: Each(node.for_each.in_, IN)},
    resume="place",
    swap="open",
    label=lambda node: f"for each {node.for_each.item} in {node.for_each.in_}",
    detail=detail,
    drawing=Drawing("control", "∀", "M3 2.5L8 13.5L13 2.5M4.9 6.8H11.1"),
    xml=Xml(
        attributes={
            "item": "for_each.item",
            "in": "for_each.in",
            **{key: f"for_each.{key}" for key in ("shuffle", "takes", "yields", "if_empty")},
        },
        children=("for_each.do",),
    ),
)
