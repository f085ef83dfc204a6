"""`on_failure`: a handler that runs when the node fails; the result remains FAILURE.

SUCCESS: the node returned SUCCESS.

FAILURE: the node returned FAILURE and the handler has finished, with SUCCESS or FAILURE alike.
The feedback message is the reason of the node's FAILURE.

RUNNING: the node returned RUNNING; or it failed and the handler returned RUNNING. The handler
starts in the tick in which the node failed.

The handler runs for the node's own FAILURE and for its `timeout`, which is applied inside. It does
not run when `while` or `fail_if` on the same node made it fail, since these are applied outside;
nor when the node is halted.

Memory: whether the handler is running; while it is, the node is not ticked.

Halting: when halted, whichever of the two is running is halted; a halted handler is not resumed. It
never halts either by itself.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import TYPE_CHECKING, Any, ClassVar

from pydantic import Field

from treec.files.node_spec import Data, Drawing, ModifierSpec, Xml, XmlReader, XmlWriter
from treec.nodes.base import Control, Status

if TYPE_CHECKING:
    from py_trees.behaviour import Behaviour

    from treec.nodes.node_place import NodePlace
    from treec.world.failures import Failure


class Handled(Control):
    """A node and a handler that runs when it has ended in some way, which remains the result.

    `bind` gets the reason of a failure before the handler starts.
    """

    handles: ClassVar[str] = "FAILURE"

    def __init__(
        self,
        name: str,
        child: Behaviour,
        handler: Behaviour,
        bind: Callable[[str], None] | None = None,
    ) -> None:
        super().__init__(name, [child, handler])
        self.child = child
        self.handler = handler
        self.bind = bind

    def begin(self) -> Behaviour | None:
        """Tick the node, or the handler once the node has ended."""
        if self.status is not Status.RUNNING:
            self.clear()
            self.initialise()
            self.feedback_message = ""
        is_handling = self.handler.status is Status.RUNNING
        self.current_child = self.handler if is_handling else self.child
        return self.current_child

    def after(self, child: Behaviour) -> Behaviour | None:
        """Tick the handler if the node has ended so; after that the result is the node's."""
        handled = Status[self.handles]
        if child is self.handler and child.status is not Status.RUNNING:
            self.stop(handled)
            return None
        if child is self.handler or child.status is not handled:
            return super().after(child)
        self.note()
        self.current_child = self.handler
        return self.handler

    def note(self) -> None:
        """Keep how the node has ended."""

    @property
    def memory(self) -> object:
        """How the node has ended, while the handler is running."""
        return self.feedback_message if self.handler.status is Status.RUNNING else None

    def recall(self, memory: object) -> bool:
        """Tell the handler the reason again."""
        if isinstance(memory, str):
            self.feedback_message = memory
            if self.bind is not None:
                self.bind(memory)
        return True

    def replace_children(self, by: Mapping[Behaviour, Behaviour]) -> None:
        """Tick the new ones."""
        self.child = by.get(self.child, self.child)
        self.handler = by.get(self.handler, self.handler)


class OnFailure(Handled):
    """A node and its failure handler."""

    def note(self) -> None:
        """Keep the reason, and tell the handler."""
        self.feedback_message = reason(self.child)
        if self.bind is not None:
            self.bind(self.feedback_message)


def reason(node: Behaviour) -> str:
    """Why a node failed: its own feedback message, else that of the child that made it fail."""
    path = [node, *failed_below(node)]
    return next((n.feedback_message for n in path if n.feedback_message), f"{path[-1].name} failed")


def failure_of_node(node: Behaviour) -> Failure | None:
    """The failure of the leaf that made a node fail, without the steps that led to it."""
    from treec.world.failures import StepFailed

    failure: Failure | None = getattr([node, *failed_below(node)][-1], "failure", None)
    while isinstance(failure, StepFailed):
        failure = failure.why
    return failure


def is_final(node: Behaviour) -> bool:
    """Whether what made a node fail would make it fail again: work that is not wanted any more."""
    from treec.world.failures import Dropped, Forbidden, LostEnvironment, TakenBack

    failure = failure_of_node(node)
    if isinstance(failure, LostEnvironment):
        return not failure.for_now
    return isinstance(failure, Dropped | TakenBack | Forbidden)


def failed_below(node: Behaviour) -> Iterator[Behaviour]:
    """The child that made a node fail, the child that made that one fail, and so on."""
    while failed := [child for child in node.children if child.status is Status.FAILURE]:
        node = failed[-1]
        yield node


def build(at: NodePlace, value: object, child: Behaviour) -> Behaviour:
    """The node and its handler, in which `reason` is a name."""
    frame = at.frame.inner({"reason": ""})

    def bind(why: str) -> None:
        frame.bind("reason", why)

    return OnFailure(child.name, child, at.branch(value, "on_failure", frame=frame), bind)


def write_xml(data: Data, to: XmlWriter) -> Any:
    """`Fallback` of the node and the handler, which fails in any case."""
    if to.target != "btcpp":
        return None
    handler = to.other("ForceFailure", {}, to.node(data["on_failure"], "on_failure"))
    return to.other("Fallback", {"name": "on_failure"}, to.inner, handler)


def read_shape(element: XmlReader) -> Data | None:
    """The same."""
    node, handler = element.parts()
    if handler.tag != "ForceFailure" or handler.size != 1 or handler.attributes:
        return None
    return {"on_failure": handler.nodes()[0], "node": node.node()}


MODIFIER = ModifierSpec(
    key="on_failure",
    order=40,
    type="Node | None",
    field=Field(
        None, description="Run after the node's FAILURE or timeout; the result stays FAILURE."
    ),
    build=build,
    binds={"reason": "text"},
    resume="child",
    shows=lambda value: "",
    drawing=Drawing("modifier", icon="M9.5 1.5L4 9H8L6.5 14.5L12 7H8Z"),
    xml=Xml(script="_onFailure", write=write_xml, shape="Fallback", read={"": read_shape}),
)
