"""The kind `case`: a node, what it sees, and what it must decide."""

from __future__ import annotations

from pydantic import Field

from treec.files.fields import Model, Value


class CaseFile(Model):
    """A situation in which a node must decide something; examples of prompts are cases, too."""

    case: str
    about: str = ""
    system: str | None = Field(None, description="The system; required if there are several.")
    node: str = Field(description="The node to ask: a decision, action, reading or program.")
    args: dict[str, Value] = Field({}, description="Arguments from its place in a tree.")
    given: dict[str, Value] = Field(
        {}, description="What it sees, as in an example; omitted names have their defaults."
    )
    world: dict[str, Value] | None = Field(
        None, description="Instead of `given`: a moment of a run, as `treec case add` writes it."
    )
    knows: dict[str, Value] = Field({}, description="Pinned values of what it `knows`.")
    expect: dict[str, Value] | None = Field(
        None,
        description="The answer it must give, as in an example; of a program the `steps`, of "
        "other kinds what they decide; none: any is recorded.",
    )
