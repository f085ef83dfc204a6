from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from tests.check.test_fixtures import write_files
from treec.check import check_library
from treec.check.unreadable import unreadable_kinds, unreadable_names, unreadable_paths
from treec.files.library import load_library


def test_names_of_files_with_errors_are_known(tmp_path: Path) -> None:
    fixture = (
        "# file: tasks/a.task.yaml\ntask: fly\n---\ntask: swim\nabout: Swim.\n"
        "# file: tasks/bare.task.yaml\n- nothing\n"
        "# file: skills/q.skill.yaml\nskill: 'look up' # all the time\nabout: 1\n"
    )
    write_files(fixture, tmp_path / "library")
    library = load_library(tmp_path / "library")
    declared = {("task", "fly"), ("skill", "look up")}
    by_file = {("task", "a"), ("task", "A"), ("task", "bare"), ("task", "Bare")}
    assert unreadable_names(library) == declared | by_file | {("skill", "q"), ("skill", "Q")}
    assert unreadable_kinds(library) == {"task", "skill"}
    assert unreadable_paths(library, "task", "fly") == {"tasks/a.task.yaml"}
    assert unreadable_paths(library, "skill", "look up") == {"skills/q.skill.yaml"}
    assert unreadable_paths(library, "task", "swim") == set()


def test_a_library_without_errors_has_none() -> None:
    assert unreadable_names(load_library(Path(__file__).parent / "base")) == set()


WAREHOUSE = Path(__file__).parents[2] / "engine/treec/templates/warehouse"
FILES = sorted(
    str(path.relative_to(WAREHOUSE))
    for path in WAREHOUSE.rglob("*.yaml")
    if "tests" not in path.relative_to(WAREHOUSE).parts
)


@pytest.mark.few(3)
@pytest.mark.parametrize("name", FILES)
def test_one_mistake_is_one_message(tmp_path: Path, name: str) -> None:
    root = Path(shutil.copytree(WAREHOUSE, tmp_path / "library"))
    text = (root / name).read_text("utf-8")
    for broken, code in (
        (f"{text}unheard_of: 1\n", "TC101"),
        (f"{text}unheard_of: [\n", "TC003"),
        ("", "TC104"),
        (text[1:], "TC104"),
        (text.replace(":", "", 1), "TC003"),
        (text.replace(": ", ": &x ", 1) + "unheard_of: *x\n", "TC007"),
        (text.replace(": ", ': "', 1), "TC003"),
    ):
        (root / name).write_text(broken, "utf-8")
        found = check_library(load_library(root))
        assert [(problem.code, problem.span.path) for problem in found] == [(code, name)]


def test_a_broken_skill_is_a_repair_all_the_same(tmp_path: Path) -> None:
    write_files("", tmp_path / "library")
    with open(tmp_path / "library/skills/pick.skill.yaml", "a", encoding="utf-8") as file:
        file.write("unheard_of: 1\n")
    found = check_library(load_library(tmp_path / "library"))
    assert [problem.code for problem in found] == ["TC101"]
