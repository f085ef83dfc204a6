"""The tutorials and other pages: every file and every command, in a copy of the library."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest
import yaml

from tests.docs.pages import ROOT, Typed, Written, agrees, copy_library, run, steps
from tests.support.tiers import first_fast
from treec_fake_model.thread import FakeModelThread

DOCS = ROOT / "docs"
SLOW = {DOCS / "tutorial/05-learn-a-skill.md", DOCS / "environments.md", DOCS / "own_robot.md"}
"""The page that trains a policy, one that draws scenes, and one that moves a robot."""
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

SERVER = re.compile(r"treec fake-model --port (?P<port>\d+) --script (?P<script>\S+)")
"""A command that goes on while others are typed; its server takes any free port here."""


@pytest.fixture
def fake_model() -> Iterator[Callable[[dict[str, object]], str]]:
    """Starts the server of `treec fake-model`; returns its URL."""
    with ExitStack() as stack:
        yield lambda script: stack.enter_context(FakeModelThread(script)).url


@pytest.mark.needs_system("mosaic")
@pytest.mark.parametrize(
    "page",
    [*first_fast(PAGES, 1), *(pytest.param(it, marks=pytest.mark.slow) for it in sorted(SLOW))],
    ids=lambda page: page.stem,
)
def test_a_tutorial_does_what_it_says(
    page: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, request: pytest.FixtureRequest
) -> None:
    library = copy_library(tmp_path / "library")
    before = {path: path.read_bytes() for path in library.rglob("*") if path.is_file()}
    monkeypatch.chdir(library)
    monkeypatch.setenv("COLUMNS", "100")
    monkeypatch.setenv("NO_COLOR", "1")
    commands, urls = 0, dict[str, str]()
    for step in steps(page):
        if isinstance(step, Written):
            path = Path.cwd() / step.path
            assert path not in before, f"{step.path} is there already: a tutorial adds files"
            path.parent.mkdir(exist_ok=True)
            path.write_text(step.text, "utf-8")
            continue
        commands += 1
        if (server := SERVER.fullmatch(step.command)) is not None:
            script = yaml.safe_load(Path(server["script"]).read_text("utf-8"))
            urls[server["port"]] = request.getfixturevalue("fake_model")(script)
            continue
        command = step.command
        for port, url in urls.items():
            command = command.replace(f"http://127.0.0.1:{port}/v1", url)
        status, printed = run(command)
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
