"""`treec run --env`: the same system in another environment."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tests.cli.conftest import Result, Treec
from tests.run.test_environments import GET, kitchen
from tests.support.bench import library
from tests.support.small_world import BIG, SmallWorld, install

SCENARIO = """\
scenario: fetched
system: test
expect: {finally: at('pepper') == 'R1', within: 60s}
"""


@pytest.fixture(autouse=True)
def small(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    points = f"small = {SmallWorld.__module__}:open_small\nbig = tests.support.needs_big:x"
    install(tmp_path, monkeypatch, points, BIG)
    SmallWorld.made.clear()


def run(treec: Treec, folder: Path, files: dict[str, str], *options: object) -> Result:
    library(folder, {**files, "pack/fetched.scenario.yaml": SCENARIO})
    for unused in ("Steps.program", "Talk.reading"):
        (folder / "pack" / f"{unused}.yaml").unlink()
    where = ("-L", folder, "--runs", folder / "runs")
    return treec("run", "test", "--scenario", "fetched", "--fast", *where, *options)


def begun(folder: Path) -> dict[str, Any]:
    (journal,) = (folder / "runs").glob("*/journal.jsonl")
    first = json.loads(journal.read_text("utf-8").splitlines()[0])
    data: dict[str, Any] = first["data"]
    return data


def test_the_run_is_in_that_environment_and_its_journal_says_so(
    treec: Treec, tmp_path: Path
) -> None:
    result = run(treec, tmp_path, kitchen(GET), "--env", "small")
    assert result.status == 0, result.out + result.err
    (world,) = SmallWorld.made
    assert world.closed
    assert world.setup.folder is not None
    assert world.setup.folder.parent == tmp_path / "runs"
    assert begun(tmp_path)["env"] == "small"


@pytest.mark.parametrize(
    ("options", "film"), [((), None), (("--film", 0.1), 0.1), (("--film", 0), 0)]
)
def test_a_film_is_kept_as_often_as_one_asks(
    options: tuple[object, ...], film: float | None, treec: Treec, tmp_path: Path
) -> None:
    run(treec, tmp_path, kitchen(GET), "--env", "small", *options)
    (world,) = SmallWorld.made
    assert world.setup.film == film


def test_without_it_the_system_says_where(treec: Treec, tmp_path: Path) -> None:
    assert run(treec, tmp_path, kitchen(GET)).status == 0
    assert SmallWorld.made == []
    assert "env" not in begun(tmp_path)


def test_an_unknown_one_is_told_with_those_there_are(treec: Treec, tmp_path: Path) -> None:
    result = run(treec, tmp_path, kitchen(GET), "--env", "smal")
    assert result.status == 2
    assert "unknown environment 'smal'; did you mean 'small'?" in result.err
    assert not (tmp_path / "runs").exists()


def test_one_that_is_not_installed_is_told_with_the_command(treec: Treec, tmp_path: Path) -> None:
    result = run(treec, tmp_path, kitchen(GET), "--env", "big")
    assert result.status == 2
    assert "pip install 'small[big]'" in result.err


def test_skills_without_a_worker_there_are_named_and_the_run_begins(
    treec: Treec, tmp_path: Path
) -> None:
    files = kitchen(GET)
    del files["pack/place.skill.yaml"]
    result = run(treec, tmp_path, files, "--env", "small")
    assert result.status == 0
    assert "treec: no worker for small: place" in result.err


def test_a_system_without_any_worker_there_does_not_begin(treec: Treec, tmp_path: Path) -> None:
    files = {name: text for name, text in kitchen(GET).items() if "skill" not in name}
    result = run(treec, tmp_path, files, "--env", "small")
    assert result.status == 2
    assert "no skill of the system 'test' has a worker for 'small'" in result.err


def test_a_run_that_is_taken_up_goes_on_in_its_environment(treec: Treec, tmp_path: Path) -> None:
    assert run(treec, tmp_path, kitchen(GET), "--env", "small").status == 0
    (journal,) = (tmp_path / "runs").glob("*/journal.jsonl")
    lines = journal.read_text("utf-8").splitlines(keepends=True)
    cut = next(i for i, line in enumerate(lines) if '"skill.started"' in line)
    journal.write_text("".join(lines[: cut + 1]), "utf-8")
    SmallWorld.made.clear()
    result = treec("run", "--resume", journal.parent, "--fast", "-L", tmp_path)
    assert result.status == 0, result.out + result.err
    (world,) = SmallWorld.made
    assert world.setup.name == "small"
