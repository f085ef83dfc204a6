from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest

from tests.cli.conftest import Treec

ROOT = Path(__file__).parents[2]


@pytest.fixture
def root(tmp_path: Path) -> Path:
    """The warehouse, heard by files alone."""
    root = tmp_path / "warehouse"
    shutil.copytree(ROOT / "templates" / "warehouse", root)
    return root


def test_words_are_shown_with_their_template(root: Path, treec: Treec) -> None:
    done = treec("hear", "Hauler, fetch crate 17 first, bla bla.", "-L", root)
    assert done.status == 0, done
    assert done.out.splitlines() == [
        'request agent: "Hauler", task: "fetch", args: {"crate": "crate 17"}, first: true',
        '    words     "Hauler, fetch crate 17 first"',
        "    template  {agent} [please] {task} first [please]",
        'not understood: "bla bla"',
    ]


def test_a_condition_holds_an_order_back(root: Path, treec: Treec) -> None:
    done = treec("hear", "If you can, fetch crate 17", "-L", root, "--output-format", "json")
    assert done.status == 1
    data = json.loads(done.out)
    assert data["acts"] == []
    assert data["held_back"] == ["request"]


def test_leaving_a_thing_alone_is_no_order(root: Path, treec: Treec) -> None:
    assert treec("hear", "leave the label printer alone", "-L", root).status == 1


def test_a_library_without_templates_is_told(treec: Treec) -> None:
    done = treec("hear", "hello", "--system", "mosaic")
    assert done.status == 2
    assert "no reading of the system 'mosaic' has templates" in done.err


def test_the_warehouse_runs_with_files_alone(root: Path, treec: Treec) -> None:
    done = treec("run", "warehouse", "--scenario", "morning_shift", "-L", root)
    assert done.status == 0, done


def test_an_unknown_system_is_told_with_the_nearest(root: Path, treec: Treec) -> None:
    done = treec("hear", "hello", "--system", "warehous", "-L", root)
    assert (done.status, done.err) == (
        2,
        "treec: there is no system 'warehous': did you mean 'warehouse'?\n",
    )
