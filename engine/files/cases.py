"""The kind `case`: a node, what it sees, and what it must decide."""

from __future__ import annotations

from pydantic import Field

from treec.files.fields import Model, Value


class CaseFile(Model):
    """A moment in which a node must decide something; examples of prompts are cases, too."""

    case: str
    about: str = ""
    system: str | None = Field(None, description="The system; needed where there are several.")
    node: str = Field(
        description="The node that is asked, such as a decision, action, reading or program."
    )
    args: dict[str, Value] = Field({}, description="What its place in a tree gives it.")
    given: dict[str, Value] = Field(
        {}, description="What it sees, as in an example; what is left out has its default."
    )
    world: dict[str, Value] | None = Field(
        None, description="In the place of `given`: a moment of a run, from `treec case add`."
    )
    knows: dict[str, Value] = Field({}, description="What it knows of its library, pinned.")
    expect: dict[str, Value] | None = Field(
        None,
        description="The answer it must give, as in an example; of a program the `steps`, of "
        "other kinds what they decide; none: any is recorded.",
    )
