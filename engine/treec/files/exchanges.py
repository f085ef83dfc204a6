"""The kind `exchange`: a state, what is said, and what must and must not happen."""

from __future__ import annotations

from typing import Any

from pydantic import Field

from treec.files.fields import Duration, Expr, Model, Value


class ExchangeFile(Model):
    """A test case for a whole system: it starts from a state, hears words, and is watched.

    In `must` and `must_not`, `since` is the time at which the exchange begins.
    """

    exchange: str
    about: str = ""
    system: str | None = Field(None, description="The system; required if there are several.")
    seed: int = 0
    world: dict[str, Value] | None = Field(
        None, description="A moment of a run, as `treec case add` writes it (default: the start)."
    )
    says: list[str] = Field([], description="What the user says, one after the other.")
    within: Duration = Field(10.0, gt=0, description="How long the system is watched.")
    must: list[Expr] = Field([], description="Each must hold at some moment after the words.")
    must_not: list[Expr] = Field([], description="None of them may hold at any moment.")
    answers: dict[str, dict[str, Any]] = Field(
        {},
        description="Answers written by hand, by name: for each node its answer, or a list of "
        "answers in order. Nodes without one use their own rules.",
    )
    fails: dict[str, str] = Field(
        {}, description="Whose answers are known to fail, and why; `rules` are the files' own."
    )
