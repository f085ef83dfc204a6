"""Pauses of `retry` and `repeat`, and attempts that fail at once."""

from __future__ import annotations

from pathlib import Path

import pytest
from py_trees.common import Status

from tests.support.bench import Bench
from tests.support.files import tree

PROBE = "{{{0}, probe: {{name: p, script: {1}}}}}"


def times(b: Bench, kind: str = "log") -> list[float]:
    return [r.t for r in b.told(kind)]


def run(folder: Path, root: str, seconds: float = 100.0) -> Bench:
    b = Bench(folder / "lib", tree(root))
    b.run.loop.at_end = "stop"
    b.run.loop.run(deadline=seconds)
    return b


@pytest.mark.parametrize(
    ("pauses", "expected"),
    [
        ("{times: 4, every: 2s}", [0, 2, 4, 6]),
        ("{times: 4, every: 2s, backoff: 2}", [0, 2, 6, 14]),
        ("{times: 1, every: 2s}", [0]),
        ("{every: 40s}", [0, 40, 80]),
        ("{every: 1s, backoff: 100}", [0, 1]),
    ],
)
@pytest.mark.parametrize(
    ("key", "last"), [("retry", "{check: false}"), ("repeat", "{check: true}")]
)
def test_pauses(tmp_path: Path, key: str, last: str, pauses: str, expected: list[float]) -> None:
    b = run(tmp_path, f"{{{key}: {pauses}, sequence: [{{log: again}}, {last}]}}")
    assert times(b) == expected
    ended = "-" if len(expected) == 3 or "100" in pauses else key
    status = {"-": Status.RUNNING, "retry": Status.FAILURE, "repeat": Status.SUCCESS}[ended]
    assert b.run.root.status is status
    assert b.clock.now() == (100.0 if ended == "-" else expected[-1])


@pytest.mark.parametrize("key", ["retry", "repeat"])
def test_a_pause_is_one_after_a_round_that_took_time_too(tmp_path: Path, key: str) -> None:
    last = "{wait: 3s, invert: true}" if key == "retry" else "{wait: 3s}"
    b = run(tmp_path, f"{{{key}: {{times: 3, every: 2s}}, sequence: [{{log: again}}, {last}]}}")
    assert times(b) == [0, 5, 10]
    assert b.clock.now() == 13


def test_no_change_of_the_world_ends_a_pause(tmp_path: Path) -> None:
    bad = "{retry: {times: 3, every: 10s}, sequence: [{log: again}, {check: false}]}"
    other = "{repeat: 8, sequence: [{wait: 1s}, {set: {level: 1}}, {set: {level: 0}}]}"
    b = run(tmp_path, f"parallel: [{other}, {bad}]")
    assert times(b) == [0, 10, 20]


def test_a_halt_ends_the_pause(tmp_path: Path) -> None:
    bad = "{retry: {every: 5s}, sequence: [{log: again}, {check: false}]}"
    timed = f"{{force_success: true, sequence: [{{timeout: 7s, sequence: [{bad}]}}]}}"
    b = run(tmp_path, f"{{repeat: 2, sequence: [{timed}]}}")
    assert times(b) == [0, 5, 7, 12]


@pytest.mark.parametrize(
    ("attempts", "expected"),
    [(3, [0, 1, 3]), (5, [0, 1, 3, 7, 15]), (-1, [0, 1, 3, 7, 15, 31, 63])],
)
def test_what_fails_at_once_waits_longer_each_time(
    tmp_path: Path, attempts: int, expected: list[float]
) -> None:
    b = run(tmp_path, f"{{retry: {attempts}, sequence: [{{log: again}}, {{check: false}}]}}")
    assert times(b) == expected
    assert len(b.told("in_vain")) == (attempts == -1)


def test_or_until_the_world_changes(tmp_path: Path) -> None:
    other = "[{wait: 500ms}, {set: {level: 1}}, {wait: 100ms}, {set: {level: 2}}]"
    bad = "{retry: -1, sequence: [{log: again}, {check: level == 2}]}"
    b = run(tmp_path, f"parallel: [{other}, {bad}]")
    assert times(b) == [0, 0.5, 0.6]
    assert b.run.root.status is Status.SUCCESS


def test_its_own_changes_do_not_count(tmp_path: Path) -> None:
    b = run(
        tmp_path, "{retry: 3, sequence: [{set: {level: 1}}, {set: {level: 2}}, {check: false}]}"
    )
    assert times(b, "state.set") == [0, 0, 1, 1, 3, 3]


def test_an_attempt_that_took_time_is_followed_at_once(tmp_path: Path) -> None:
    bad = "{retry: 3, sequence: [{log: again}, {wait: 2s}, {check: false}]}"
    assert times(run(tmp_path, bad)) == [0, 2, 4]


def test_a_picture_says_the_pauses(tmp_path: Path) -> None:
    from treec.files.nodes import MODIFIERS
    from treec.nodes.again import Times

    value = Times.model_validate({"times": 3, "every": "2s", "backoff": 1.5})
    assert MODIFIERS["retry"].shows(value) == "retry 3 every 2 s × 1.5"  # type: ignore[misc]
    assert MODIFIERS["repeat"].shows(-1) == "repeat -1"  # type: ignore[misc]
