from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.support.bench import Bench, library
from tests.support.files import WORKER, tree
from tests.team.test_team import replayed
from treec.files.view import View
from treec.nodes.leaves.log import Log
from treec.run.loop import LoopError
from treec.run.run import CannotRun, Run
from treec.world.clock import VirtualClock
from treec.world.journal import Journal, read_journal
from treec.world.spec import RunSpec

ROOT = """\
parallel:
  until: never
  children:
    - reactive_sequence:
        - read: Talk
        - do: Obey
    - {tree: worker, for: agent in robots, with: {agent: $agent}}
"""
FILES = {
    **tree(ROOT),
    "pack/worker.tree.yaml": WORKER,
    "pack/Obey.action.yaml": """\
action: Obey
about: Do as one is told.
sees: [acts]
may: [assign, interrupt]
offline:
  - for: r in acts.request
    do: [{assign: {agent: $r.agent, subtasks: [$r.task], because: $r}}]
  - {for: s in acts.stop, do: [{interrupt: {agent: $s.agent, because: $s}}]}
""",
    "pack/s.scenario.yaml": """\
scenario: s
system: test
seed: 3
user:
  - says: "R1: get pepper"
  - says: "R2: get salt"
  - {when: "status('get salt') == 'running'", says: stop R2, after: 6s}
faults:
  - fail place(item=pepper) always chance 50%: dropped it
expect: {finally: "status('R2') == 'Interrupted'", within: 40s}
""",
}


def run(folder: Path, seed: int | None = None) -> tuple[Run, Journal]:
    found = library(folder, FILES)
    journal = Journal.in_memory()
    view = View(found, found.find("system", "test"))
    made = Run(view, VirtualClock(), journal, RunSpec(scenario="s", seed=seed))
    made.go()
    return made, journal


def test_the_same_scenario_and_seed_give_the_same_journal(tmp_path: Path) -> None:
    texts = [run(tmp_path / name)[1].text() for name in "ab"]
    assert texts[0] == texts[1]
    assert "cancelled" in texts[0]
    assert run(tmp_path / "c", seed=4)[1].text() != texts[0]


CHILD = """
import sys
from pathlib import Path
from tests.run.test_run import run
sys.stdout.write(run(Path(sys.argv[1]))[1].text())
"""


@pytest.mark.thorough
def test_also_in_two_processes_that_hash_differently(tmp_path: Path) -> None:
    texts = [
        subprocess.run(
            [sys.executable, "-c", CHILD, str(tmp_path / seed)],
            env={**os.environ, "PYTHONHASHSEED": seed},
            capture_output=True,
            check=True,
            timeout=300,
        ).stdout
        for seed in ("1", "2")
    ]
    assert texts[0] == texts[1]
    assert texts[0].count(b"\n") > 20


def test_replaying_the_journal_gives_the_same_world(tmp_path: Path) -> None:
    b = Bench(tmp_path, FILES, scenario="s")
    b.pass_time(60)
    assert b.told("skill.ended")
    assert replayed(b) == b.world.state


def test_an_end_that_cannot_be_judged_yet_has_not_come(tmp_path: Path) -> None:
    scenario = (
        "scenario: s\nsystem: test\nuser: [{says: hello}]\n"
        "expect: {finally: \"done('get pepper')\", within: 20s}\n"
    )
    b = Bench(tmp_path, {**FILES, "pack/s.scenario.yaml": scenario}, scenario="s")
    outcome = b.run.go()
    assert not outcome.ok
    assert b.told("run.end")[0].data["ok"] is False


def test_a_run_that_breaks_off_says_so_in_its_journal(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(self: Log) -> None:
        raise RuntimeError("a bug in treec")

    monkeypatch.setattr(Log, "update", broken)
    files = tree("log: again")
    found = library(tmp_path, files)
    path = tmp_path / "journal.jsonl"
    view = View(found, found.find("system", "test"))
    made = Run(view, VirtualClock(), Journal.create(path))
    with pytest.raises(LoopError):
        made.go()
    last = list(read_journal(path))[-1]
    assert (last.kind, last.data["reason"], last.data["ok"]) == ("run.end", "error", False)


def test_what_does_not_fit_together_does_not_run(tmp_path: Path) -> None:
    found = library(tmp_path, FILES)
    with pytest.raises(CannotRun, match="only a system"):
        Run(View(found), VirtualClock(), Journal.in_memory())


def test_shutting_down_stops_the_skills_and_says_so(tmp_path: Path) -> None:
    scenario = (
        "scenario: s\nsystem: test\nuser: [{says: 'R1: get pepper'}]\n"
        "expect: {within: 3s, finally: false}\n"
    )
    b = Bench(tmp_path, {**FILES, "pack/s.scenario.yaml": scenario}, scenario="s")
    assert b.run.go().reason == "deadline"
    assert b.told("skill.ended")[0].data["cancelled"]


@pytest.mark.parametrize(
    ("root", "ok", "why"),
    [
        ("check: false", False, "not so: false"),
        ("check: true", True, ""),
        ("sequence: [{wait: 1s}, {check: 1 > 2}]", False, "not so: 1 > 2"),
        ("selector: [{check: false}, {log: on}]", True, ""),
    ],
)
def test_where_nothing_is_expected_a_tree_that_has_failed_is_not_as_expected(
    tmp_path: Path, root: str, ok: bool, why: str
) -> None:
    found = library(tmp_path, {**FILES, **tree(f"{root}\n")})
    view = View(found, found.find("system", "test"))
    outcome = Run(view, VirtualClock(), Journal.in_memory(), RunSpec()).go()
    assert (outcome.reason, outcome.ok, outcome.why) == ("idle", ok, why)
