"""A stranger's node type, one module (`plus/beep.py`): resumed, reloaded, drawn, and as XML."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from tests.cli.conftest import Treec, treec
from tests.extensions.plus import beep
from tests.extensions.plus.beep import NODE
from tests.extensions.test_doors import depot, edit
from tests.support.extensions import using
from treec.extensions import Extension, ExtensionError
from treec.files.library import load_library
from treec.files.nodes import _load
from treec.files.view import View
from treec.run.run import Run
from treec.world.check_sums import sums_file
from treec.world.clock import VirtualClock
from treec.world.journal import Journal
from treec.world.spec import RunSpec
from treec_live.reload import swap

__all__ = ["depot", "treec"]

TREE = "tree: noisy\nroot:\n  - log: begin\n  - {beep: 4, every: 2s}\n  - log: end\n"


@pytest.fixture
def noisy(depot: Path) -> Path:
    """A library whose system `noise` beeps four times."""
    (depot / "depot_main.tree.yaml").write_text(TREE, "utf-8")
    (depot / "noise.scenario.yaml").write_text(
        "scenario: noise\nabout: It beeps.\nsystem: noise\nexpect: {finally: now >= 5.5}\n", "utf-8"
    )
    for name in ("depot.system", "one_order.scenario", "foreman.decision", "share_out.action"):
        (depot / f"{name}.yaml").unlink()
    for name in ("wait.action", "subtask_to_skills.program", "one_order.recipe"):
        (depot / f"{name}.yaml").unlink()
    return depot


def records(folder: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in (folder / "journal.jsonl").read_text("utf-8").splitlines()]


def lines(found: list[dict[str, Any]]) -> list[str]:
    return [record["data"]["text"] for record in found if record["kind"] == "log"]


def test_a_resumed_run_goes_on_at_its_place(treec: Treec, noisy: Path, tmp_path: Path) -> None:
    runs = tmp_path / "runs"
    result = treec("run", "noise", "--scenario", "noise", "-L", noisy, "--fast", "--runs", runs)
    assert result.status == 0, result.out + result.err
    (folder,) = runs.iterdir()
    found = records(folder)
    beeps = [f"beep {n} of 4" for n in range(1, 5)]
    assert lines(found) == ["begin", *beeps]  # the scenario is over before the pause is
    second = next(n for n, r in enumerate(found) if lines([r]) == ["beep 2 of 4"])
    cut = next(n for n in range(second, len(found)) if found[n]["kind"] == "ticked") + 1
    for file in (folder / "journal.jsonl", sums_file(folder / "journal.jsonl")):
        file.write_bytes(b"".join(file.read_bytes().splitlines(keepends=True)[:cut]))
    result = treec("run", "--resume", folder, "--fast", "-L", noisy)
    assert result.status == 0, result.out + result.err
    assert lines(records(folder)[cut:])[:2] == beeps[2:]


def test_it_goes_on_while_files_are_swapped_and_begins_anew_if_it_was_edited(noisy: Path) -> None:
    def beeps_after(old: str, new: str) -> list[str]:
        library = load_library(noisy)
        view = View(library, library.find("system", "noise"))
        run = Run(view, VirtualClock(), Journal.in_memory(), RunSpec(scenario="noise"))
        edited = iter([True])

        def look() -> None:
            if run.clock.now() == 2 and next(edited, False):
                tree = noisy / "depot_main.tree.yaml"
                edit(tree, old, new)
                swap(run, load_library(noisy), ["depot_main.tree.yaml"])
                edit(tree, new, old)

        run.loop.before_tick.append(look)
        assert run.go().ok
        return [str(r.data["text"]) for r in run.journal.records if r.kind == "log"]

    beeps = [f"beep {n} of 4" for n in range(1, 5)]
    assert beeps_after("log: end", "log: fin") == ["begin", *beeps]
    again = [f"beep {n} of 3" for n in range(1, 4)]
    assert beeps_after("beep: 4", "beep: 3") == ["begin", "beep 1 of 4", *again]


def test_it_is_drawn_by_its_icon_and_words_in_files_and_runs(
    treec: Treec, noisy: Path, tmp_path: Path
) -> None:
    assert "♪ beep 4 times" in treec("render", "noisy", "-L", noisy).out
    treec("render", "noisy", "-L", noisy, "-o", tmp_path / "noisy.svg")
    assert "M6 12V3L13 2V11" in (tmp_path / "noisy.svg").read_text("utf-8")
    runs = tmp_path / "runs"
    treec("run", "noise", "--scenario", "noise", "-L", noisy, "--fast", "--runs", runs)
    (folder,) = runs.iterdir()
    (tree,) = (r["data"]["nodes"] for r in records(folder) if r["kind"] == "tree")
    assert [node["kind"] for node in tree] == ["sequence", "log", "beep", "log"]


def test_it_has_an_element_of_its_own_in_xml(treec: Treec, noisy: Path, tmp_path: Path) -> None:
    xml = tmp_path / "noisy.xml"
    result = treec("export", "noisy", "--to", "btcpp", "-L", noisy, "-o", xml)
    text = xml.read_text("utf-8")
    assert '<Beep num_beeps="4" every="2.0"/>' in text
    assert '<Action ID="Beep">' in text
    assert "'beep' has no counterpart" not in result.out + result.err
    assert "{beep: 4, every: 2.0}" in treec("import", xml).out


class NoNode:
    """Not a model of nodes."""


@pytest.mark.parametrize(
    ("key", "spec", "problem"),
    [
        ("beep", 7, "is not a treec.NodeSpec"),
        ("beep", replace(NODE, model=NoNode), "its model is not a treec.files.nodes.NodeBase"),
        ("boop", NODE, "BeepNode has no field 'boop'"),
        ("every", NODE, "its key is 'beep', not 'every'"),
    ],
)
def test_a_specification_that_cannot_be_used(
    monkeypatch: pytest.MonkeyPatch, key: str, spec: object, problem: str
) -> None:
    monkeypatch.setattr(beep, "NODE", spec)
    with (
        using(Extension("mine", nodes={key: "tests.extensions.plus.beep:NODE"})),
        pytest.raises(ExtensionError) as caught,
    ):
        _load(key, "tests.extensions.plus.beep:NODE")
    assert str(caught.value).startswith("the extension 'mine': tests.extensions.plus.beep:NODE")
    assert str(caught.value).endswith(problem)
