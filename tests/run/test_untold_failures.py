"""Whoever talks to the team hears of work that has failed, whatever the files do about it."""

from __future__ import annotations

import io
from pathlib import Path

import pytest

from tests.support.bench import Bench
from tests.support.files import tree
from treec.nodes.runtime import Runtime
from treec.run.run import Run
from treec.world.clock import VirtualClock
from treec.world.journal import Journal, events

TOLD = "This did not work: get pepper (it slipped)."


def _failed(tmp_path: Path, files: dict[str, str] | None = None) -> Bench:
    """A run in which R1 has just failed, and nothing in the files speaks of that."""
    b = Bench(tmp_path, {**tree("wait: 1h"), **(files or {})})
    b.settle()
    b.add("get pepper", item="pepper")
    b.assign("R1", "get pepper")
    b.emit("subtask.failed", subtask="get pepper", agent="R1", reason="it slipped")
    return b


def _said(b: Bench) -> list[object]:
    return [record.data["text"] for record in b.told("said")]


def test_a_failure_that_nobody_speaks_of_is_told_once(tmp_path: Path) -> None:
    b = _failed(tmp_path)
    b.pass_time(0.5)
    assert _said(b) == []
    b.pass_time(60)
    assert _said(b) == [TOLD]


def test_two_are_told_together(tmp_path: Path) -> None:
    b = _failed(tmp_path)
    b.add("get salt", item="salt")
    b.emit("subtask.failed", subtask="get salt", agent="R2", reason="it is stuck")
    b.pass_time(5)
    assert _said(b) == [f"{TOLD} This did not work: get salt (it is stuck)."]


@pytest.mark.parametrize(
    ("kind", "data"),
    [
        ("proposed", {"agent": "R2", "subtask": "get pepper", "id": "p1"}),
        ("assigned", {"agent": "R2", "subtasks": ["get pepper"]}),
        ("subtask.dropped", {"subtasks": ["get pepper"]}),
        ("said", {"who": "assistant", "text": "I could not: it slipped.", "id": "u1"}),
        ("said", {"who": "assistant", "text": "Get pepper has failed.", "id": "u1"}),
    ],
)
def test_what_comes_of_it_tells_it(tmp_path: Path, kind: str, data: dict[str, object]) -> None:
    b = _failed(tmp_path)
    b.emit(kind, **data)
    before = _said(b)
    b.pass_time(60)
    assert _said(b) == before


def test_what_others_say_tells_nobody(tmp_path: Path) -> None:
    b = _failed(tmp_path)
    b.emit("said", who="assistant", text="Hello!", id="u1")
    b.emit("said", who="user", text="get pepper", id="u2")
    b.pass_time(5)
    assert _said(b)[2:] == [TOLD]


def test_a_second_failure_is_told_anew(tmp_path: Path) -> None:
    b = _failed(tmp_path)
    b.pass_time(5)
    b.assign("R1", "get pepper")
    b.emit("subtask.failed", subtask="get pepper", agent="R1", reason="it slipped")
    b.pass_time(5)
    assert _said(b) == [TOLD, TOLD]


def test_a_system_may_say_it_in_its_words(tmp_path: Path) -> None:
    words = {
        "test.system.yaml": "system: test\nabout: For tests.\nuses: [pack]\nroot: main\n"
        "domain: kitchen\nscene: kitchen\nsentences: {failed: 'No {{ subtask.words }}.'}\n"
    }
    b = _failed(tmp_path, words)
    b.pass_time(5)
    assert _said(b) == ["No get pepper."]


def test_without_people_nobody_is_told(tmp_path: Path) -> None:
    b = _failed(tmp_path, {"pack/user.agent.yaml": "agent: R3\nis: Robot\nabout: A robot.\n"})
    b.pass_time(60)
    assert _said(b) == []


def _told_by_a_resumed_run(b: Bench, at: float) -> list[object]:
    again = Run(
        b.run.view,
        VirtualClock(at),
        Journal(io.BytesIO(), b.journal.records[-1]),
        b.run.spec,
        records=b.journal.records,
    )
    again.clock.call_at(60, lambda: None)
    while again.clock.advance(60):
        again.loop.step()
    said = [e for record in again.journal.records for e in events(record) if e.kind == "said"]
    return [record.data["text"] for record in said]


def test_a_resumed_run_tells_what_was_still_to_be_told(tmp_path: Path) -> None:
    assert _told_by_a_resumed_run(_failed(tmp_path), 0.5) == [TOLD]


def test_a_resumed_run_tells_what_was_lost_with_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    b = Bench(tmp_path, tree("wait: 1h"))
    b.settle()
    b.add("get pepper", item="pepper")
    b.assign("R1", "get pepper")
    b.emit("subtask.started", agent="R1", subtask="get pepper")
    monkeypatch.setattr(Runtime, "stands_still", lambda self, agent: False)
    (text,) = _told_by_a_resumed_run(b, 0.5)
    assert str(text).startswith("This did not work: get pepper (")
