"""The kind `case`: what a node must decide, or what a whole system must do."""

from __future__ import annotations

from typing import Any, ClassVar

from pydantic import Field, ValidationInfo, field_validator

from treec.files.fields import Duration, Expr, Model, Value


class CaseFile(Model):
    """A test case: a `node` and what it must decide, or, without one, a whole system.

    A whole system starts from a world, hears what the user says, and is watched. Examples of
    prompts are cases of their nodes, too.
    """

    binds: ClassVar[dict[str, str]] = {"since": "number"}
    """What its expressions read beside the run's names."""

    case: str
    about: str = ""
    system: str | None = Field(None, description="The system; required if there are several.")
    node: str | None = Field(
        None,
        description="The node to ask: a decision, action, reading, program or plan; without one, "
        "the whole system is played.",
    )
    given: dict[str, Value] = Field(
        {},
        description="With `node`: what it sees, as in an example; omitted names have their "
        "defaults.",
    )
    args: dict[str, Value] = Field(
        {}, description="With `node`: arguments from its place in a tree."
    )
    world: dict[str, Value] | None = Field(
        None,
        description="A moment of a run, as `treec case add` writes it; with `node`, instead of "
        "`given` (default: the start).",
    )
    knows: dict[str, Value] = Field(
        {}, description="With `node`: pinned values of what it `knows`."
    )
    expect: dict[str, Value] | None = Field(
        None,
        description="With `node`: the answer it must give, as in an example; of a program the "
        "`steps`, of other kinds what they decide; none: any is recorded.",
    )
    scored_by: str | None = Field(
        None,
        description="With `node`: a judge that scores from 0 to 1 what is decided, where cases "
        "are asked and not replayed; it sees `decision`, `expected` and `observation`.",
    )
    seed: int = Field(0, description="Without `node`: the random seed.")
    says: list[str] = Field(
        [], description="Without `node`: what the user says, one after the other."
    )
    within: Duration = Field(
        10.0, gt=0, description="Without `node`: how long the system is watched."
    )
    must: list[Expr] = Field(
        [],
        description="Without `node`: each must hold at some moment after the words; `since` is "
        "when the case began.",
    )
    must_not: list[Expr] = Field(
        [], description="Without `node`: none of them may hold at any moment."
    )
    answers: dict[str, dict[str, Any]] = Field(
        {},
        description="Without `node`: answers written by hand, by name: for each node its answer, "
        "or a list of answers in order. Nodes without one use their own rules.",
    )
    fails: dict[str, str] = Field(
        {},
        description="Without `node`: whose answers are known to fail, and why; `rules` are the "
        "files' own.",
    )

    @field_validator("given", "args", "knows", "expect", "scored_by")
    @classmethod
    def _of_a_node(cls, value: object, info: ValidationInfo) -> object:
        if info.data.get("node") is None:
            raise ValueError("only a case with a `node` has this key")
        return value

    @field_validator("world")
    @classmethod
    def _instead_of_given(cls, value: object, info: ValidationInfo) -> object:
        if info.data.get("given"):
            raise ValueError("a case has `given` or `world`, not both")
        return value

    @field_validator("seed", "says", "within", "must", "must_not", "answers", "fails")
    @classmethod
    def _of_a_system(cls, value: object, info: ValidationInfo) -> object:
        if info.data.get("node") is not None:
            raise ValueError("not allowed in a case with a `node`, which asks that node alone")
        return value
