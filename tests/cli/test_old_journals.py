"""Journals written before events were typed: they are read, replayed and taken up as before.

The files in tests/data/journals were written by the treec of November 2026 (0df7a90). The same
runs give the same records today, but for what nodes remember and the numbers of the rules that
decide, which are recorded since; and but for one whose words are heard by templates since: they
quote more of what was said.
"""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft7Validator

from tests.cli.conftest import Treec
from treec.run.summary import summarize
from treec.world.events import Event, UnknownEvent, encode, event_classes, flat
from treec.world.journal import read_journal
from treec.world.schema import journal_schema
from treec.world.values import freeze

ROOT = Path(__file__).parents[2]
JOURNALS = sorted((ROOT / "tests/data/journals").glob("*.jsonl"))
SCENARIOS = {
    "mosaic_fruit_salad": ("mosaic", "fruit_salad"),
    "mosaic_slippery": ("mosaic", "slippery"),
    "dag_plan_slipped": ("dag_plan", "slipped"),
    "dag_plan_arm_drops_out": ("dag_plan", "arm_drops_out"),
}


WITH_SYSTEMS = [
    pytest.param(path, marks=pytest.mark.needs_system(SCENARIOS[path.stem][0]), id=path.stem)
    for path in JOURNALS
]


@pytest.mark.parametrize("journal", WITH_SYSTEMS)
def test_every_record_is_a_typed_event_that_writes_the_same_data(journal: Path) -> None:
    text = []
    for record in read_journal(journal):
        text.append(record.line())
        for event in flat(record.event):
            assert isinstance(event, Event)
            assert not isinstance(event, UnknownEvent), event.problem
        assert freeze(encode(record.event)) == record.data
    assert "".join(text) == journal.read_text("utf-8")


@pytest.mark.parametrize("journal", [one for one in WITH_SYSTEMS if one.id != "mosaic_slippery"])
@pytest.mark.few(1)
def test_the_same_run_does_the_same_today(treec: Treec, tmp_path: Path, journal: Path) -> None:
    system, scenario = SCENARIOS[journal.stem]
    result = treec("run", system, "-s", scenario, "--fast", "--runs", tmp_path, "-L", ROOT)
    assert result.status == 0, result.err
    (made,) = tmp_path.glob("*/journal.jsonl")
    now, then = without_additions(made), without_additions(journal)
    for one, before in zip(now, then, strict=True):
        if one["by"] == "scene":  # the kitchen has more things today
            one["events"] = [event for event in one["events"] if event in before["events"]]
    assert now == then


def without_additions(journal: Path) -> list[dict[str, Any]]:
    """Its records without what nodes remember, and without the numbers of ticks and rules."""
    found = []
    for record in map(json.loads, journal.read_text("utf-8").splitlines()):
        data = record["data"]
        if record["kind"] == "ticked":
            data = {"to": data["to"]}
        data.pop("rule", None)
        for action in data.get("actions", ()):
            action.pop("rule", None)
        if data.get("to") != {}:
            found.append({"t": record["t"], "kind": record["kind"], "by": record["by"], **data})
    return found


def test_it_is_reported_and_replayed_as_before(treec: Treec, tmp_path: Path) -> None:
    totals = summarize(read_journal(ROOT / "tests/data/journals/dag_plan_slipped.jsonl"))
    assert (totals.end, totals.ok, totals.seconds) == ("done", True, 82.0)
    assert [failure.what for failure in totals.failed] == [
        'grasp "bowl"',
        'grasp "bowl"',
        'switch_on "microwave"',
    ]
    folder = tmp_path / "run"
    folder.mkdir()
    shutil.copy(ROOT / "tests/data/journals/dag_plan_slipped.jsonl", folder / "journal.jsonl")
    lines = treec("replay", folder).out.splitlines()
    assert "17.3  right      ✗ grasp(bowl): it slipped" in [line.strip() for line in lines]
    assert treec("report", folder, "-o", tmp_path / "x.html").status == 0


@pytest.mark.needs_system("mosaic")
def test_it_is_taken_up_where_it_broke_off(treec: Treec, tmp_path: Path) -> None:
    folder = tmp_path / "run"
    treec("run", "mosaic", "-s", "fruit_salad", "--fast", "--runs", tmp_path / "runs", "-L", ROOT)
    (made,) = (tmp_path / "runs").iterdir()
    shutil.copytree(made, folder)
    old = (ROOT / "tests/data/journals/mosaic_fruit_salad.jsonl").read_text("utf-8")
    half = "".join(old.splitlines(keepends=True)[:60])
    (folder / "journal.jsonl").write_text(half, "utf-8")
    (folder / "journal.jsonl.sums").unlink()
    result = treec("run", "--resume", folder, "--fast", "-L", ROOT)
    assert result.status == 0, result.err
    assert (folder / "journal.jsonl").read_text("utf-8").startswith(half)


@pytest.mark.thorough
def test_the_schema_that_the_repository_holds_accepts_them() -> None:
    shipped = [c for c in event_classes().values() if c.__module__.startswith(("treec.", "treec_"))]
    schema = journal_schema(shipped)
    file = ROOT / ".treec/schemas/journal.schema.json"
    assert json.loads(file.read_text("utf-8")) == schema, "run 'treec schema --write'"
    validator = Draft7Validator(schema)
    for journal in JOURNALS:
        for line in journal.read_text("utf-8").splitlines():
            assert not [error.message for error in validator.iter_errors(json.loads(line))]
    wrong = {"n": 1, "t": 0.0, "kind": "fact.set", "by": "x", "data": {"fact": 3}}
    (error,) = validator.iter_errors(wrong)
    assert "3 is not of type 'string'" in error.message
    assert not list(validator.iter_errors({**wrong, "v": 2}))  # nobody knows that version
    inner = {**wrong, "kind": "commit", "data": {"events": [{"kind": "fact.set", "data": {}}]}}
    assert [error.message for error in validator.iter_errors(inner)] == [
        "'fact' is a required property"
    ]
