"""The tutorials and other pages: every file and every command, in a copy of the library."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.docs.pages import ROOT, Typed, Written, agrees, copy_library, run, steps
from tests.support.tiers import first_fast

TRAINS = ROOT / "docs/tutorial/05-learn-a-skill.md"
"""The page that trains a policy."""
PAGES = [
    *sorted(set((ROOT / "docs/tutorial").glob("*.md")) - {TRAINS}),
    ROOT / "docs/dag_plan_running.md",
    ROOT / "docs/planner.md",
    ROOT / "docs/snapshots.md",
]


@pytest.mark.needs_system("mosaic")
@pytest.mark.parametrize(
    "page",
    [*first_fast(PAGES, 1), pytest.param(TRAINS, marks=pytest.mark.slow)],
    ids=lambda page: page.stem,
)
def test_a_tutorial_does_what_it_says(
    page: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    library = copy_library(tmp_path / "library")
    before = {path: path.read_bytes() for path in library.rglob("*") if path.is_file()}
    monkeypatch.chdir(library)
    monkeypatch.setenv("COLUMNS", "100")
    monkeypatch.setenv("NO_COLOR", "1")
    commands = 0
    for step in steps(page):
        if isinstance(step, Written):
            path = Path.cwd() / step.path
            assert path not in before, f"{step.path} is there already: a tutorial adds files"
            path.parent.mkdir(exist_ok=True)
            path.write_text(step.text, "utf-8")
            continue
        commands += 1
        _, printed = run(step.command)
        where = f"{page.relative_to(ROOT)}:{step.line}: {step.command}"
        assert agrees(step.shows, printed), f"{where} printed\n{printed}\nnot\n{step.shows}"
    assert commands > 0
    assert {path: path.read_bytes() for path in before} == before, "a tutorial changes no file"


def test_the_second_tutorial_adds_what_the_readme_promises() -> None:
    made = {step.path.split(".")[1] for step in steps(PAGES[1]) if isinstance(step, Written)}
    assert made == {"action", "agent", "recipe", "contract", "scenario"}
    assert any(isinstance(step, Typed) for step in steps(PAGES[1]))
