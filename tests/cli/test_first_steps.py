"""What a new user meets: an empty folder, a run that does not exist, the list of commands."""

from __future__ import annotations

import io
import json
import re
from pathlib import Path

import pytest

from tests.cli.conftest import Treec
from tests.support.packs import SHED, distribution, installed, write
from treec.cli import main


@pytest.fixture
def empty(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The current folder, with nothing in it."""
    folder = tmp_path / "empty"
    folder.mkdir()
    monkeypatch.chdir(folder)
    return folder


@pytest.mark.thorough
@pytest.mark.needs_system("mosaic")
def test_systems_of_packs_are_drawn_in_any_folder(treec: Treec, empty: Path) -> None:
    result = treec("render", "mosaic")
    assert result.status == 0, result.err
    assert "Confirm_Subtask" in result.out
    assert treec("render", "treec-kitchen/mosaic").out == result.out
    unknown = treec("render", "mosiac")
    assert (unknown.status, unknown.err) == (
        2,
        "treec: unknown tree, recipe, decision or system 'mosiac'; did you mean 'mosaic'?\n",
    )
    recipe = treec("render", "Caesar Salad")
    assert (recipe.status, "--library PACK" in recipe.err) == (2, True)
    assert treec("render", "Caesar Salad", "--library", "treec-kitchen").status == 0


def test_schemas_are_written_in_any_folder(treec: Treec, empty: Path) -> None:
    result = treec("schema", "--write")
    assert result.status == 0, result.err
    assert all((empty / line).is_file() for line in result.out.splitlines())
    assert (empty / ".vscode/settings.json").is_file()


@pytest.mark.parametrize(
    "args", [("run", "--resume", "nope"), ("replay", "nope"), ("report", "nope")]
)
def test_a_run_that_is_not_there(treec: Treec, empty: Path, args: tuple[str, ...]) -> None:
    result = treec(*args)
    assert (result.status, result.err) == (2, "treec: unknown run 'nope'; no runs in runs\n")
    assert not (empty / "runs").exists()
    names = [f"2026112{day}-101500-{name}" for day, name in enumerate("abcdefg")]
    for name in names:
        write(empty / "runs" / name, {"journal.jsonl": ""})
    result = treec(*args)
    told = ", ".join(f"{name} (broken)" for name in reversed(names[-5:]))
    assert result.err == f"treec: unknown run 'nope'; the latest in runs: {told}, …\n"
    assert (treec(*args[:-1], "20261126").err) == (
        "treec: unknown run '20261126'; did you mean '20261126-101500-g'?\n"
    )


def test_a_run_is_named_by_its_folder_or_the_folders_name(treec: Treec, empty: Path) -> None:
    treec("init", "mine")
    library = empty / "mine"
    scenario = ("run", "mine", "--scenario", "first_drive", "--fast", "-L", library)
    assert treec(*scenario).status == 0
    (run,) = (library / "runs").iterdir()
    whole = treec("replay", run).out
    assert whole
    assert treec("replay", run / "journal.jsonl").out == whole
    assert treec("replay", run.name, "-L", library).out == whole
    assert treec("replay", "-L", library).out == whole
    assert treec("replay", library / "runs").out == whole
    assert "record" not in treec("report", run.name, "-L", library, "-o", "x.html").err
    assert (empty / "x.html").is_file()


@pytest.mark.needs_system("mosaic")
@pytest.mark.parametrize("stdin", [io.StringIO(""), None], ids=["empty", "closed"])
@pytest.mark.few(1)
def test_an_empty_input_is_told(
    treec: Treec, empty: Path, monkeypatch: pytest.MonkeyPatch, stdin: io.StringIO | None
) -> None:
    monkeypatch.setattr("sys.stdin", stdin)
    result = treec("run", "mosaic")
    assert result.status == 0
    assert "standard input is empty: the user stays silent" in result.out
    assert "specify a --scenario (" in result.out
    assert "caesar_salad, " in result.out


def test_a_system_without_people_needs_nobody_who_types(
    treec: Treec, empty: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    made = treec("init", "mine")
    assert "  treec run mine\n" in made.out
    monkeypatch.chdir(empty / "mine")
    monkeypatch.setattr("sys.stdin", io.StringIO(""))
    result = treec("run", "mine", "--fast")
    assert result.status == 0
    assert "stopped" not in result.out
    assert "standard input" not in result.out
    (run,) = (empty / "mine/runs").iterdir()
    last = json.loads((run / "journal.jsonl").read_text("utf-8").splitlines()[-1])
    assert last["data"]["reason"] == "idle"


def test_init_says_how_to_get_pytest(
    treec: Treec, empty: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert treec("init", "one").out.endswith("  python -m pytest\n")
    monkeypatch.setattr("importlib.util.find_spec", lambda name: None)
    assert treec("init", "two").out.endswith(
        "  pip install pytest    # the tests need it\n  python -m pytest\n"
    )


def test_init_says_which_name_it_gives(treec: Treec, empty: Path) -> None:
    made = treec("init", "bad name!")
    assert made.status == 0
    assert "\nnote: the system is named 'bad_name': letters, digits and _\n" in made.out
    assert "note" not in treec("init", "good_name").out


def test_an_action_and_a_decision_can_be_begun_in_an_empty_library(
    treec: Treec, empty: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    treec("init", "mine")
    monkeypatch.chdir(empty / "mine")
    none = treec("new", "decision", "Choose")
    assert (none.status, none.err) == (
        2,
        "treec: a decision chooses between actions, and the library has none: "
        "begin with 'treec new action NAME'\n",
    )
    action = treec("new", "action", "Foo")
    assert action.status == 0, action.err
    assert action.out == (
        "prompts/foo.action.yaml: fill it in, then run 'treec check'\n"
        "  also written: trees/mine.system.yaml\n"
        "  no decision offers it: run it from a tree (- do: Foo), "
        "or write one with 'treec new decision NAME'\n"
    )
    decision = treec("new", "decision", "Choose")
    assert decision.out == (
        "prompts/choose.decision.yaml: fill it in, then run 'treec check'\n"
        "  no decision offers it: run it from a tree (- ask: Choose)\n"
    )
    tree = empty / "mine/trees/mine_main.tree.yaml"
    tree.write_text(tree.read_text("utf-8") + "  - ask: Choose\n", "utf-8")
    assert treec("check").status == 0, treec("check").out
    assert treec("run", "mine", "--fast").status == 0


def test_a_run_of_a_packs_system_resumes_as_that(
    treec: Treec, empty: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """Though the library around has a system of that name."""
    distribution(tmp_path / "site", "garden-sheds", "sheds", "sheds_pack", SHED)
    with installed(monkeypatch, tmp_path / "site"):
        treec("init", "sheds_work")
        monkeypatch.chdir(empty / "sheds_work")
        assert treec("run", "sheds/sheds_work", "--fast").status == 0
        (run,) = (empty / "sheds_work/runs").iterdir()
        assert json.loads((run / "run.json").read_text("utf-8"))["system"] == "sheds/sheds_work"
        journal = run / "journal.jsonl"
        lines = journal.read_text("utf-8").splitlines(keepends=True)
        assert '"run.end"' in lines[-1]
        journal.write_text("".join(lines[:-1]), "utf-8")
        result = treec("run", "--resume", run, "--fast")
        assert result.status == 0, result.out + result.err


GROUPS = (
    *("", "case", "recipe", "env", "skill", "journal"),
    pytest.param("plan", marks=pytest.mark.needs_system("dag_plan")),
)


@pytest.mark.parametrize("columns", ["80", "200"])
@pytest.mark.parametrize("group", GROUPS)
def test_lists_of_commands_show_whole_sentences(
    treec: Treec, group: str, columns: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", columns)
    out = treec(*filter(None, [group]), "--help").out
    rows = re.findall(r"^  ([a-z][a-z_-]*)  +(\S.*)$", out, re.M)
    assert rows
    for name, about in rows:
        assert about.endswith("."), about
        assert not about.endswith("..."), about
        assert "Exit status" not in about
        assert "_" not in name


def test_a_module_that_is_not_installed_is_told_with_its_extras(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def missing(*_: object) -> None:
        code = compile("import no_such_thing", "perception", "exec")
        try:
            exec(code, {"__name__": "treec_perception.models"})
        except ModuleNotFoundError as error:
            error.name = "transformers"
            raise

    monkeypatch.setattr("treec.cli.application.application", missing)
    assert main(["see", "x.png", "milk"]) == 2
    told = capsys.readouterr().err
    assert "needs the package 'transformers', which is not installed" in told
    assert "treec[see]" in told
    assert "Traceback" not in told
