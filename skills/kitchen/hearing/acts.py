"""An act before it is compared with the other acts of its utterance."""

from __future__ import annotations

from dataclasses import dataclass, field

from treec.skills.kitchen.hearing.clauses import Clause
from treec.skills.kitchen.hearing.tasks import TaskMatch

TALK = frozenset({"remark", "ask"})
"""Kinds of acts that change nothing."""


@dataclass(slots=True)
class HeardAct:
    """An act of a clause.

    `ids` are the proposals of an answer, None for all open ones. `bare`: it names nothing; `weak`:
    praise rather than a yes; `others`: a request of anybody but the speaker. `dishes`: the recipes
    that a wish may mean. `sure`: explicit, so that no alternative readings are needed.
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
        """Number of its sentence."""
        return self.clause.sentence

    @property
    def joint(self) -> str:
        """The conjunction or break before it."""
        return self.clause.joint


def act(kind: str, clause: Clause, **fields: object) -> HeardAct:
    """An act that spans a whole clause."""
    return HeardAct(kind, clause.start, clause.end, clause, fields)
