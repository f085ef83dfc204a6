"""`treec run`: a scenario from the command line, and a run as a function of its inputs."""

from __future__ import annotations

import errno
import io
import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from tests.cli.conftest import WAREHOUSE, Treec
from treec.cli import main

MORNING = ("run", "warehouse", "--scenario", "morning_shift", "--fast", "-L", str(WAREHOUSE))


def journal(runs: Path) -> list[dict[str, Any]]:
    (file,) = runs.glob("*/journal.jsonl")
    return [json.loads(line) for line in file.read_text("utf-8").splitlines()]


def events(records: list[dict[str, Any]]) -> list[dict[str, Any]]:
    flat: list[dict[str, Any]] = []
    for record in records:
        flat += record["data"]["events"] if record["kind"] == "commit" else [record]
    return flat


def test_orders_are_shared_out_stopped_and_finished(treec: Treec, tmp_path: Path) -> None:
    result = treec(*MORNING, "--runs", tmp_path)
    assert result.status == 0, result.out + result.err
    happened = events(journal(tmp_path))
    did = [e["data"]["subtask"] for e in happened if e["kind"] == "subtask.done"]
    assert sorted(did) == sorted(set(did))
    assert {"inspect crate 40", "fetch crate 31"} <= set(did)
    given = {e["data"]["agent"] for e in happened if e["kind"] == "assigned"}
    assert given == {"Hauler", "Scout"}
    kinds = [a["kind"] for e in happened if e["kind"] == "acts.read" for a in e["data"]["acts"]]
    assert {"choose", "stop", "resume", "ask", "accept"} <= set(kinds)
    assert [e["data"]["agent"] for e in happened if e["kind"] == "agent.interrupted"] == ["Hauler"]
    assert "as expected" in result.out
    assert str(next(tmp_path.iterdir()).name) in result.out


def test_stop_ends_the_skill_at_the_instant_in_which_it_is_read(
    treec: Treec, tmp_path: Path
) -> None:
    treec(*MORNING, "--runs", tmp_path)
    records = journal(tmp_path)
    stop = next(r for r in records if r["kind"] == "said" and r["data"]["text"] == "Hauler, stop!")
    cut = next(r for r in records if r["kind"] == "skill.ended" and r["data"].get("cancelled"))
    assert cut["t"] == stop["t"]
    assert cut["n"] > stop["n"]


def test_nobody_gets_work_unasked(treec: Treec, tmp_path: Path) -> None:
    treec(*MORNING, "--runs", tmp_path)
    proposed: set[tuple[str, str]] = set()
    agreed: set[str] = set()
    for record in journal(tmp_path):
        for event in events([record]):
            data = event["data"]
            if event["kind"] == "proposed":
                proposed.add((data["agent"], data["subtask"]))
            elif event["kind"] == "acts.read":
                agreed |= {a["kind"] for a in data["acts"]} & {"accept", "request"}
            elif event["kind"] == "assigned":
                assert agreed, record["t"]


@pytest.mark.thorough
def test_the_same_scenario_and_seed_give_the_same_journal_in_every_process(
    tmp_path: Path,
) -> None:
    texts = []
    command = list(MORNING)
    for number in ("0", "1", "77"):
        runs = tmp_path / number
        subprocess.run(
            [sys.executable, "-m", "treec", *command, "--runs", str(runs)],
            env={**os.environ, "PYTHONHASHSEED": number},
            cwd=tmp_path,
            check=True,
            capture_output=True,
            timeout=120,
        )
        (file,) = runs.glob("*/journal.jsonl")
        texts.append(file.read_bytes())
    assert texts[0] == texts[1] == texts[2]
    assert len(texts[0].splitlines()) > 100


@pytest.mark.parametrize(
    ("args", "status", "told"),
    [
        (("run", "warehuose"), 2, "did you mean 'warehouse'"),
        (("run", "warehouse", "-s", "moning_shift"), 2, "did you mean 'morning_shift'"),
        (("run", "warehouse", "--chat", "-s", "morning_shift"), 2, "exclude each other"),
        (("run",), 2, ""),
    ],
)
def test_what_cannot_run(
    treec: Treec, tmp_path: Path, args: tuple[str, ...], status: int, told: str
) -> None:
    result = treec(*args, *(("--runs", tmp_path, "-L", WAREHOUSE) if len(args) > 1 else ()))
    assert result.status == status
    assert told in result.err


def test_a_run_that_cannot_be_kept(treec: Treec, tmp_path: Path) -> None:
    file = tmp_path / "taken"
    file.write_text("", "utf-8")
    result = treec(*MORNING, "--runs", file)
    assert result.status == 2
    assert result.err.startswith(f"treec: cannot write to {file}: ")


def test_a_library_with_errors_does_not_run(treec: Treec, library: Path) -> None:
    file = library / "prompts/dispatch.decision.yaml"
    file.write_text(file.read_text("utf-8").replace("offline:", "ofline:", 1), "utf-8")
    result = treec(*MORNING[:-1], library)
    assert result.status == 1
    assert "did you mean 'offline'" in result.out
    assert not (library / "runs").exists()


@pytest.mark.thorough
def test_watching_changes_nothing_while_nobody_edits(treec: Treec, tmp_path: Path) -> None:
    texts = []
    for runs, more in ((tmp_path / "a", ()), (tmp_path / "b", ("--watch",))):
        treec(*MORNING, *more, "--runs", runs)
        texts.append(next(runs.glob("*/journal.jsonl")).read_bytes())
    assert texts[0] == texts[1]


def test_no_library_here(treec: Treec, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    result = treec("check")
    assert result.status == 2
    assert "treec.toml" in result.err


class Unread(io.StringIO):
    """An output whose reader leaves after two lines."""

    def write(self, text: str) -> int:
        if self.getvalue().count("\n") >= 2:
            raise BrokenPipeError(errno.EPIPE, "Broken pipe")
        return super().write(text)


def test_a_run_whose_output_nobody_reads_is_stopped_and_can_be_resumed(
    treec: Treec,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    with monkeypatch.context() as patch:
        patch.setattr(sys, "stdout", Unread())
        status = main([*MORNING, "--runs", str(tmp_path)])
    assert status == 141
    (folder,) = tmp_path.iterdir()
    assert capsys.readouterr().err == (
        "treec: the run was ended, since nobody reads its output any more\n"
        f"to go on: treec run --resume {folder}\n"
    )
    happened = events(journal(tmp_path))
    end = happened[-1]
    assert (end["kind"], end["data"]["reason"]) == ("run.end", "stopped")
    assert not [e for e in happened if e["kind"] == "node.raised"]
    resumed = treec("run", "--resume", folder, "--fast", "-L", WAREHOUSE)
    assert resumed.status == 0, resumed.out + resumed.err


@pytest.mark.parametrize("command", [["check"], ["packs"], ["schema", "tree"]])
def test_any_command_whose_output_nobody_reads_ends_quietly(
    command: list[str], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(Unread, "getvalue", lambda self: "\n\n")
    monkeypatch.setattr(sys, "stdout", Unread())
    monkeypatch.chdir(WAREHOUSE)
    assert main(command) == 141
    assert capsys.readouterr().err == ""


def test_work_is_taken_back_and_not_dropped(
    treec: Treec, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    words = "Start the morning orders.\nyes\n/wait 3s\nScout, leave that to somebody else.\n"
    monkeypatch.setattr(sys, "stdin", io.StringIO(words))
    result = treec(
        "run", "warehouse", "--chat", "--fast", "-L", WAREHOUSE, "--runs", tmp_path
    )  # fmt: skip
    assert "– taken back: inspect crate 12" in result.out
    assert "For somebody else now: inspect crate 12." in result.out
    happened = events(journal(tmp_path))
    (released,) = [e["data"] for e in happened if e["kind"] == "subtask.released"]
    assert released["subtasks"] == ["inspect crate 12"]
    stopped = [e["data"] for e in happened if e["kind"] == "skill.ended" and not e["data"]["ok"]]
    assert [(e["agent"], e["cancelled"]) for e in stopped] == [("Scout", True)]
    assert not [e for e in happened if e["kind"] in ("subtask.dropped", "subtask.failed")]
    proposed = [
        (e["data"]["agent"], e["data"]["subtask"]) for e in happened if e["kind"] == "proposed"
    ]
    assert proposed == [("Scout", "inspect crate 12"), ("Scout", "inspect crate 31")]


def test_the_warehouse_does_not_propose_again_what_was_refused(
    treec: Treec, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "stdin", io.StringIO("Start the morning orders.\nno\n/wait 30s\n"))
    treec("run", "warehouse", "--chat", "--fast", "-L", WAREHOUSE, "--runs", tmp_path)
    proposed = [e["data"]["subtask"] for e in events(journal(tmp_path)) if e["kind"] == "proposed"]
    assert proposed == ["inspect crate 12", "inspect crate 31"]
