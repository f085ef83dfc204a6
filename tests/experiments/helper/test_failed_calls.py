"""What counts as a failed call: the same in an episode and in a session's second half."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

from experiments.helper.carry_out import LostStep, ProgramResult, TrialSettings
from experiments.helper.measure import made_trial


def test_a_step_whose_condition_did_not_hold_is_a_failed_call() -> None:
    lost = (
        LostStep(1, "pickup", "pickup(mug): 'at(mug) != none' does not hold", False),
        LostStep(2, "pickup", "pickup(mug): slipped", False),
        LostStep(3, "assert", "assert: 'full(mug)' does not hold", True),
    )
    nowhere: Any = None
    done = ProgramResult(True, "", False, lost, 4, 1, 9, 2.0, nowhere, nowhere)
    episode: Any = SimpleNamespace(id="e1", task_type="Coffee")
    assert made_trial(episode, TrialSettings(), done, ()).failed_calls == 2
