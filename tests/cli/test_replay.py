"""`treec replay`: a run played again from its journal, through the command line."""

from __future__ import annotations

import io
import json
import re
import shutil
from pathlib import Path
from typing import Any

import pytest

from tests.cli.conftest import ROOT, WAREHOUSE, Treec
from treec.cli.replay_play import Pace, play
from treec.cli.terminal_text import Printer
from treec.run.replay import moment
from treec.world.journal import read_journal


@pytest.fixture
def slipped(tmp_path: Path) -> Path:
    """A recorded run that may be changed: two arms, one of which lets a bowl slip."""
    folder = tmp_path / "runs" / "20260101-000000-dag_plan-slipped"
    folder.mkdir(parents=True)
    shutil.copy(ROOT / "tests/data/journals/dag_plan_slipped.jsonl", folder / "journal.jsonl")
    return folder


def test_a_run_is_told_tick_by_tick_with_what_happened_between(treec: Treec, slipped: Path) -> None:
    result = treec("replay", slipped)
    assert (result.status, result.err) == (0, "")
    lines = [line.strip() for line in result.out.splitlines()]
    fails = lines.index("17.3  right      ✗ grasp(bowl): it slipped")
    after = next(line for line in lines[fails:] if line.startswith("17.3  tick"))
    failed = after.partition("✗ ")[2]
    assert failed == "arm_worker[right], arm_worker[right]/Sub_Task"
    assert lines[-1].endswith("ended: done, as expected, 36 ticks, 1:22")
    times = [float(line.split()[0]) for line in lines]
    assert times == sorted(times)


def test_a_moment_shows_the_tree_the_agents_and_what_holds(treec: Treec, slipped: Path) -> None:
    result = treec("replay", slipped, "--at", "18.5")
    assert result.status == 0
    assert result.out.startswith("dag_plan · slipped at 18.5 s (0:18), tick 8\n▸ ⇉ dag_plan_main\n")
    right = result.out.partition("arm_worker[right]")[2]
    assert "▸ {} Sub_Task  grasp(bowl)" in right.partition("agents")[0]
    assert '  left   grasp "tin"  grasp(tin)  since 11 s\n' in result.out
    assert '  right  grasp "bowl"  grasp(bowl)  since 17.3 s\n' in result.out
    assert "  opened(microwave_door)  since 11 s\n" in result.out
    assert "at(cup) == table" not in result.out
    assert "at(cup) == table" in treec("replay", slipped, "--at", "18.5", "--all").out


@pytest.mark.parametrize(("at", "failed"), [("17.2", False), ("#8", True)])
def test_a_report_is_of_any_moment_too(
    treec: Treec, slipped: Path, tmp_path: Path, at: str, failed: bool
) -> None:
    page = tmp_path / "report.html"
    assert treec("report", slipped, "--at", at, "-o", page).status == 0
    assert ("it slipped" in page.read_text("utf-8")) == failed
    refused = treec("report", slipped, "--at", "soon", "-o", page)
    assert (refused.status, "'soon' is not a moment" in refused.err) == (2, True)


def test_a_failure_keeps_its_reason_until_the_node_begins_again(
    treec: Treec, slipped: Path
) -> None:
    seventh = treec("replay", slipped, "--at", "#7").out
    assert "✗ {} Sub_Task  grasp(bowl): it slipped" in seventh
    eighth = treec("replay", slipped, "--at", "#8").out
    assert "it slipped" not in eighth


def test_moments_are_seconds_minutes_or_ticks(treec: Treec, slipped: Path) -> None:
    whole = treec("replay", slipped, "--at", "end").out
    assert whole.startswith("dag_plan · slipped at 82 s (1:22), tick 36\n")
    assert treec("replay", slipped, "--at", "1:22").out == whole
    assert (
        treec("replay", slipped, "--at", "1:00").out == treec("replay", slipped, "--at", "60s").out
    )
    assert treec("replay", slipped, "--at", "1e9").out == whole


def test_a_part_of_a_run(treec: Treec, slipped: Path) -> None:
    lines = treec("replay", slipped, "--from", "17.3", "--until", "20").out.splitlines()
    assert {float(line.split()[0]) for line in lines} == {17.3, 20.0}
    assert "end of the replay" in lines[-1]
    one = treec("replay", slipped, "--from", "#7", "--until", "#7").out
    assert [line.split()[1:3] for line in one.splitlines()] == [["tick", "7"], ["end", "of"]]


def test_the_tree_may_stand_at_every_tick(treec: Treec, slipped: Path) -> None:
    out = treec("replay", slipped, "--tree", "--until", "11").out
    heads = [line for line in out.splitlines() if line.startswith("dag_plan · slipped at")]
    assert [line.rpartition(" ")[2] for line in heads] == ["1", "2", "4", "5"]
    assert out.count("▸ ⇉ dag_plan_main") == 4


def test_nothing_is_folded_with_all(treec: Treec, slipped: Path) -> None:
    out = treec("replay", slipped, "--at", "#14", "--all").out
    assert "· while: Sub_Task" in out
    assert "then: arm_worker[right]" in out
    assert "while: " not in treec("replay", slipped, "--at", "#14").out


def test_as_data(treec: Treec, slipped: Path) -> None:
    told: dict[str, Any] = json.loads(treec("replay", slipped, "--output-format", "json").out)
    assert (told["seconds"], told["ticks"], told["ended"]) == (
        82.0,
        36,
        {"reason": "done", "ok": True},
    )
    ticks = [one for one in told["happened"] if "tick" in one]
    assert ticks[0]["statuses"]["dag_plan_main/Task_Graph"] == "RUNNING"
    at: dict[str, Any] = json.loads(
        treec("replay", slipped, "--at", "#7", "--output-format", "json").out
    )
    found = {node["path"]: node for node in at["nodes"]}
    assert found["dag_plan_main/arm_worker[right]/Sub_Task"]["status"] == "FAILURE"
    assert found["dag_plan_main/arm_worker[right]/Sub_Task"]["detail"] == "grasp(bowl): it slipped"
    assert at["agents"]["left"]["subtask"] == 'grasp "tin"'
    assert {
        key: value
        for key, value in next(f for f in at["facts"] if f["fact"] == "opened").items()
        if key in ("fact", "args", "value")
    } == {"fact": "opened", "args": ["microwave_door"], "value": True}


def test_a_talk_and_what_was_decided(treec: Treec, tmp_path: Path) -> None:
    shutil.copy(ROOT / "tests/data/journals/mosaic_slippery.jsonl", tmp_path / "journal.jsonl")
    out = treec("replay", tmp_path, "--until", "20").out
    assert "user       Let's make a fruit salad, please." in out
    assert "✓ planner, Decision, Recipe, Set_Recipe" in out
    at = treec("replay", tmp_path, "--at", "10").out
    assert "◆ Execution  → No_op (offline)" in at
    assert "{} Subtask_To_Skills  go_to(shelf)" in at
    assert "  user  has slice bananas\n" in at
    assert "recipe_name = Fruit Salad" in at


def test_time_passes_at_the_speed_that_is_wanted(slipped: Path) -> None:
    waits: list[float] = []
    records = list(read_journal(slipped / "journal.jsonl"))
    out = io.StringIO()
    play(Printer(out), records, Pace(speed=2.0, pause=waits.append))
    assert sum(waits) == pytest.approx(records[-1].t / 2.0)
    at_once = io.StringIO()
    play(Printer(at_once), records, Pace(pause=waits.append))
    assert at_once.getvalue() == out.getvalue()
    assert sum(waits) == pytest.approx(records[-1].t / 2.0)


def test_steps_wait_for_a_person_at_every_tick(slipped: Path) -> None:
    records = list(read_journal(slipped / "journal.jsonl"))
    answers = iter([True, True, False])
    out = io.StringIO()
    play(Printer(out), records, Pace(step=True, ask=lambda: next(answers)))
    ticks = [line for line in out.getvalue().splitlines() if "  tick " in line]
    assert len(ticks) == 3
    assert next(answers, None) is None


def test_enter_goes_on_and_q_ends(
    treec: Treec, slipped: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("sys.stdin", io.StringIO("\nq\n"))
    out = treec("replay", slipped, "--step", "--from", "11").out
    assert [line.split()[2] for line in out.splitlines() if "  tick " in line] == ["4", "5"]
    monkeypatch.setattr("sys.stdin", io.StringIO(""))
    assert "  tick 1" in treec("replay", slipped, "--step").out


def test_a_run_that_broke_off_is_shown_as_far_as_it_went(treec: Treec, slipped: Path) -> None:
    journal = slipped / "journal.jsonl"
    text = journal.read_text("utf-8")
    journal.write_text(text[: text.index('"grasp(bowl): it slipped"')], "utf-8")
    result = treec("replay", slipped)
    assert result.status == 0
    assert "the last line is torn" in result.err
    assert result.out.rstrip().endswith("the run was interrupted, 5 ticks, 0:17")


def test_a_run_taken_up_again_counts_its_ticks_on(treec: Treec, tmp_path: Path) -> None:
    place = ("--fast", "-L", WAREHOUSE)
    treec("run", "warehouse", "-s", "direct_orders", "--runs", tmp_path, *place)
    (folder,) = tmp_path.iterdir()
    journal = folder / "journal.jsonl"
    lines = journal.read_text("utf-8").splitlines(keepends=True)
    last = next(n for n, line in enumerate(lines) if '"tick":4,' in line)
    journal.write_text("".join(lines[: last + 1]), "utf-8")
    assert treec("run", "--resume", folder, *place).status == 0
    numbers = [
        one["tick"]
        for one in json.loads(treec("replay", folder, "--output-format", "json").out)["happened"]
        if "tick" in one
    ]
    assert numbers == sorted(set(numbers))
    assert numbers[-1] > 4


def test_an_older_journal_still_tells_what_happened(treec: Treec, slipped: Path) -> None:
    journal = slipped / "journal.jsonl"
    kept = [
        json.loads(line)
        for line in journal.read_text("utf-8").splitlines()
        if json.loads(line)["kind"] not in ("tree", "ticked")
    ]
    for number, record in enumerate(kept, 1):
        record["n"] = number
    journal.write_text("".join(json.dumps(record) + "\n" for record in kept), "utf-8")
    result = treec("replay", slipped)
    assert result.status == 0
    assert "only events are shown" in result.err
    assert "✗ grasp(bowl): it slipped" in result.out
    assert "grasp(tin)  since 11 s" in treec("replay", slipped, "--at", "18").out


def test_the_last_run_is_meant_when_none_is_named(
    treec: Treec, slipped: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    runs = slipped.parent
    older = runs / "20200101-000000-dag_plan"
    older.mkdir()
    assert treec("replay", "--runs", runs).out == treec("replay", slipped).out
    gone = treec("replay", "--runs", tmp_path / "none")
    assert (gone.status, "no runs in" in gone.err) == (2, True)
    monkeypatch.chdir(older)  # no library, and no runs
    assert "no runs in runs; specify the folder of one" in treec("replay").err


@pytest.mark.parametrize(
    ("args", "says"),
    [
        (("nowhere",), "unknown run 'nowhere'"),
        (("docs",), "docs is not the folder of a run: it has no journal.jsonl"),
        (("README.md",), "README.md:1: not a line of JSON"),
        (("RUN", "--at", "noon"), "'noon' is not a moment: write seconds (12.5), minutes (1:05)"),
        (("RUN", "--at", "-3"), "'-3' is not a moment"),
        (("RUN", "--at", "3", "--speed", "2"), "--at shows one moment"),
        (("RUN", "--step", "--speed", "2"), "exclude each other"),
        (("RUN", "--output-format", "json", "--tree"), "excludes --speed, --step and --tree"),
    ],
)
def test_what_cannot_be_replayed(
    treec: Treec, slipped: Path, args: tuple[str, ...], says: str
) -> None:
    result = treec("replay", *(str(slipped) if arg == "RUN" else arg for arg in args))
    assert (result.status, result.out) == (2, "")
    assert says in result.err


@pytest.mark.parametrize("text", ["", "1:75", "#", "#-1", "1:2:3:4", "nan", "inf", "-0:10", "#1.5"])
def test_what_is_no_moment(text: str) -> None:
    with pytest.raises(ValueError, match=re.escape(f"'{text}' is not a moment")):
        moment(text)
