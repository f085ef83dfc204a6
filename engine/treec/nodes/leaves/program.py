"""`program`: runs skills in sequence: the steps of a task, or a program that a model wrote.

With `instructions` in its file and a model to ask, the model writes the program (the package
treec-program). It is checked before its first step, and sent back with the errors and their lines.
Without a model, or when no answer is valid, the steps of `offline` are run.

SUCCESS: every step succeeded.

FAILURE: there are no steps, one cannot be parsed or bound, or one failed. The feedback message
names the step and the reason.

RUNNING: waiting for an answer, or a step is in progress.

With `correction`, a step that failed is first corrected by another program, and then tried again.

Memory: the request in flight and the current step, within a round; the steps completed for the same
work in earlier rounds, which the prompt lists. A new round begins with the first step; steps whose
effects hold already are skipped.

Halting: the request or the current step is cancelled in the same tick; the remaining steps are
dropped.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from pydantic import Field

from treec.extensions import registry
from treec.files.fields import Value
from treec.files.node_spec import Assignment, Drawing, NodeSpec
from treec.files.nodes import NodeBase

if TYPE_CHECKING:
    from py_trees.behaviour import Behaviour

    from treec.nodes.node_place import NodePlace


class ProgramNode(NodeBase):
    """Runs a program of skills, step by step."""

    program: str
    with_: dict[str, Value] = Field({}, alias="with")
    into: str | None = Field(
        None, description="The state that is set to the program's text when it starts."
    )


def build(at: NodePlace, node: ProgramNode) -> Behaviour:
    """The program, of the class that an extension declares."""
    make: Any = registry().load(registry().kinds["program"].asks)
    made = make(at.path, at.runtime, at.frame, at.find("program", node.program), node.with_)
    made.into = node.into
    made.add_children(at)
    program: Behaviour = made
    return program


def sets(node: ProgramNode) -> Iterator[Assignment]:
    """The state in `into`."""
    if node.into is not None:
        yield Assignment(node.into, ("into",), "state")


_BRACES = "M6 2C3.4 2 5.2 7 2.4 8C5.2 9 3.4 14 6 14M10 2C12.6 2 10.8 7 13.6 8C10.8 9 12.6 14 10 14"

NODE = NodeSpec(
    key="program",
    model=ProgramNode,
    build=build,
    refers="program",
    sets=sets,
    drawing=Drawing("ask", "{}", _BRACES),
)
