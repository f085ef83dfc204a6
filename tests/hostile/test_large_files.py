"""Huge files take work in proportion to their size: calls and nodes are counted, not seconds."""

from __future__ import annotations

import os
import shutil
import sys
from pathlib import Path
from typing import Any

import pytest

from benchmarks import hostile
from treec.check import check_library
from treec.check.cache import errors_of
from treec.compile.standalone import BuildError, build_file
from treec.files import types
from treec.files.library import load_library
from treec.files.view import views_of
from treec.render.from_files import tree_graph
from treec.render.graph import CannotDraw
from treec.source import diagnostics
from treec.source.diagnostics import Diagnostic, did_you_mean
from treec_sapien.bodies import placement_check

BASE = Path(__file__).parents[1] / "check" / "base"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return Path(shutil.copytree(BASE, tmp_path / "library"))


def problems(folder: Path, files: hostile.Files) -> list[Diagnostic]:
    hostile.write(files, folder)
    return check_library(load_library(folder))


class Counter:
    """Counts the calls of a function, which it replaces."""

    def __init__(self, patch: pytest.MonkeyPatch, module: Any, name: str) -> None:
        self.calls = 0
        real = getattr(module, name)

        def counted(*args: Any, **kwargs: Any) -> Any:
            self.calls += 1
            return real(*args, **kwargs)

        patch.setattr(module, name, counted)


def test_of_many_names_few_are_compared(monkeypatch: pytest.MonkeyPatch) -> None:
    compared: list[int] = []
    real = diagnostics.difflib.get_close_matches

    def get_close_matches(word: str, among: list[str], *args: Any) -> list[str]:
        compared.append(len(among))
        return real(word, among, *args)

    monkeypatch.setattr(diagnostics.difflib, "get_close_matches", get_close_matches)
    known = [f"subtask number {n}" for n in range(3000)]
    assert did_you_mean("subtask nmuber 1234", known) == "subtask number 1234"
    assert compared == [diagnostics.COMPARED_NAMES]
    assert did_you_mean("something else", known) is None
    assert did_you_mean("zzz", known) is None


def test_a_name_among_many_is_found_as_among_few() -> None:
    words = ["wash", "slice", "peel", "carry", "open", "close", "fill", "empty", "stack", "scan"]
    known = [f"{verb}_{thing}" for verb in words for thing in ("crate", "kettle", "drawer", "lid")]
    many = [*known, *(f"other_{n:03}" for n in range(100))]
    for name in known:
        for at in range(1, len(name) - 1):
            slip = name[:at] + name[at + 1] + name[at] + name[at + 2 :]
            if slip != name:
                assert did_you_mean(slip, many) == did_you_mean(slip, known)


@pytest.mark.parametrize(
    ("files", "code", "count"),
    [
        (hostile.misspelt_after(120), "TC505", 120),
        (hostile.misspelt_options(100), "TC401", 100),
        (hostile.misspelt_places(200), "TC510", 200),
    ],
    ids=["after", "options", "places"],
)
def test_every_slip_of_many_is_reported(
    folder: Path, files: hostile.Files, code: str, count: int
) -> None:
    found = [problem for problem in problems(folder, files) if problem.code == code]
    assert len(found) == count


@pytest.mark.thorough
def test_types_are_compared_once_for_each_type_not_for_each_thing(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    calls = []
    for count in (100, 400):
        counter = Counter(monkeypatch, types.TypeTree, "fits")
        problems(folder, hostile.misspelt_places(count))
        calls.append(counter.calls)
        monkeypatch.undo()
    assert calls[1] < 5 * calls[0]


def test_of_things_in_one_place_few_pairs_are_measured(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    counter = Counter(monkeypatch, placement_check, "depth")
    found = problems(folder, hostile.stacked_scene(100))
    assert len({it.span for it in found if it.code == "TC802"}) == 99
    assert counter.calls <= placement_check.MOST_OVERLAPS * 100


EXPANDED = {
    "trees": (hostile.doubled_trees(40), "trees/huge.tree.yaml:155:5"),
    "loops": (hostile.nested_loops(12, 10), "trees/huge.tree.yaml:14:30"),
    "decisions": (hostile.doubled_decisions(40), "prompts/demo/huge.decision.yaml"),
}


@pytest.mark.parametrize("name", EXPANDED)
def test_what_expands_too_far_is_told_in_its_place(name: str, folder: Path) -> None:
    files, place = EXPANDED[name]
    found = [it for it in problems(folder, files) if it.code == "TC313"]
    assert 1 <= len(found) <= 2  # the innermost; of decisions, two
    assert all(str(it.span).startswith(place) for it in found)


@pytest.mark.parametrize("name", ["trees", "decisions"])
def test_what_expands_too_far_is_not_drawn(
    name: str, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("treec.render.from_files.MAX_NODES", 100)
    hostile.write(EXPANDED[name][0], folder)
    for view in views_of(load_library(folder)):
        entry = view.find("tree", "level_0")
        if entry is not None:
            with pytest.raises(CannotDraw) as refused:
                tree_graph(view, entry)
            (problem,) = refused.value.problems
            assert problem.span.path == "trees/huge.tree.yaml"
            return
    raise AssertionError("there is no tree level_0")


def test_what_expands_too_far_is_not_built(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("treec.compile.build.MAX_NODES", 100)
    hostile.write(EXPANDED["trees"][0], folder)
    with pytest.raises(BuildError, match="more than 100 nodes") as refused:
        build_file(folder / "trees/huge.tree.yaml")
    assert refused.value.span is not None
    assert refused.value.span.path.endswith("huge.tree.yaml")


@pytest.mark.parametrize("name", ["pipe.task.yaml", "pipe.yaml", "pipe.system.yaml"])
def test_a_pipe_is_not_read(name: str, folder: Path) -> None:
    """A reader of the pipe would wait for ever: opening one raises here."""
    os.mkfifo(folder / name)

    def opened(event: str, args: tuple[object, ...]) -> None:
        if event == "open" and str(args[0]) == str(folder / name):
            raise AssertionError("a pipe was opened")

    sys.addaudithook(opened)
    library = load_library(folder)
    codes = [problem.code for problem in library.diagnostics]
    assert codes == (["TC001"] if name != "pipe.yaml" else [])
    errors_of(library)
