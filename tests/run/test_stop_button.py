"""One press stops all robots, whatever the tree, a model or somebody's code is doing."""

from __future__ import annotations

import threading
from pathlib import Path
from typing import Any

import pytest
from py_trees.common import Status

from tests.run.test_foreign_code import TWO, Result
from tests.support.bench import Bench
from tests.support.files import tree
from tests.support.foreign import Wrong
from treec.nodes.worker import Host, WorkOrder
from treec.run import loop_watchdog, stop_button
from treec.run.stop_button import REASON, SOURCE, StopButton

BOTH = """\
parallel:
  - {skill: go_to, with: {agent: R1, place: pantry}, once: true}
  - {skill: go_to, with: {agent: R2, place: pantry}, once: true}
"""
GUARD = 30.0
"""Seconds after which a hung test fails; no timing."""


def bench(folder: Path) -> Bench:
    b = Bench(folder, tree(BOTH))
    b.pass_time(1)
    return b


def test_one_press_cancels_all_skills_at_once(tmp_path: Path) -> None:
    b = bench(tmp_path)
    b.run.stop_button.press()
    b.tick()
    ended = b.told("skill.ended")
    assert [(e.t, e.data["agent"], e.data["cancelled"]) for e in ended] == [
        (1.0, "R1", True),
        (1.0, "R2", True),
    ]
    stops = b.told("agent.interrupted")
    assert [(e.data["agent"], e.data["reason"]) for e in stops] == [("R1", REASON), ("R2", REASON)]
    assert {e.by for e in stops} == {SOURCE}


def test_it_comes_before_all_that_waits_in_the_inbox(tmp_path: Path) -> None:
    b = bench(tmp_path)
    b.say("first")
    b.run.stop_button.press()
    b.tick()
    kinds = [e.kind for e in b.journal.records]
    assert kinds.index("skill.ended") < kinds.index("said")


def test_no_skill_begins_from_the_press_on(tmp_path: Path) -> None:
    b = Bench(tmp_path, tree(BOTH))
    b.run.stop_button.press()
    message = b.run.inbox.drain()  # as if the loop had been past its inbox already
    assert b.tick() is Status.RUNNING
    assert b.told("skill.started") == []
    b.run.stop_button.take(message[0])
    b.pass_time(20)
    assert b.told("skill.started") == []


def test_robots_go_on_when_they_are_let(tmp_path: Path) -> None:
    b = bench(tmp_path)
    b.run.stop_button.press()
    b.tick()
    assert b.run.stop_button.stopped == ("R1", "R2")
    b.run.stop_button.release()
    b.pass_time(20)
    assert b.run.stop_button.stopped == ()
    assert [e.data["ok"] for e in b.told("skill.ended")] == [False, False, True, True]
    assert b.said() == ["R1 has stopped. R2 has stopped.", "R1 goes on. R2 goes on."]


def test_it_lets_nobody_go_on_whom_somebody_else_has_stopped(tmp_path: Path) -> None:
    b = bench(tmp_path)
    b.emit("agent.interrupted", agent="R1")
    b.run.stop_button.press()
    b.tick()
    b.run.stop_button.release()
    b.tick()
    assert [e.data["agent"] for e in b.told("agent.resumed")] == ["R2"]


def test_many_presses_are_one_and_people_are_not_stopped(tmp_path: Path) -> None:
    b = bench(tmp_path)
    for _ in range(100):
        b.run.stop_button.press()
    b.tick()
    b.run.stop_button.press()
    b.tick()
    assert [e.data["agent"] for e in b.told("agent.interrupted")] == ["R1", "R2"]


def test_a_loop_that_does_not_come_to_it_is_ended(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(stop_button, "HELD", 0.0)
    ended = threading.Event()
    StopButton(bench(tmp_path).run.runtime, ended.set).press()
    assert ended.wait(GUARD)


def test_a_run_that_has_not_begun_is_not_ended(tmp_path: Path) -> None:
    b = Bench(tmp_path, tree(BOTH))
    b.run._end_held_loop()
    assert not b.run.loop.is_stopping
    b.tick()
    b.run._end_held_loop()
    assert b.run.loop.is_stopping


def test_code_that_holds_the_loop_is_interrupted(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A worker that does not return from its start: its skill is cancelled and the run ends."""
    monkeypatch.setattr(stop_button, "HELD", 0.0)
    monkeypatch.setattr(loop_watchdog, "STOPPING", 0.0)
    monkeypatch.setattr(loop_watchdog, "LOOK", 0.01)
    buttons: list[StopButton] = []
    made = StopButton.__init__

    def note(self: StopButton, *args: Any) -> None:
        made(self, *args)
        buttons.append(self)

    def block(order: WorkOrder, host: Host) -> None:
        buttons[0].press()
        threading.Event().wait(GUARD)

    monkeypatch.setattr(StopButton, "__init__", note)
    monkeypatch.setattr(Wrong, "START", block)
    result = Result(tmp_path, TWO)
    assert result.outcome.reason == "stopped"
    (skill,) = (e for e in result.told("skill.ended") if e["skill"] == "push")
    assert skill["cancelled"]


def test_in_a_resumed_run_it_lets_those_go_on_that_it_has_stopped(tmp_path: Path) -> None:
    b = bench(tmp_path)
    b.run.stop_button.press()
    b.tick()
    again = StopButton(b.run.runtime, lambda: None)
    again.recall(b.journal.records)
    assert again.stopped == ("R1", "R2")
    b.run.stop_button.release()
    b.tick()
    gone_on = StopButton(b.run.runtime, lambda: None)
    gone_on.recall(b.journal.records)
    assert gone_on.stopped == ()
