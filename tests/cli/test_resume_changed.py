"""A run is resumed with other files, another treec or another model: what differs is told."""

from __future__ import annotations

import json
import re
from importlib.metadata import version
from pathlib import Path
from typing import Any

import pytest

from tests.cli.conftest import Treec
from treec.team.events import AgentJoined
from treec.world.journal import Journal

NOTED = "trees/dispatcher.tree.yaml"


@pytest.fixture
def folder(treec: Treec, library: Path, tmp_path: Path) -> Path:
    """A run that was cut off after 60 records."""
    words = ("run", "warehouse", "-s", "morning_shift", "--fast", "--runs", tmp_path / "runs")
    treec(*words, "-L", library)
    (folder,) = (tmp_path / "runs").iterdir()
    journal = folder / "journal.jsonl"
    journal.with_name("journal.jsonl.sums").unlink()
    journal.write_bytes(b"".join(journal.read_bytes().splitlines(keepends=True)[:60]))
    return folder


def meta(folder: Path) -> dict[str, Any]:
    found: dict[str, Any] = json.loads((folder / "run.json").read_text("utf-8"))
    return found


def resumed(folder: Path) -> dict[str, Any]:
    """The data of the last record `resume`."""
    lines = (folder / "journal.jsonl").read_text("utf-8").splitlines()
    records = [json.loads(line) for line in lines]
    found: dict[str, Any] = [r["data"] for r in records if r["by"] == "resume"][-1]
    return found


def edit(file: Path, old: str, new: str) -> None:
    text = file.read_text("utf-8")
    assert old in text
    file.write_text(text.replace(old, new, 1), "utf-8")


def test_a_run_notes_what_it_is_made_with(folder: Path) -> None:
    noted = meta(folder)
    assert (noted["treec"], noted["models"]) == (version("treec"), [])
    kind, fingerprint = noted["files"][NOTED]
    assert kind == "tree"
    assert re.fullmatch("[0-9a-f]{16}", fingerprint)
    assert noted["files"]["warehouse/hysteresis.py"][0] == "python"
    assert "trees/scenarios/morning_shift.scenario.yaml" in noted["files"]
    assert "trees/scenarios/direct_orders.scenario.yaml" not in noted["files"]


def test_nothing_is_told_where_nothing_has_changed(
    treec: Treec, library: Path, folder: Path
) -> None:
    result = treec("run", "--resume", folder, "--fast", "-L", library)
    assert (result.status, result.err) == (0, "")
    assert "files" not in resumed(folder)


def test_changed_files_are_told_with_what_they_mean(
    treec: Treec, library: Path, folder: Path
) -> None:
    (library / NOTED).write_text((library / NOTED).read_text("utf-8") + "# edited\n", "utf-8")
    with open(library / "warehouse/hysteresis.py", "a", encoding="utf-8") as code:
        code.write("# edited\n")
    result = treec("run", "--resume", folder, "--fast", "-L", library)
    assert result.status == 0
    holds = "was changed: it holds from now on; the world is as recorded"
    assert result.err == f"treec: {NOTED} {holds}\ntreec: warehouse/hysteresis.py {holds}\n"
    assert resumed(folder)["files"] == [NOTED, "warehouse/hysteresis.py"]


def test_new_things_and_agents_are_added(treec: Treec, library: Path, folder: Path) -> None:
    scene = library / "envs/warehouse.scene.yaml"
    edit(scene, "objects:\n", "objects:\n  crate 99: {type: Crate, at: aisle 1}\n")
    result = treec("run", "--resume", folder, "--fast", "-L", library)
    assert result.status == 0, result.err
    told = "was changed: new things are added; what is known of the others is as recorded"
    assert f"envs/warehouse.scene.yaml {told}" in result.err
    events = [(e["kind"], e["data"].get("args")) for e in resumed(folder)["events"]]
    assert [args for kind, args in events if kind == "fact.set"] == [["crate 99"]]


def test_an_agent_cannot_leave(treec: Treec, library: Path, folder: Path) -> None:
    journal = Journal.resume(folder / "journal.jsonl")
    journal.append(AgentJoined("Carrier", False), "test", 20.0)
    journal.close()
    before = (folder / "journal.jsonl").read_bytes()
    result = treec("run", "--resume", folder, "--fast", "-L", library)
    assert result.status == 2
    assert (
        "cannot be resumed with these files: they no longer have the agents Carrier" in result.err
    )
    assert (folder / "journal.jsonl").read_bytes() == before


def test_another_treec_and_other_models_are_told(treec: Treec, library: Path, folder: Path) -> None:
    noted = {**meta(folder), "treec": "0.0.1", "models": ["openai/gpt-4o"]}
    (folder / "run.json").write_text(json.dumps(noted), "utf-8")
    result = treec("run", "--resume", folder, "--fast", "-L", library)
    assert result.err == (
        f"treec: begun with treec 0.0.1, goes on with {version('treec')}\n"
        "treec: begun with openai/gpt-4o, goes on with no model\n"
    )
    assert (meta(folder)["treec"], meta(folder)["models"]) == (version("treec"), [])


def test_a_run_without_these_notes_is_resumed(treec: Treec, library: Path, folder: Path) -> None:
    (folder / "run.json").unlink()
    result = treec("run", "--resume", folder, "--fast", "-L", library)
    assert (result.status, result.err) == (0, "")
