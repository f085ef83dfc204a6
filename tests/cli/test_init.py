"""``treec init``: what it makes checks and runs, and it overwrites nothing."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

from tests.cli.conftest import Treec
from tests.support.packs import SHED, distribution, installed, write
from treec.files.templates import PLACEHOLDER, Template, all_templates

SHIPPED = [template.name for template in all_templates() if template.pack.startswith("treec")]


def test_these_templates_ship() -> None:
    assert set(SHIPPED) >= {"empty", "warehouse"}


@pytest.mark.needs_system("mosaic", "dag_plan")
def test_a_template_ships_for_each_system() -> None:
    assert set(SHIPPED) >= {"dag_plan", "mosaic"}


@pytest.mark.parametrize("template", all_templates(), ids=lambda it: it.name)
def test_a_readme_names_the_packs_that_the_system_uses(template: Template) -> None:
    named = re.findall(
        r"`treec packs ([\w-]+)`", (template.folder / "README.md").read_text("utf-8")
    )
    (system,) = template.folder.glob("trees/*.system.yaml")
    used = re.findall(r"(treec[\w-]*)/", system.read_text("utf-8"))
    assert set(named) <= set(used)


@pytest.mark.parametrize(
    "name",
    [pytest.param(it, marks=[pytest.mark.thorough] if it == "mosaic" else []) for it in SHIPPED],
)
def test_what_it_makes_checks_and_runs(
    treec: Treec, tmp_path: Path, name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = tmp_path / "Robot-7"
    made = treec("init", folder, "--from", name)
    assert made.status == 0, made.err
    assert f"  cd {folder}\n  treec check\n" in made.out
    assert not any(PLACEHOLDER in path.read_text("utf-8") for path in files(folder))
    monkeypatch.chdir(folder)
    checked = treec("check")
    assert checked.status == 0, checked.out
    (line,) = (line for line in made.out.splitlines() if "--scenario" in line)
    result = treec(*line.split()[1:], "--fast")
    assert result.status == 0, result.out + result.err
    assert len(list((folder / "runs").iterdir())) == 1
    judged = treec("snapshot")
    assert judged.status == 0, judged.out


@pytest.mark.few(0, thorough=2)
@pytest.mark.parametrize("name", SHIPPED)
def test_its_own_tests_pass(treec: Treec, tmp_path: Path, name: str) -> None:
    assert treec("init", tmp_path / "robot", "--from", name).status == 0
    done = run_pytest(tmp_path / "robot")
    assert done.returncode == 0, done.stdout


def run_pytest(folder: Path, *args: str) -> subprocess.CompletedProcess[str]:
    """The tests of a library, in a process of their own as its users run them."""
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", *args]
    return subprocess.run(
        command, cwd=folder, capture_output=True, text=True, timeout=300, check=False
    )


@pytest.mark.needs_system("dag_plan")
def test_the_commands_that_it_names_run(treec: Treec, tmp_path: Path) -> None:
    """A system with a task is told it by --task; a folder's name may have spaces."""
    made = treec("init", tmp_path / "my arms", "--from", "dag_plan")
    assert f"  cd '{tmp_path / 'my arms'}'\n" in made.out
    assert "  treec run my_arms --task 'juice the apple'\n" in made.out
    assert "--chat" not in made.out
    made = treec("init", tmp_path / "mine")
    assert "  treec run mine\n" in made.out


def files(folder: Path) -> list[Path]:
    return [path for path in folder.rglob("*") if path.is_file()]


def test_it_overwrites_nothing(treec: Treec, tmp_path: Path) -> None:
    folder = write(tmp_path / "mine", {"notes.txt": "precious"})
    result = treec("init", folder)
    assert result.status == 2
    assert result.err == (f"treec: {folder} already exists and is not empty\n")
    assert [path.name for path in files(folder)] == ["notes.txt"]
    (tmp_path / "none").mkdir()
    assert treec("init", tmp_path / "none").status == 0


@pytest.mark.parametrize(
    ("args", "told"),
    [
        (("x", "--from", "emty"), "unknown template 'emty'; did you mean 'empty'?"),
        (("7", "--from", "empty"), "'7' is not a valid name: begin it with a letter"),
    ],
)
def test_what_cannot_be_made(
    treec: Treec, tmp_path: Path, args: tuple[str, ...], told: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    result = treec("init", *args)
    assert (result.status, result.err) == (2, f"treec: {told}\n")


def test_templates_are_listed_with_what_they_make(treec: Treec) -> None:
    result = treec("init", "--from", "list")
    assert "empty        A robot that drives to a table" in result.out


def test_a_pack_offers_a_template(
    treec: Treec, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    toml = SHED["treec.toml"].replace("[pack]\n", '[pack]\ntemplates = "begin"\n')
    files = {**SHED, "treec.toml": toml, "begin/shed/treec.toml": "# my_robot\n"}
    distribution(tmp_path / "site", "garden-sheds", "sheds", "sheds_pack", files)
    distribution(tmp_path / "site", "other", "other", "other_pack", {})  # of no use to anybody
    with installed(monkeypatch, tmp_path / "site"):
        for name in ("shed", "sheds/shed"):
            folder = tmp_path / name.replace("/", "_")
            assert treec("init", folder, "--from", name).status == 0
            assert (folder / "treec.toml").read_text("utf-8") == f"# {folder.name}\n"


@pytest.mark.needs_system("mosaic")
def test_what_is_new_lies_in_ones_own_folders_not_in_the_packs(
    treec: Treec, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = tmp_path / "mine"
    treec("init", folder, "--from", "mosaic")
    monkeypatch.chdir(folder)
    for kind, name, path in (
        ("action", "Wave", "prompts/wave.action.yaml"),
        ("recipe", "Tea", "recipes/tea.recipe.yaml"),
        ("decision", "Mood", "prompts/mood.decision.yaml"),
    ):
        result = treec("new", kind, name)
        assert result.out.startswith(f"{path}: "), result.out + result.err
        assert (folder / path).is_file()


def test_a_missing_folder_is_asked_for(treec: Treec) -> None:
    result = treec("init", "--from", "warehouse")
    assert (result.status, result.err) == (
        2,
        "treec: name the folder to create: treec init my_robot\n",
    )
