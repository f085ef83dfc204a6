"""Asks somebody before a skill begins or actions take effect, where a run is watched over.

Whoever is asked answers at once or holds the run until they do, so the node that asks goes on in
the same tick.
"""

from __future__ import annotations

from collections.abc import Callable
from enum import StrEnum

from treec.frozen import frozen

REFUSED = "not approved"
"""Why a skill fails, or actions are refused, of which somebody has said no."""


class Approved(StrEnum):
    """What somebody is asked about before it happens."""

    skills = "skills"
    actions = "actions"


@frozen
class ApprovalQuestion:
    """What is about to happen: a skill, or the actions of a decision, at the node of a path."""

    what: Approved
    path: str
    words: str


Approve = Callable[[ApprovalQuestion], bool]
"""Whether what is about to happen may. Raises NotAnswered."""


class NotAnswered(Exception):
    """The run ends before there was an answer: nothing begins, and nothing has failed."""
