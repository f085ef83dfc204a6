"""Events that nodes tell of and that change no state: they are what reports and snapshots read."""

from __future__ import annotations

from collections.abc import Mapping

from treec.team.state import REDUCERS as TEAM_REDUCERS
from treec.team.state import Reducer, State
from treec.world.journal import Record

TOLD = {
    "node.failed": "a leaf could not do its work, and why",
    "asked": "a request went to a model",
    "answered": "an answer came, and what was found of it",
    "programmed": "a program is there to be run: its text, and who wrote it",
    "step": "a program has come to a step: its line",
    "model.lost": "no answer comes: offline rules decide, and why",
    "model.back": "answers come again",
    "decided": "a decision chose a child, and on whose word",
    "refused": "an answer was refused, and why",
    "skill.started": "an agent began a skill",
    "skill.ended": "a skill ended, and how",
    "contract.broken": "what had to come to hold did not",
    "log": "a line written by a `log` leaf",
}
"""Kinds of such events and what each tells."""


def _nothing(state: State, record: Record) -> None:
    """Change nothing."""
    del state, record


REDUCERS: Mapping[str, Reducer] = {**TEAM_REDUCERS, **dict.fromkeys(TOLD, _nothing)}
"""Every event that a run may hold, besides the world's own."""
