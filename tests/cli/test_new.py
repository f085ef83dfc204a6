"""``treec new``: every kind of file and of Python code has a skeleton that holds as it is."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path

import pytest
import yaml

from tests.cli.conftest import Result, Treec
from tests.cli.test_init import SHIPPED, run_pytest
from treec.core import CORE
from treec_asking.extension import EXTENSION
from treec_editor.code_skeletons import CODE
from treec_editor.new_files import skeletons

LAST = ("decision", "recipe", "reading")
"""Kinds that need an action or a task, or that mean that somebody listens."""

OURS = (*CORE.kinds, *EXTENSION.kinds)
KINDS = sorted((*(kind.name for kind in OURS), "case"), key=lambda kind: kind in LAST)

ARGUMENTS = {
    "plan": "{plan: fresh_plan, with: {task: tidy up}}",
    "program": """
      for_each:
        item: robot
        in: robots
        do:
          for_each:
            item: subtask
            in: subtasks
            do: {program: fresh_program, with: {agent: $robot, subtask: $subtask}}""",
}
"""Nodes that need more than a name, by their keys."""


def new(treec: Treec, root: Path, kind: str, name: str) -> Result:
    return treec("new", kind, name, "--library", root)


def wire(root: Path, nodes: list[str]) -> None:
    """Do what the notes of new files say: a tree runs them, an agent can do the task."""
    (system,) = root.rglob("fresh_system.system.yaml")
    text = re.sub("^root: .*$", "root: wiring", system.read_text("utf-8"), flags=re.MULTILINE)
    system.write_text(text, "utf-8")
    (tree,) = root.rglob("fresh_tree.tree.yaml")
    lines = (f"  - {ARGUMENTS.get(node.partition(':')[0], node)}\n" for node in nodes)
    tree.with_name("wiring.tree.yaml").write_text("tree: wiring\nroot:\n" + "".join(lines), "utf-8")
    (agent,) = root.rglob("fresh_agent.agent.yaml")
    text = re.sub(r"can: \[(\w)?", r"can: [fresh_task, \1", agent.read_text("utf-8"))
    agent.write_text(text.replace(", ]", "]"), "utf-8")


@pytest.mark.few(0, thorough=1)
@pytest.mark.parametrize("template", SHIPPED)
def test_every_skeleton_checks_and_its_test_passes(
    treec: Treec, tmp_path: Path, template: str, request: pytest.FixtureRequest
) -> None:
    assert set(skeletons()) >= {*KINDS, *CODE}
    root = tmp_path / "Robot-7"
    assert treec("init", root, "--from", template).status == 0
    nodes = []
    for kind in [*KINDS, *CODE]:
        made = new(treec, root, kind, f"fresh_{kind}")
        assert made.status == 0, f"{kind}: {made.err}"
        nodes += re.findall(r"run it from a tree \(- (.*?)\)", made.out)
    wire(root, nodes)
    checked = treec("check", "--library", root)
    assert checked.status == 0, checked.out
    assert set(re.findall("TC[0-9]+", checked.out)) <= {"TC419", "TC515"}
    played = treec("snapshot", "fresh_case", "--library", root)
    assert played.status == 0, played.out
    if template == "warehouse" or request.config.getoption("thorough"):
        done = run_pytest(root, "-k", "fresh")
        assert done.returncode == 0, done.stdout
        assert "6 passed" in done.stdout


def test_help_lists_every_kind_with_what_it_is(treec: Treec) -> None:
    lines = treec("new", "--help").out.splitlines()
    for kind in [*KINDS, *CODE]:
        assert any(re.match(rf"  {kind} +[A-Z].+\.$", line) for line in lines), kind
    assert "  worker       A Python class that carries out orders of a skill." in lines


@pytest.fixture
def bare(treec: Treec, tmp_path: Path) -> Path:
    root = tmp_path / "Bare-1"
    assert treec("init", root).status == 0
    return root


@pytest.mark.parametrize(
    ("args", "says"),
    [
        (("taks", "wave"), "unknown kind 'taks'; did you mean 'task'?"),
        (("worker", "2nd"), "'2nd' is not a name: letters, digits, _ and spaces, a letter first"),
        (
            ("decision", "mood"),
            "a decision chooses between actions, and the library has none: "
            "begin with 'treec new action NAME'",
        ),
        (
            ("recipe", "tea"),
            "a recipe needs a task for its first subtask, and the library has none",
        ),
        (("tree", "wave", "--to", "Dispatch"), "--to is for actions and decisions, which offer"),
        (("node", "Sequence"), "node 'sequence' already exists"),
    ],
)
def test_what_cannot_be_written(treec: Treec, bare: Path, args: tuple[str, ...], says: str) -> None:
    before = sorted(bare.rglob("*"))
    made = treec("new", *args, "--library", bare)
    assert made.status == 2
    assert made.err.startswith(f"treec: {says}")
    assert sorted(bare.rglob("*")) == before


def test_code_lies_in_the_librarys_package_which_is_made_with_the_first(
    treec: Treec, bare: Path
) -> None:
    made = new(treec, bare, "node", "slow down")
    assert made.out == (
        "bare_1/slow_down.py: fill it in, then run 'treec check'\n"
        "  also written: bare_1/__init__.py, tests/test_slow_down.py, treec.toml\n"
        "  a tree names it: - slow_down: {seconds: 3}\n"
    )
    settings = tomllib.loads((bare / "treec.toml").read_text("utf-8"))
    assert settings["library"] == {"package": "bare_1", "exclude": ["tests", "runs"]}
    assert settings["nodes"] == {"slow_down": "bare_1.slow_down:SlowDown"}
    assert "also written: tests/test_wave.py\n" in new(treec, bare, "worker", "wave").out
    again = new(treec, bare, "worker", "wave")
    assert (again.status, again.err) == (2, "treec: bare_1/wave.py already exists\n")


def test_a_file_lies_in_no_folder_of_other_kinds_and_is_used(treec: Treec, tmp_path: Path) -> None:
    root = tmp_path / "mine"
    assert treec("init", root, "--from", "mosaic").status == 0
    made = new(treec, root, "agent", "fresh").out
    assert made.startswith("envs/fresh.agent.yaml: ")
    assert "  also written: trees/mine.system.yaml\n" in made
    for kind, place in {"recipe": "recipes", "action": "prompts", "skill": "skills/fresh"}.items():
        made = new(treec, root, kind, "fresh").out
        assert made.startswith(f"{place}/fresh.{kind}.yaml: "), made
    uses = yaml.safe_load((root / "trees/mine.system.yaml").read_text("utf-8"))["uses"]
    assert uses[-4:] == ["./recipes", "./prompts", "./envs", "./skills"]
    checked = treec("check", "--library", root)
    assert checked.status == 0, checked.out


@pytest.mark.parametrize(
    ("toml", "line"),
    [
        ("library = {exclude = ['tests']}\n", "[library]: package = "),
        ("nodes = {}\n[library]\npackage = 'bare'\n", "[nodes]: press = "),
    ],
)
def test_settings_that_cannot_be_added_to_stay(
    treec: Treec, bare: Path, toml: str, line: str
) -> None:
    (bare / "treec.toml").write_text(toml, "utf-8")
    made = new(treec, bare, "node", "press")
    assert made.status == 2
    assert f"treec.toml needs this line in {line}" in made.err
    assert (bare / "treec.toml").read_text("utf-8") == toml
    assert not list(bare.rglob("*.py"))[1:]
