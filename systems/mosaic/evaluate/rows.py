"""The rows of the evaluation: what is put to the test."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class TrialRow:
    """Something that is tried, or why it is not. ``key`` names its folder."""

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
