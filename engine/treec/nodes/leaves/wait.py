"""`wait`: waits until a condition is true or a time has passed.

SUCCESS: the condition is true, or the time since the first tick of this round has passed. With
both, whichever comes first.

FAILURE: the condition cannot be evaluated.

RUNNING: until then. A tick is requested when the time has passed, and when whatever the condition
reads changes: the world, a variable, a port, the time.

Memory: when this round began.

Halting: the timer is cancelled; the next round starts from the beginning.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

from pydantic import Discriminator, Field, Tag

from treec.files.fields import Duration, Expr, Model
from treec.files.node_spec import Data, Drawing, NodeSpec, Xml, XmlReader, XmlWriter, milliseconds
from treec.files.nodes import NodeBase, mapping_or
from treec.nodes.base import Status, WakeUp
from treec.nodes.leaf import WorldLeaf
from treec.source.errors import LocatedError
from treec.source.expression import Expression, constant
from treec.source.scope import Scope

if TYPE_CHECKING:
    from py_trees.behaviour import Behaviour

    from treec.nodes.node_place import NodePlace
    from treec.nodes.runtime import Runtime


class WaitBody(Model):
    """What to wait for: a condition, or a time."""

    until: Expr | None = None
    for_: Duration | None = Field(None, alias="for")


class WaitNode(NodeBase):
    """RUNNING until a condition holds or a time has passed."""

    wait: Annotated[
        Annotated[WaitBody, Tag("mapping")] | Annotated[Duration, Tag("duration")],
        Discriminator(mapping_or("duration")),
    ]


class Wait(WorldLeaf):
    """Waits for a condition, for some seconds, or for either."""

    def __init__(
        self,
        name: str,
        runtime: Runtime,
        scope: Scope,
        *,
        until: Expression | None = None,
        seconds: float | None = None,
    ) -> None:
        super().__init__(name, runtime, scope)
        self.until = until
        self.seconds = seconds
        self._end = WakeUp(runtime.clock, runtime.wake)

    def initialise(self) -> None:
        """Start the timer."""
        super().initialise()
        if self.seconds is not None:
            self._end.set(self.runtime.clock.now() + self.seconds)

    def work(self) -> Status:
        """Check the condition and the time."""
        if self.until is not None and self.until.evaluate(self.scope):
            return Status.SUCCESS
        if self._end.is_due:
            return Status.SUCCESS
        return Status.RUNNING

    @property
    def has_ended(self) -> bool:
        """Whether the time has passed, or the condition is true."""
        if self._end.is_due:
            return True
        try:
            return self.until is not None and bool(self.until.evaluate(self.scope))
        except LocatedError:
            return True

    def terminate(self, new_status: Status) -> None:
        """Cancel the timer."""
        self._end.cancel()

    @property
    def memory(self) -> object:
        """When the time has passed."""
        return self._end.due

    def recall(self, memory: object) -> bool:
        """Wait until then."""
        if isinstance(memory, float):
            self._end.set(memory)
        return isinstance(memory, float) or self.seconds is None


def build(at: NodePlace, node: WaitNode) -> Behaviour:
    """The wait as a leaf."""
    body = node.wait
    if not isinstance(body, WaitBody):
        return Wait(at.path, at.runtime, at.frame, seconds=body)
    until = at.expression(body.until, "wait", "until") if body.until is not None else None
    return Wait(at.path, at.runtime, at.frame, until=until, seconds=body.for_)


def waits(node: WaitNode) -> bool:
    """Whether there is something to wait for."""
    body = node.wait
    if not isinstance(body, WaitBody):
        return body > 0
    if body.until is not None and constant(body.until) is True:
        return False
    return body.for_ is None or body.for_ > 0


def label(node: WaitNode) -> str:
    """What it waits for."""
    body = node.wait
    if not isinstance(body, WaitBody):
        return f"wait: {body:g} s"
    parts = [] if body.until is None else [body.until]
    if body.for_ is not None:
        parts.append(f"{body.for_:g} s")
    return f"wait: {' or '.join(parts)}"


def write_xml(data: Data, to: XmlWriter) -> Any:
    """`Sleep` of BehaviorTree.CPP, for whole milliseconds."""
    msec = milliseconds(data["wait"])
    return None if msec is None or to.target != "btcpp" else to.element("Sleep", {"msec": msec})


def read_sleep(element: XmlReader) -> Data:
    """`Sleep`."""
    return {"wait": element.duration("msec")}


NODE = NodeSpec(
    key="wait",
    model=WaitNode,
    build=build,
    fails=False,
    waits=waits,
    label=label,
    drawing=Drawing("condition", icon="M5.5 3.2V12.8M10.5 3.2V12.8"),
    xml=Xml(write=write_xml, read={"Sleep": read_sleep}),
)
