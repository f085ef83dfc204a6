"""Journals of every scenario are byte for byte what they were: a change of one is on purpose.

``TREEC_REWRITE=1 pytest -m '' tests/run/test_frozen_journals.py`` writes the sums anew; the commit
says which journals changed, and why.
"""

from __future__ import annotations

import hashlib
import os
from pathlib import Path

import pytest

from tests.support.library import ROOT
from treec.cli import main

SUMS = ROOT / "tests/data/journal_sums.txt"
"""A line a run: template or library, system, scenario, the journal's SHA-256."""
ROWS = [line.split() for line in SUMS.read_text("utf-8").splitlines()]


def run(place: str, system: str, scenario: str, folder: Path) -> str:
    """Run a scenario on virtual time and return its journal's check sum."""
    library = ROOT / place
    if place.startswith("template:"):
        library = folder / "my_robot"
        assert main(["init", str(library), "--from", place.removeprefix("template:")]) == 0
    runs = folder / "runs"
    command = ["run", system, "--scenario", scenario, "--fast", "--film", "0"]
    main([*command, "-L", str(library), "--runs", str(runs)])
    (journal,) = runs.glob("*/journal.jsonl")
    return hashlib.sha256(journal.read_bytes()).hexdigest()


@pytest.mark.thorough
@pytest.mark.needs_system("mosaic", "dag_plan", "helper")
@pytest.mark.parametrize("row", ROWS, ids=lambda row: "-".join(row[:3]).replace("/", "_"))
def test_a_journal_is_what_it_was(row: list[str], tmp_path: Path) -> None:
    place, system, scenario, kept = row
    now = run(place, system, scenario, tmp_path)
    if os.environ.get("TREEC_REWRITE") == "1":
        text = SUMS.read_text("utf-8")
        SUMS.write_text(text.replace(" ".join(row), f"{place} {system} {scenario} {now}"), "utf-8")
    else:
        assert now == kept, "if that is meant, see the top of this module"
