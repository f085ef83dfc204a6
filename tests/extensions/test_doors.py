"""Each door of an Extension, used through the command line and the checker."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.cli.conftest import ROOT, Treec, treec
from tests.support.extensions import install
from treec import ScriptedTransport
from treec.nodes.environment import environment_names, find_environment
from treec_asking.open_model import ModelChoice, open_model

__all__ = ["treec"]

LABEL = "label: fragile\nabout: Handle with care.\ntext: {}\n"
TREE = """
---
tree: noisy
about: Uses what the extension brings.
root:
  - check: crates() | first | loud == 'CRATE 1' and 2 is even_number
  - beep: 1 + 1
"""


@pytest.fixture
def depot(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A library beside an installed package that adds to treec."""
    text = "from tests.extensions.plus.extension import EXTENSION\n"
    install(tmp_path, monkeypatch, "plus", "", module=text)
    found = Path(shutil.copytree(ROOT / "tests" / "data" / "depot", tmp_path / "depot"))
    (found / "fragile.label.yaml").write_text(LABEL.format("FRAGILE"), "utf-8")
    tree = found / "depot_main.tree.yaml"
    tree.write_text(tree.read_text("utf-8") + TREE, "utf-8")
    system = found / "depot.system.yaml"
    (found / "noise.system.yaml").write_text(
        system.read_text("utf-8").replace("depot\n", "noise\n", 1).replace("depot_main", "noisy"),
        "utf-8",
    )
    return found


def edit(file: Path, old: str, new: str) -> None:
    text = file.read_text("utf-8")
    assert old in text
    file.write_text(text.replace(old, new), "utf-8")


def test_a_kind_of_file_and_a_rule(treec: Treec, depot: Path) -> None:
    assert treec("schema", "label").out.count('"text"') > 0
    (depot / "fragile.label.yaml").write_text(LABEL.format("Fragile"), "utf-8")
    result = treec("check", "-L", depot)
    assert result.status == 1
    assert "fragile.label.yaml:3:7: error TC951: 'Fragile' is not in capitals" in result.out
    assert "A label that is not in capitals" in treec("explain", "TC951").out
    assert treec("explain", "951").out == treec("explain", "TC951").out


def test_a_key_that_its_model_does_not_have(treec: Treec, depot: Path) -> None:
    (depot / "fragile.label.yaml").write_text(LABEL.format("FRAGILE") + "texxt: a\n", "utf-8")
    assert "TC101: unknown key 'texxt'" in treec("check", "-L", depot).out


def test_a_node_is_checked_drawn_and_run_with_functions_filters_and_tests(
    treec: Treec, depot: Path, tmp_path: Path
) -> None:
    assert "♪ beep" in treec("render", "noisy", "-L", depot).out
    (depot / "noise.scenario.yaml").write_text(
        "scenario: noise\nabout: It beeps.\nsystem: noise\nexpect: {finally: now >= 0}\n", "utf-8"
    )
    result = treec(
        "run", "noise", "--scenario", "noise", "-L", depot, "--fast", "--runs", tmp_path / "runs"
    )
    (journal,) = (tmp_path / "runs").rglob("journal.jsonl")
    assert "beep 2 of 2" in journal.read_text("utf-8"), result.err


def test_mistakes_in_a_node_stand_at_their_line(treec: Treec, depot: Path) -> None:
    tree = depot / "depot_main.tree.yaml"
    edit(tree, "  - beep: 1 + 1", "  - beep: nobody + 1\n    cooldwn: 3s")
    told = treec("check", "-L", depot).out
    assert "unknown key 'cooldwn'" in told
    assert "did you mean 'cooldown'?" in told
    edit(tree, "\n    cooldwn: 3s", "")
    assert "TC203: unknown name 'nobody'" in treec("check", "-L", depot).out


def test_functions_and_filters_that_are_not_there(treec: Treec, depot: Path) -> None:
    edit(depot / "depot_main.tree.yaml", "crates() | first | loud", "crate() | first | lout")
    told = treec("check", "-L", depot).out
    assert "unknown filter 'lout'" in told


def test_a_high_level_action(treec: Treec, depot: Path) -> None:
    (depot / "warn.action.yaml").write_text(
        "action: Warn\nabout: Warn everybody.\nsees: []\nmay: [beep_at]\n"
        "offline:\n  - do: [{beep_at: {massage: look out}}]\n",
        "utf-8",
    )
    assert "massage" in treec("check", "-L", depot).out


def test_sensors_and_parsers_by_name(treec: Treec, depot: Path) -> None:
    domain = depot / "depot.domain.yaml"
    edit(
        domain, "labelled: {args: [Crate]}", "labelled: {args: [Crate], sensed: {symbolic: scale}}"
    )
    (depot / "hear.reading.yaml").write_text(
        "reading: Hear\nabout: Orders.\nsees: [user_input]\nacts:\n  order: {}\nparser: orders\n"
    )
    edit(depot / "depot_main.tree.yaml", "  - beep: 1 + 1", "  - beep: 1 + 1\n  - read: Hear")
    assert "TC211" not in treec("check", "-L", depot).out
    edit(domain, "{symbolic: scale}", "{symbolic: scael}")
    told = treec("check", "-L", depot).out
    assert "TC211: unknown sensor 'scael'" in told
    assert "did you mean 'scale'?" in told


def test_commands_of_its_own_and_in_a_group(treec: Treec, depot: Path) -> None:
    assert treec("labels", "-L", depot).out == "fragile: FRAGILE\n"
    assert treec("journal", "labels").out == "0 labels cannot be read\n"
    assert "labels" in treec("journal", "--help").out
    assert "verify" in treec("journal", "--help").out


@pytest.mark.usefixtures("depot")
def test_an_environment() -> None:
    assert "hall" in environment_names()
    assert find_environment("hall") is not None


def test_a_monitor_is_shown_a_run_to_its_end(treec: Treec, depot: Path, tmp_path: Path) -> None:
    run = ("run", "depot", "-s", "one_order", "-L", depot, "--runs", tmp_path / "runs", "--monitor")
    board = tmp_path / "board.txt"
    done = treec(*run, f"board={board}")
    assert "treec: the board is board.txt" in done.err
    assert board.read_text("utf-8") == "begun\nended\n"
    done = treec(*run, "board")
    assert (done.status, "monitor board: say which file is the board" in done.err) == (2, True)
    assert "did you mean 'board'?" in treec(*run, "bord=x").err


@pytest.mark.thorough
def test_nothing_of_it_is_imported_before_it_is_used(depot: Path) -> None:
    code = (
        "import sys; from tests.support.extensions import using; "
        "from tests.extensions.plus.extension import EXTENSION\nwith using(EXTENSION):\n"
        "    from treec.check import check_library; from treec.files.library import load_library; "
        "from pathlib import Path; check_library(load_library(Path(sys.argv[1])))\n"
        "import json; print(json.dumps([m for m in sys.modules if 'py_trees' in m or "
        "m.startswith('tests.extensions.plus.')]))"
    )
    done = subprocess.run(
        [sys.executable, "-c", code, str(depot)],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=True,
    )
    loaded = json.loads(done.stdout)
    assert "py_trees" not in loaded
    assert "tests.extensions.plus.commands" not in loaded
    assert "tests.extensions.plus.node" not in loaded


@pytest.mark.thorough
def test_completion_is_printed() -> None:
    done = subprocess.run(
        [sys.executable, "-c", "from treec.cli import main; main()", "--show-completion", "bash"],
        env={**os.environ, "_TYPER_COMPLETE_TEST_DISABLE_SHELL_DETECTION": "1"},
        capture_output=True,
        text=True,
        check=True,
    )
    assert "complete -o default -F" in done.stdout


@pytest.mark.usefixtures("depot")
def test_models_of_a_provider() -> None:
    echo = open_model(ModelChoice("plus/echo"))
    assert isinstance(echo, ScriptedTransport)
    assert not isinstance(open_model(ModelChoice("openai/x", "http://127.0.0.1:9")), type(echo))
