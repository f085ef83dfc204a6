"""``python -m experiments.mosaic.planner`` as a user calls it."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.experiments.conftest import Experiment

SMALL = ("--recipes", 1, "--n", 1)


@pytest.mark.thorough
def test_the_table(experiment: Experiment, library: Path, tmp_path: Path) -> None:
    figure, kept = tmp_path / "figure.svg", tmp_path / "kept"
    done = experiment(
        "mosaic.planner", "-L", library, *SMALL, "-j", 1, "-o", figure, "--keep", kept
    )
    assert done.status == 0, done.err
    assert "tree offline, contracts on" in done.out
    assert "not run: no model is configured" in done.out
    assert "paper: Tree" in done.out
    assert "4 runs in" in done.err
    assert figure.read_text("utf-8").startswith("<svg")
    assert len(list(kept.glob("offline/*/*/journal.jsonl"))) == 2
    assert len(list(kept.glob("*/*/*/intents.jsonl"))) == 4
    again = experiment("mosaic.planner", "-L", library, *SMALL, "--keep", kept)
    assert (again.status, "not empty" in again.err) == (2, True)


@pytest.mark.slow
def test_the_number_of_processes_changes_nothing(experiment: Experiment, library: Path) -> None:
    call = ("mosaic.planner", "-L", library, *SMALL, "--output-format", "json", "-j")
    one, two = experiment(*call, 1), experiment(*call, 2)
    assert one.status == two.status == 0, one.err + two.err
    assert json.loads(one.out) == json.loads(two.out)
    assert one.out == two.out


@pytest.mark.slow
def test_the_page_is_written_between_its_markers(experiment: Experiment, library: Path) -> None:
    call = ("mosaic.planner", "-L", library, *SMALL, "-j", 1, "--write")
    missing = experiment(*call)
    assert (missing.status, "no such file" in missing.err) == (2, True)
    page = library / "docs" / "results" / "planner.md"
    page.parent.mkdir(parents=True)
    page.write_text(
        "# Head\n\n<!-- measured: python -m experiments.mosaic.planner --write -->\nold\n"
        "<!-- end of measured -->\n\ntail\n",
        "utf-8",
    )
    assert experiment(*call).status == 0
    text = page.read_text("utf-8")
    assert text.startswith("# Head\n")
    assert text.endswith("tail\n")
    assert "old" not in text
    assert "python -m experiments.mosaic.planner --seed 0 --recipes 1 --n 1" in text
    assert (library / "docs" / "pictures" / "evaluation_planner.svg").is_file()


@pytest.mark.thorough
def test_what_cannot_be(experiment: Experiment, library: Path) -> None:
    wrong = experiment("mosaic.planner", "-L", library, "-o", "figure.png")
    assert (wrong.status, ".svg" in wrong.err) == (2, True)
    nobody = experiment("mosaic.planner", "-L", library, "--system", "nobody")
    assert (nobody.status, "unknown system" in nobody.err) == (2, True)
