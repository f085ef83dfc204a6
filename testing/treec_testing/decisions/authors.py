"""Whose answers a case has: the names of authors, and of recordings beside a case's first one.

A case of a node has one recording of its own, and any number beside it: `Execution/a-yes@small` is
what the model `small` answered, `Execution/a-yes@small+2` its second answer. Each is judged as a
case of its own.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace

from treec_testing.decisions.cases import DecisionCase
from treec_testing.recordings.attempt import ALWAYS
from treec_testing.recordings.recording import OFFLINE

RULES = "rules"
"""The author of what is decided without a model, by the files' own rules."""

BESIDE, AGAIN = "@", "+"
"""What stands before the author in the id of a recording, and before the number of its answer."""


def author_name(model: str) -> str:
    """The author that a model's answers are kept under: `gpt-4o-mini` for openai/gpt-4o-mini."""
    return re.sub(r"[^\w.-]+", "-", model.rpartition("/")[2])


def author_of_answer(by: str) -> str:
    """The author of a recording, by who answered: `gpt-4o-mini` for openai/gpt-4o-mini@2024."""
    return RULES if by in (OFFLINE, ALWAYS) else author_name(by.partition("@")[0])


def case_of(id: str) -> str:
    """The id of the case that a recording beside its first one belongs to."""
    return id.rpartition(BESIDE)[0] or id


def author_beside(id: str) -> str | None:
    """The author of a recording beside a case's first one; None for that."""
    _, beside, author = id.rpartition(BESIDE)
    return author.partition(AGAIN)[0] if beside else None


def sample_ids(case: DecisionCase, by: str | None, author: str, number: int) -> list[str]:
    """The ids of an author's recordings in a case; ``by`` is who answered its first one.

    The first one is the author's if nobody else has answered it. Where a rule of `always` decides,
    no model is asked.
    """
    if by == ALWAYS:
        return [case.id]
    beside = f"{case.id}{BESIDE}{author}"
    own = by is None or author_of_answer(by) == author
    return [case.id if own else beside, *(f"{beside}{AGAIN}{n}" for n in range(2, number + 1))]


def with_authors(cases: Sequence[DecisionCase], ids: Iterable[str]) -> Iterator[DecisionCase]:
    """The cases, each followed by itself under the ids of the recordings beside its first one."""
    beside: dict[str, list[str]] = {}
    for id in sorted(ids):
        if BESIDE in id:
            beside.setdefault(case_of(id), []).append(id)
    for case in cases:
        yield case
        yield from (replace(case, id=id) for id in beside.get(case.id, ()))
