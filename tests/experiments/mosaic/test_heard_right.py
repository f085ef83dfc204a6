"""The planner's own share: whoever hears each word as it was meant handles every interaction.

The parser is put aside, and the user's recorded intents are read instead. What fails in the
evaluation and not here is not understood; what fails here is decided wrongly.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from experiments.mosaic.intents import Intent, IntentLog, Json
from experiments.mosaic.plan import draw_plans
from experiments.mosaic.trial import MosaicTrial, run_trial
from tests.experiments.mosaic.test_trial import staged
from treec_hearing.node import Reading


def acts_of(text: str, meant: Sequence[Json]) -> list[dict[str, Any]]:
    return [{"quote": text, **_act(text, dict(act))} for act in meant]


def _act(text: str, act: dict[str, Any]) -> dict[str, Any]:
    match act["do"]:
        case "accept" | "decline":
            ids = [proposal["id"] for proposal in act["proposals"]]
            return {"kind": act["do"], "proposals": ids}
        case "request":
            named = {name: act[name] for name in ("agent", "task", "args")}
            return {"kind": "request", "first": False, **named}
        case "done":
            return {"kind": "done", "subtasks": act["subtasks"]}
        case "choose":
            return {"kind": "choose", "recipe": act["recipe"]}
        case "choose_unknown" | "describe":
            return {"kind": "choose", "recipe": None}
    return {"kind": "ask", "about": text}


@pytest.mark.parametrize("number", range(6))
@pytest.mark.few(1)
def test_every_interaction_is_handled_and_no_promise_broken(
    number: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    said: dict[str, Sequence[Json]] = {}
    add = IntentLog.add

    def note(self: IntentLog, intent: Intent) -> None:
        said[" ".join(intent.text.split())] = intent.acts
        add(self, intent)

    def heard(self: Reading) -> list[dict[str, Any]]:
        return [
            {**act, "utterance": u.id}
            for u in self._unread
            for act in acts_of(u.text, said[" ".join(u.text.split())])
        ]

    monkeypatch.setattr(IntentLog, "add", note)
    monkeypatch.setattr(Reading, "_parse_unread", heard)
    plan = draw_plans(staged().kitchen, 2, 6, "hard")[number]
    result = run_trial(staged(), MosaicTrial("offline", plan, number, 0, 2), tmp_path / "run")
    assert [p for p in result.verdict.passed if not p.passed] == []
    assert result.verdict.violations == ()
    assert result.verdict.misunderstood == ()
    assert result.verdict.cooked
