"""What a node's programs have done, by the journal."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.support.bench import Bench
from tests.support.files import tree
from treec.nodes.events import Programmed, SkillEnded, Step
from treec.team.events import SubtaskStarted
from treec.world.events import Event
from treec.world.journal import Journal
from treec_asking.asking import History
from treec_program.node import _completed_before

STARTED = (
    SubtaskStarted("R1", "get pepper"),
    Programmed("main/Steps", "Steps", "R1", "offline", "pick('pepper')"),
    Step("main/Steps", 1, "pick"),
)


def ended(**how: bool) -> SkillEnded:
    return SkillEnded("pick", "R1", {"item": "pepper"}, **{"ok": False, **how})


@pytest.mark.parametrize(
    ("ends", "done"),
    [
        ((ended(ok=True),), ["pick('pepper')"]),
        ((ended(),), []),
        ((ended(), ended(ok=True)), []),
        ((ended(cancelled=True, asked_again=True), ended(ok=True)), ["pick('pepper')"]),
    ],
    ids=["done", "failed", "another's", "asked again"],
)
def test_a_step_is_done_if_its_skill_was(
    tmp_path: Path, ends: tuple[Event, ...], done: list[str]
) -> None:
    journal = Journal.in_memory()
    for event in (*STARTED, *ends):
        journal.append(event, "main", 0.0)
    view = Bench(tmp_path, tree("wait: 1s")).run.view
    history = History(view, "main/Steps", journal.records, (), lambda records, t: None)
    assert _completed_before(history, "R1") == done
