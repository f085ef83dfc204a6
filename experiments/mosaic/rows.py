"""The rows of the evaluation's tables: the variants of the system under test."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class TrialRow:
    """A variant of the system. ``key`` names its folder; ``not_run`` says why it is skipped."""

    key: str
    title: str
    contracts: bool = True
    not_run: str = ""


NO_MODEL = "no model is configured"

ROWS = (
    TrialRow("offline", "tree offline, contracts on"),
    TrialRow("offline-without-contracts", "tree offline, contracts off", contracts=False),
    TrialRow("model", "tree with a model", not_run=NO_MODEL),
    TrialRow("one-prompt", "One-Prompt with a model", not_run=NO_MODEL),
)
