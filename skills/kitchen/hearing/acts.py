"""An act before it is weighed against the others of its utterance."""

from __future__ import annotations

from dataclasses import dataclass, field

from treec.skills.kitchen.hearing.clauses import Clause
from treec.skills.kitchen.hearing.tasks import TaskMatch

TALK = frozenset({"remark", "ask"})
"""Kinds of acts with which nobody does, wants or ends anything."""


@dataclass(slots=True)
class Act:
    """`ids` are the proposals of a yes or no, None for all that are open.

    `bare`: it named nothing; `weak`: praise rather than a yes; `others`: a request of anybody but
    the speaker. `dishes`: the recipes that a wish may mean. `sure`: it was said in so many words
    that no other reading of them need be looked for.
    """

    kind: str
    start: int
    end: int
    clause: Clause
    fields: dict[str, object] = field(default_factory=dict)
    ids: tuple[str, ...] | None = None
    bare: bool = False
    weak: bool = False
    found: TaskMatch | None = None
    only: bool = False
    dishes: tuple[str, ...] = ()
    others: bool = False
    sure: bool = False

    @property
    def sentence(self) -> int:
        """The number of its sentence."""
        return self.clause.sentence

    @property
    def joint(self) -> str:
        """The word or break before it."""
        return self.clause.joint


def act(kind: str, clause: Clause, **fields: object) -> Act:
    """An act that is the whole of a clause."""
    return Act(kind, clause.start, clause.end, clause, fields)
