"""Chaos: its judge sees what goes wrong, and a short run of it finds nothing."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from benchmarks import __main__ as command
from benchmarks.bench_chaos import table, try_all
from benchmarks.chaos import judge
from benchmarks.chaos.cage import Cage, Line
from benchmarks.chaos.judge import (
    Call,
    Kept,
    Verdict,
    judge_end,
    judge_names,
    judge_orders,
    judge_output,
    judge_records,
    judge_stop,
    read_log,
)
from benchmarks.chaos.trial import FAULTS, Draw

HELD = ("kill -9", "journal cut", "signal", "suspended")
"""Faults of which nothing is left to mend: those that are quick, for CI."""


def call(at: float, what: str, robot: str = "R1", order: str = "s1", item: str = "item_1") -> Call:
    return Call(at, 2, what, robot, order, item)


def wrong(verdict: Verdict) -> dict[str, list[str]]:
    return {goal: texts for goal, texts in verdict.faults.items() if texts}


def kept(*events: tuple[str, dict[str, object]]) -> Kept:
    lines = [json.dumps({"kind": kind, "data": data}).encode() for kind, data in events]
    return Kept(tuple(lines))


def test_whoever_is_told_in_time_is_stopped() -> None:
    verdict = Verdict()
    calls = [call(1.0, "start"), call(2.0, "start", "R2", "s2"), call(5.02, "told", "R2", "s2")]
    calls += [call(5.05, "told"), call(5.06, "cancel")]
    judge_stop(verdict, calls, 5.0, None)
    judge_end(verdict, calls, None)
    assert verdict.ok


@pytest.mark.parametrize(
    ("calls", "text"),
    [
        ([call(1.0, "start")], "R1 (s1) was never told"),
        (
            [call(1.0, "start"), call(5.3, "told")],
            "R1 (s1) was told 0.30 s after, 0.15 s of it without a core",
        ),
        ([call(5.5, "start")], "R1 began s1 0.50 s after, 0.15 s of it without a core"),
    ],
)
def test_whoever_is_not_told_in_time_is_not_stopped(calls: list[Call], text: str) -> None:
    verdict = Verdict(busy=0.15)
    judge_stop(verdict, calls, 5.0, None)
    assert wrong(verdict) == {"not stopped": [text]}


def test_what_a_run_waits_for_a_core_is_not_its_own() -> None:
    verdict = Verdict(busy=0.25)
    judge_stop(verdict, [call(1.0, "start"), call(5.3, "told")], 5.0, None)
    assert verdict.ok
    assert verdict.excused


def test_an_order_that_nobody_ended_is_not_stopped() -> None:
    verdict = Verdict()
    judge_end(verdict, [call(1.0, "start"), call(2.0, "start", "R2", "s2")], "R2")
    assert wrong(verdict) == {"not stopped": ["R1 (s1) was never told before the end"]}


def test_records_that_are_gone_are_lost() -> None:
    verdict, before = Verdict(), kept(("said", {}), ("said", {"text": "x"}))
    judge_records(verdict, before, Kept((*before.lines, b"more")))
    assert verdict.ok
    judge_records(verdict, before, Kept((before.lines[0], b"another")))
    assert wrong(verdict) == {"lost": ["record 2 of 2 is gone or another"]}


def test_what_was_made_and_committed_is_not_made_again() -> None:
    made = kept(
        ("skill.started", {"id": "s1"}),
        ("skill.ended", {"id": "s1", "ok": True, "args": {"item": "item 1"}}),
    )
    verdict = Verdict()
    first, again = [call(1.0, "start")], [call(2.0, "start", order="s2")]
    judge_orders(verdict, [first, again], [made])
    assert wrong(verdict) == {"doubled": ["item_1 was made and is begun again (s2)"]}
    verdict = Verdict()
    judge_orders(verdict, [[*first, *first]], [])
    assert wrong(verdict) == {"doubled": ["order s1 (item_1) was begun twice"]}


def test_an_order_that_was_in_flight_is_carried_out_anew() -> None:
    verdict, begun = Verdict(), kept(("skill.started", {"id": "s1"}))
    judge_orders(verdict, [[call(1.0, "start")], [call(2.0, "start", order="s2")]], [begun])
    assert verdict.ok


def test_whoever_hangs_is_named_in_time_and_not_said_to_have_stopped() -> None:
    named = Line(5.5, "stdout", "long_r1 of R1 did not confirm its stop")
    verdict = Verdict()
    judge_names(verdict, [named], "worker", 4.0, 7.0)
    assert verdict.ok
    lines = [Line(5.0, "stdout", "assistant  R1 has stopped."), Line(7.5, "stderr", named.text)]
    judge_names(verdict, lines, "worker", 4.0, 7.0)
    late, said = wrong(verdict)["not named"]
    assert (late, said[:18]) == ("the worker was named 0.5 s late", "was said to have s")
    verdict = Verdict()
    judge_names(verdict, [Line(5.0, "stdout", "R1 goes on")], "worker", 4.0, 7.0)
    assert wrong(verdict) == {"not named": ["the worker was never named"]}


def test_a_bug_of_treec_is_a_crash() -> None:
    for text, status in (("treec: this is a bug in treec", 1), ("", 70), ("", 139)):
        verdict = Verdict()
        judge_output(verdict, text, status, "run")
        assert list(wrong(verdict)) == ["crashed"]


def test_the_log_is_read_without_a_line_that_is_being_written(tmp_path: Path) -> None:
    log = tmp_path / "log"
    log.write_text("1.5 2 start R1 s1 item_1\n1.6 2 told")
    assert read_log(log) == [call(1.5, "start")]


def test_draws_repeat_and_meet_every_fault() -> None:
    assert {Draw(7, number).fault for number in range(len(FAULTS))} == set(FAULTS)
    assert Draw(7, 3) == Draw(7, 3)
    assert Draw(7, 3).command == "python -m benchmarks chaos --seed 7 --draw 3"


def test_a_cage_ends_all_that_its_process_has_started(tmp_path: Path) -> None:
    script = "sleep 1000 & echo begun; sleep 1000"
    with Cage(["sh", "-c", script], {"PATH": "/usr/bin:/bin"}, tmp_path) as cage:
        assert cage.wait_until(lambda: "begun" in cage.text, 20.0)
    assert cage.process.poll() is not None


def test_only_draws_take_a_number(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        command.main(["mutants", "--draw", "3"])
    assert "--draw is for chaos alone" in capsys.readouterr().err


@pytest.mark.thorough
@pytest.mark.needs_system("mosaic")
def test_a_short_run_finds_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(
        judge, "TOLD", 5.0
    )  # how soon is for the run by hand: a machine may be busy
    draws = [draw for draw in (Draw(11, n) for n in range(len(FAULTS))) if draw.fault in HELD]
    found = try_all(draws, processes=3)
    assert len(found) == len(HELD)
    assert {goal for _, verdict in found for goal in wrong(verdict)} == set(), table(found).text()
