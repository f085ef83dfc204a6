"""The tutorials and other pages: every file and every command, in a copy of the library."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.docs.pages import ROOT, Typed, Written, agrees, copy_library, run, steps
from tests.support.tiers import first_fast

DOCS = ROOT / "docs"
SLOW = {DOCS / "tutorial/05-learn-a-skill.md", DOCS / "environments.md"}
"""The page that trains a policy, and one that draws scenes."""
ELSEWHERE = {DOCS / "robot.md", DOCS / "models.md", DOCS / "own_code.md"}
"""Pages with a program that goes on, or whose code has tests of its own."""
PAGES = [
    page
    for page in sorted(DOCS.rglob("*.md"), key=lambda page: (page.parent == DOCS, page))
    if "```console" in page.read_text("utf-8")
    and page.parent.name != "reference"
    and page not in SLOW | ELSEWHERE
]
"""Every other page with a console block: what cannot be typed anywhere stands in one of `sh`."""


@pytest.mark.needs_system("mosaic")
@pytest.mark.parametrize(
    "page",
    [*first_fast(PAGES, 1), *(pytest.param(it, marks=pytest.mark.slow) for it in sorted(SLOW))],
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
        status, printed = run(step.command)
        where = f"{page.relative_to(ROOT)}:{step.line}: {step.command}"
        shown = {*step.shows.split("\n")} - {"", "…"}
        assert status <= bool(shown), f"{where} ended with {status}, and the page does not show why"
        assert agrees(step.shows, printed), f"{where} printed\n{printed}\nnot\n{step.shows}"
    assert commands > 0
    assert {path: path.read_bytes() for path in before} == before, "a tutorial changes no file"


def test_the_second_tutorial_adds_what_the_readme_promises() -> None:
    page = [*steps(DOCS / "tutorial/02-add-a-behaviour.md")]
    made = {step.path.split(".")[1] for step in page if isinstance(step, Written)}
    assert made == {"action", "agent", "recipe", "contract", "scenario"}
    assert any(isinstance(step, Typed) for step in page)
