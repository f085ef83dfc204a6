"""Files of the kinds `goal` and `outline`, and stages, from before they were forms of `plan`."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.cli.conftest import Treec
from tests.support.extensions import using
from tests.systems.dag_plan.conftest import ROOT
from treec.files.library import load_library

PROMPTS = ROOT / "prompts"
GOAL = PROMPTS / "dag_plan/graph/task_goal.plan.yaml"
OUTLINE = PROMPTS / "recipes/recipe_list.plan.yaml"
STAGES = PROMPTS / "dag_plan/stages/tp_s.plan.yaml"


def former(text: str) -> str:
    """A shipped file as it was written before."""
    for new, old in (
        ("plan: Task_Goal\nanswers: goal\n", "goal: Task_Goal\n"),
        ("plan: Recipe_List\nanswers: outline\n", "outline: Recipe_List\n"),
        ("answers: stages\n", "form: stages\n"),
    ):
        text = text.replace(new, old)
    return text


@pytest.fixture
def old(tmp_path: Path) -> Path:
    """A library of a user: a goal with other line breaks, an outline, and stages."""
    root = tmp_path / "old"
    root.mkdir()
    (root / "treec.toml").write_text("")
    crlf = former(GOAL.read_text("utf-8")).replace("\n", "\r\n")
    (root / "task_goal.goal.yaml").write_bytes(crlf.encode())
    (root / "recipe_list.outline.yaml").write_text(former(OUTLINE.read_text("utf-8")), "utf-8")
    (root / "tp_s.plan.yaml").write_text(former(STAGES.read_text("utf-8")), "utf-8")
    return root


@pytest.mark.needs_system("mosaic")
def test_they_are_renamed_and_all_else_stays_to_the_byte(old: Path, treec: Treec) -> None:
    done = treec("check", "-L", old, "--fix")
    assert done.status == 0, done.out
    assert done.out.splitlines() == [
        "recipe_list.outline.yaml: renamed to recipe_list.plan.yaml, with 'answers: outline'",
        "task_goal.goal.yaml: renamed to task_goal.plan.yaml, with 'answers: goal'",
        "tp_s.plan.yaml:3:1: TC101: change 'form' to 'answers'",
        "3 definitions in 3 files: nothing is wrong",
    ]
    assert sorted(path.name for path in old.glob("*.yaml")) == [
        "recipe_list.plan.yaml",
        "task_goal.plan.yaml",
        "tp_s.plan.yaml",
    ]
    assert (old / GOAL.name).read_bytes() == GOAL.read_bytes().replace(b"\n", b"\r\n")
    assert (old / OUTLINE.name).read_bytes() == OUTLINE.read_bytes()
    assert (old / STAGES.name).read_bytes() == STAGES.read_bytes()


@pytest.mark.needs_system("mosaic")
def test_the_check_says_what_to_write(old: Path, treec: Treec) -> None:
    done = treec("check", "-L", old)
    assert done.status == 1
    assert "task_goal.goal.yaml:1:1: error TC105: a goal is a plan with 'answers: goal' now" in (
        done.out
    )
    assert (
        "rename it to 'task_goal.plan.yaml', and begin with 'plan: NAME' and 'answers: goal': "
        "'treec check --fix' does"
    ) in done.out
    assert "unknown key 'form'" in done.out
    assert "did you mean 'answers'?" in done.out


@pytest.mark.needs_system("mosaic")
def test_the_differences_are_shown_and_nothing_is_renamed(old: Path, treec: Treec) -> None:
    before = {path.name: path.read_bytes() for path in old.iterdir()}
    done = treec("check", "-L", old, "--diff")
    assert done.status == 1
    assert "--- a/task_goal.goal.yaml\n+++ b/task_goal.plan.yaml\n" in done.out
    assert "+answers: outline\n" in done.out
    assert "no certain fixes" not in done.out
    assert {path.name: path.read_bytes() for path in old.iterdir()} == before


@pytest.mark.needs_system("mosaic")
def test_no_file_is_overwritten_and_only_chosen_ones_are_renamed(old: Path, treec: Treec) -> None:
    (old / "task_goal.plan.yaml").write_text("plan: Other\nabout: Another one.\n", "utf-8")
    done = treec("check", "-L", old, "--fix", old / "recipe_list.outline.yaml")
    assert done.status == 0, done.out
    assert (old / "task_goal.goal.yaml").exists()
    refused = treec("check", "-L", old, "--fix")
    assert refused.status == 2
    assert "task_goal.plan.yaml already exists" in refused.err
    assert (old / "task_goal.goal.yaml").exists()


def test_an_unknown_form_is_reported_with_the_nearest(tmp_path: Path) -> None:
    file = tmp_path / "aim.plan.yaml"
    file.write_text("plan: Aim\nanswers: gaol\nabout: A goal.\n", "utf-8")
    (problem,) = load_library(tmp_path).diagnostics
    assert (problem.message, problem.help) == (
        "unknown form of plan 'gaol'",
        "did you mean 'goal'?",
    )
    assert str(problem.span) == "aim.plan.yaml:2:10"


@pytest.mark.needs_system("mosaic")
@pytest.mark.parametrize(
    ("key", "without", "message", "help"),
    [
        ("answers: [goal]\n", (), "unknown form of plan '['goal']'", "did you mean 'goal'?"),
        ("", ("dag_plan",), "unknown form of plan 'graph'", "forms of plans: outline"),
        ("", ("dag_plan", "mosaic"), "unknown form of plan 'graph'", "there are none"),
    ],
)
def test_a_form_that_is_no_text_or_not_installed_is_reported(
    tmp_path: Path, key: str, without: tuple[str, ...], message: str, help: str
) -> None:
    (tmp_path / "aim.plan.yaml").write_text(f"plan: Aim\n{key}about: A goal.\n", "utf-8")
    with using(without=without):
        (problem,) = load_library(tmp_path).diagnostics
    assert problem.message == message
    assert problem.help is not None
    assert problem.help.startswith(help)


def test_a_form_has_no_keys_of_another(tmp_path: Path) -> None:
    file = tmp_path / "aim.plan.yaml"
    file.write_text("plan: Aim\nanswers: goal\nabout: A goal.\nat_once: 1\n", "utf-8")
    (problem,) = load_library(tmp_path).diagnostics
    assert problem.message == "unknown key 'at_once'"
