"""Texts of state and facts: what the files show, and where they do not show all of them."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.check.test_fixtures import HERE, write_files
from treec.check import check_library
from treec.files.library import load_library

DOMAIN = (HERE / "base/room/tea_room.domain.yaml").read_text("utf-8")
WORKER = (HERE / "base/trees/worker.tree.yaml").read_text("utf-8")
PLACE = (HERE / "base/skills/place.skill.yaml").read_text("utf-8")
STATE = DOMAIN.replace("state:\n", 'state:\n  mode: {type: text, default: "slow"}\n')
FACT = DOMAIN.replace("facts:\n", "facts:\n  door: {args: [Place], value: text}\n")


def found(root: Path, **files: str) -> list[str]:
    paths = {
        "domain": "room/tea_room.domain.yaml",
        "tree": "trees/worker.tree.yaml",
        "skill": "skills/place.skill.yaml",
    }
    text = "".join(f"# file: {paths[name]}\n{text}\n" for name, text in files.items())
    write_files(text, root)
    problems = check_library(load_library(root))
    return [p.message for p in problems if p.code == "TC213"]


def tree(condition: str, *sets: str) -> str:
    nodes = "".join(f"  - set: {{{one}}}\n" for one in sets)
    return WORKER.replace("root:\n", f"root:\n  - check: {condition}\n{nodes}")


@pytest.mark.parametrize(
    ("condition", "sets", "messages"),
    [
        ("mode == 'fsat'", ["mode: fast"], ["'fsat' is never a value of mode"]),
        ("mode in ['fsat', 'slow']", ["mode: fast"], ["'fsat' is never a value of mode"]),
        ("mode == 'fast' or mode == 'slow'", ["mode: fast"], []),
        ("mode == 'fsat'", ["mode: $subtask.words"], []),
        ("mode == 'fsat'", ["mode: fast", "mode: $subtask.words"], []),
        ("mode == 'fsat'", [], []),  # who else sets it is unknown
        ("mode | length > 3 and mode != ''", ["mode: fast"], ["'' is never a value of mode"]),
    ],
)
def test_a_text_that_no_tree_sets(
    condition: str, sets: list[str], messages: list[str], tmp_path: Path
) -> None:
    assert found(tmp_path / "library", domain=STATE, tree=tree(condition, *sets)) == messages


@pytest.mark.parametrize(
    ("condition", "effect", "messages"),
    [
        ("door('table') == 'opne'", "door(to) == 'open'", ["'opne' is never a value of door"]),
        ("door('table') == 'open'", "door(to) == 'open'", []),
        ("door('table') == 'opne'", "door(to) == agent", []),
        ("door('table') == 'opne'", "at(item) == to", []),
    ],
)
def test_a_text_that_no_effect_gives(
    condition: str, effect: str, messages: list[str], tmp_path: Path
) -> None:
    skill = PLACE.replace("  - at(item) == to", f"  - {effect}")
    root = tmp_path / "library"
    assert found(root, domain=FACT, tree=tree(condition), skill=skill) == messages


def test_state_that_a_run_sets_may_have_any_text(tmp_path: Path) -> None:
    text = tree("recipe_name == 'Tae'", "recipe_name: Tea")
    assert found(tmp_path / "library", tree=text) == []


def test_a_sensed_fact_may_have_any_text(tmp_path: Path) -> None:
    domain = FACT.replace("value: text}", "value: text, sensed: {symbolic: treec.x:y}}")
    skill = PLACE.replace("  - at(item) == to", "  - door(to) == 'open'")
    root = tmp_path / "library"
    assert found(root, domain=domain, tree=tree("door('table') == 'opne'"), skill=skill) == []


@pytest.mark.parametrize(
    ("condition", "messages"),
    [
        ("door('table') == 'opne'", ["'opne' is never a value of door"]),
        ("door('table') == 'ajar'", []),
    ],
)
def test_a_text_that_the_fact_does_not_declare(
    condition: str, messages: list[str], tmp_path: Path
) -> None:
    domain = FACT.replace("value: text}", "value: text, values: [open, shut, ajar]}")
    assert found(tmp_path / "library", domain=domain, tree=tree(condition)) == messages
