"""Disturbances that any run can have: `--disturb TIME: FACT`."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.cli.conftest import ROOT, Treec
from treec.files.library import load_library
from treec.files.view import View
from treec.run.disturbances import InvalidDisturbance, read_disturbances
from treec.world.journal import read_journal

RUN = ("run", "mosaic", "--scenario", "caesar_salad", "--env", "symbolic", "--fast", "--offline")


@pytest.fixture(scope="module")
def view() -> View:
    library = load_library(ROOT)
    system = library.find("system", "mosaic")
    assert system is not None
    return View(library, system)


def test_disturbances_are_events_one_after_the_other(view: View) -> None:
    texts = ("1m: at(salt) == none", "30s: at(pepper) == none, fallen(pepper)")
    first, second = read_disturbances(texts, view)
    assert (first.after, first.facts) == (30, ["at(pepper) == none", "fallen(pepper)"])
    assert (second.after, second.facts) == (30, ["at(salt) == none"])


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("at(pepper) == none", "write TIME: FACT, such as 30s: at(parcel) == none"),
        ("30s:", "write TIME: FACT"),
        ("soon: at(pepper) == none", "'soon' is not a duration"),
        ("30s: att(pepper) == none", "there is no fact 'att'; did you mean 'at'?"),
        ("30s: at(peppr) == none", "there is no thing 'peppr'; did you mean 'pepper'?"),
        ("30s: at(pepper) == tabel", "there is no thing 'tabel'; did you mean 'table'?"),
        ("30s: at(pepper, salt) == none", "with 1 and not 2 things"),
        ("30s: at(pepper) > 3", "an effect sets a fact with one '=='"),
    ],
)
def test_what_cannot_be_is_told_before_anything_begins(view: View, text: str, problem: str) -> None:
    with pytest.raises(InvalidDisturbance) as caught:
        read_disturbances((text,), view)
    assert f"the disturbance '{text}': " in str(caught.value)
    assert problem in str(caught.value)


@pytest.mark.thorough
def test_a_run_with_a_disturbance_notices_it(treec: Treec, tmp_path: Path) -> None:
    result = treec(*RUN, "--disturb", "5s: at(pepper) == none", "--runs", tmp_path, "-L", ROOT)
    (journal,) = tmp_path.glob("*/journal.jsonl")
    records = list(read_journal(journal))
    assert records[0].data["disturb"] == ("5s: at(pepper) == none",)
    (there,) = [record for record in records if record.by == "disturbance"]
    assert there.t == 5, result.out + result.err


def test_an_impossible_disturbance_is_refused(treec: Treec, tmp_path: Path) -> None:
    result = treec(*RUN, "--disturb", "5s: at(peper) == none", "--runs", tmp_path, "-L", ROOT)
    assert result.status == 2
    assert "there is no thing 'peper'; did you mean 'pepper'?" in result.err
    assert not list(tmp_path.iterdir())


def test_a_lone_tree_has_no_things_to_disturb(treec: Treec, tmp_path: Path) -> None:
    tree = tmp_path / "idle.tree.yaml"
    tree.write_text("tree: idle\nroot: {wait: 20s}\n", "utf-8")
    runs = tmp_path / "runs"
    result = treec("run", tree, "--fast", "--disturb", "5s: at(x) == none", "--runs", runs)
    assert (result.status, "there is no fact 'at'" in result.err) == (2, True), result.err


@pytest.mark.parametrize("cut_at", [10, 40])
@pytest.mark.few(1)
def test_a_resumed_run_has_what_is_still_to_come_at_its_time(
    treec: Treec, tmp_path: Path, cut_at: float
) -> None:
    both = ("--disturb", "50s: at(salt) == none", "--disturb", "20s: at(pepper) == none")
    treec(*RUN, *both, "--runs", tmp_path, "-L", ROOT)
    (journal,) = tmp_path.glob("*/journal.jsonl")
    kept = [record.n for record in read_journal(journal) if record.t <= cut_at]
    lines = journal.read_text("utf-8").splitlines(keepends=True)
    journal.write_text("".join(lines[: kept[-1]]), "utf-8")
    treec("run", "--resume", journal.parent, "--fast", "--offline", "-L", ROOT)
    at = [record.t for record in read_journal(journal) if record.by == "disturbance"]
    assert at == [20, 50]
