"""`treec check` and `treec explain`: everything that is wrong, in one run, where it is."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.cli.conftest import ROOT, Treec


def edit(library: Path, path: str, old: str, new: str) -> None:
    file = library / path
    text = file.read_text("utf-8")
    assert old in text
    file.write_text(text.replace(old, new, 1), "utf-8")


@pytest.fixture
def broken(library: Path) -> Path:
    """Slips of three kinds in three files."""
    edit(library, "trees/robot_worker.tree.yaml", "queue(agent)", "quue(agent)")
    edit(library, "prompts/dispatch.decision.yaml", "offline:", "ofline:")
    edit(
        library, "trees/orders/morning_orders.recipe.yaml", "inspect crate 12:", "inspekt crate 12:"
    )
    return library


def test_the_projects_own_library_is_right(treec: Treec) -> None:
    result = treec("check", "--library", ROOT)
    assert result.status == 0, result.out
    assert "nothing is wrong" in result.out


def test_all_slips_in_one_run_sorted_each_at_its_place(treec: Treec, broken: Path) -> None:
    result = treec("check", "--library", broken)
    assert result.status == 1
    heads = [line for line in result.out.splitlines() if ": error TC" in line]
    places = [head.split(": ")[0].split(":") for head in heads]
    assert places == sorted(places, key=lambda p: (p[0], int(p[1]), int(p[2])))
    paths = {place[0] for place in places}
    assert {
        "trees/robot_worker.tree.yaml",
        "prompts/dispatch.decision.yaml",
        "trees/orders/morning_orders.recipe.yaml",
    } <= paths
    assert "did you mean 'queue'?" in result.out
    assert "did you mean 'offline'?" in result.out
    line = next(x for x in result.out.splitlines() if "quue(agent)" in x and "|" in x)
    under = result.out.splitlines()[result.out.splitlines().index(line) + 1]
    assert line[under.index("^") :].startswith("quue")


def test_the_same_as_json(treec: Treec, broken: Path) -> None:
    result = treec("check", "--library", broken, "--output-format", "json")
    assert result.status == 1
    items = json.loads(result.out)
    keys = {"code", "severity", "path", "line", "column", "end_line", "end_column"}
    assert all(set(item) == keys | {"message", "help"} for item in items)
    (slip,) = [item for item in items if "ofline" in item["message"]]
    text = (broken / slip["path"]).read_text("utf-8").splitlines()[slip["line"] - 1]
    assert text[slip["column"] - 1 : slip["end_column"] - 1] == "ofline"
    assert slip["code"] == "TC101"
    assert treec("check", "--library", ROOT, "--output-format", "json").out.strip() == "[]"


def test_only_some_files_are_shown(treec: Treec, broken: Path) -> None:
    result = treec("check", broken / "trees/orders", "--library", broken)
    assert result.status == 1
    assert "morning_orders.recipe.yaml" in result.out
    assert "robot_worker" not in result.out
    assert treec("check", broken / "envs", "--library", broken).status == 0


def test_what_cannot_be_checked(treec: Treec, tmp_path: Path) -> None:
    assert treec("check", "--library", tmp_path).status == 2
    assert treec("check", "--library", tmp_path / "none").status == 2
    assert treec("check", "--output-format", "xml").status == 2


def test_explain(treec: Treec) -> None:
    told = treec("explain", "tc203")
    assert told.status == 0
    assert told.out.startswith("TC203: ")
    assert "Wrong:" in told.out
    assert "Right:" in told.out
    every = treec("explain", "all").out.splitlines()
    assert len(every) > 50
    wrong = treec("explain", "TC999")
    assert wrong.status == 2
    assert "there is no rule TC999" in wrong.err


def test_every_rule_says_what_is_wrong_and_what_is_right(treec: Treec) -> None:
    for line in treec("explain", "all").out.splitlines():
        text = treec("explain", line.split()[0]).out
        assert "rong" in text, line
        assert "ight" in text, line
