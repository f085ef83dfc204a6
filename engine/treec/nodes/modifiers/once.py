"""`once`: the node runs once; its result is returned from then on, or the node is skipped.

SUCCESS: the node returned SUCCESS, now or in an earlier round.

FAILURE: the node returned FAILURE, now or in an earlier round.

RUNNING: the node returned RUNNING.

Memory: the result, for the life of the tree; the node is not ticked again. A halt does not clear
it; a node that is halted before its end has no result and is started again. With `once: skip` the
node is skipped later (see `skip_if`), as BehaviorTree.CPP's RunOnce is without `then_skip` false.

Halting: when halted, the running node is halted. It never halts the node of its own accord.
"""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, Any, Literal

from pydantic import Field

from treec.files.node_spec import (
    Data,
    Drawing,
    ModifierSpec,
    Xml,
    XmlReader,
    XmlTag,
    XmlWriter,
)
from treec.nodes.base import Status

if TYPE_CHECKING:
    from py_trees import decorators
    from py_trees.behaviour import Behaviour

    from treec.nodes.node_place import NodePlace


Value = bool | Literal["skip"]


def once(name: str, child: Behaviour, then: Value = True) -> decorators.OneShot:
    """py_trees' OneShot on completion, which remembers its result, or is skipped then."""
    from py_trees.common import OneShotPolicy

    made = _once_class()(name=name, child=child, policy=OneShotPolicy.ON_COMPLETION)
    if then == "skip":
        made.then = Status.INVALID  # type: ignore[attr-defined]
    return made


@cache
def _once_class() -> type[decorators.OneShot]:
    from py_trees import decorators

    class Once(decorators.OneShot):
        then: Status | None = None

        def terminate(self, new_status: Status) -> None:
            """Remember the result."""
            if new_status is Status.INVALID:
                return
            super().terminate(new_status)
            if self.final_status is not None and self.then is not None:
                self.final_status = self.then

        @property
        def memory(self) -> object:
            """The result."""
            return None if self.final_status is None else self.final_status.name

        def recall(self, memory: object) -> bool:
            """Return it again."""
            if isinstance(memory, str):
                self.final_status = getattr(Status, memory)
            return True

    return Once


def build(at: NodePlace, value: Value, child: Behaviour) -> Behaviour:
    """The node in its modifier."""
    return once(child.name, child, value)


def write_xml(data: Data, to: XmlWriter) -> Any:
    """`RunOnce` that is skipped later."""
    is_there = to.target == "btcpp" and data["once"] == "skip"
    return to.element("RunOnce", {}) if is_there else None


def read_skipping(element: XmlReader) -> Data:
    """`RunOnce` that skips its child later."""
    return {"once": "skip"}


MODIFIER = ModifierSpec(
    key="once",
    order=110,
    type=Value,
    field=Field(
        False,
        description="Run to completion once; later ticks return that result. skip: it is skipped.",
    ),
    build=build,
    contradicts={
        "retry": "the first result is final, so there is no other attempt",
        "repeat": "the first result is final, so there is no other round",
    },
    resume="children",
    swap="open",
    drawing=Drawing("modifier", icon="M5 5L8.2 2.5V13.5M5 13.5H11.4"),
    xml=Xml(
        tags=(XmlTag("RunOnce", ("btcpp",), with_={"then_skip": "false"}),),
        write=write_xml,
        read={"RunOnce": read_skipping},
    ),
)
