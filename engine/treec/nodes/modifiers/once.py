"""`once`: the node runs once; its result is returned from then on.

SUCCESS: the node returned SUCCESS, now or in an earlier round.

FAILURE: the node returned FAILURE, now or in an earlier round.

RUNNING: the node returned RUNNING.

Memory: the result, for the life of the tree; the node is not ticked again. A halt does not clear
it; a node that is halted before its end has no result and is started again. This is
BehaviorTree.CPP's RunOnce with `then_skip` false.

Halting: when halted, the running node is halted. It never halts the node of its own accord.
"""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

from pydantic import Field

from treec.files.node_spec import Data, Drawing, ModifierSpec, Xml, XmlReader, XmlTag
from treec.nodes.base import Status

if TYPE_CHECKING:
    from py_trees import decorators
    from py_trees.behaviour import Behaviour

    from treec.nodes.node_place import NodePlace


def once(name: str, child: Behaviour) -> decorators.OneShot:
    """py_trees' OneShot on completion, which remembers its result."""
    from py_trees.common import OneShotPolicy

    return _once_class()(name=name, child=child, policy=OneShotPolicy.ON_COMPLETION)


@cache
def _once_class() -> type[decorators.OneShot]:
    from py_trees import decorators

    class Once(decorators.OneShot):
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


def build(at: NodePlace, value: bool, child: Behaviour) -> Behaviour:
    """The node in its modifier."""
    return once(child.name, child)


def read_skipping(element: XmlReader) -> Data:
    """`RunOnce` that skips its child later, which treec does not."""
    element.say("later ticks give the first result; they are not skipped")
    return {"once": True}


MODIFIER = ModifierSpec(
    key="once",
    order=110,
    type=bool,
    field=Field(False, description="Run to completion once; later ticks return that result."),
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
        read={"RunOnce": read_skipping},
    ),
)
