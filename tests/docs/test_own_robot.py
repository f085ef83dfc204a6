"""A robot of one's own in physics: the files and commands of the page."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.docs.pages import ROOT, Typed, Written, agrees, run, steps

PAGE = ROOT / "docs/own_robot.md"


@pytest.fixture(scope="module")
def checked(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The page's library, made, checked and drawn."""
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(tmp_path_factory.mktemp("own_robot"))
        patch.setenv("COLUMNS", "100")
        patch.setenv("NO_COLOR", "1")
        for step in steps(PAGE):
            if isinstance(step, Written):
                Path(step.path).parent.mkdir(exist_ok=True)
                Path(step.path).write_text(step.text, "utf-8")
            elif not step.command.startswith("treec run"):
                _, printed = run(step.command)
                assert agrees(step.shows, printed), f"{step.command} printed\n{printed}"
        return Path.cwd()


@pytest.mark.needs_system("mosaic")
def test_an_arm_that_does_not_ship_is_checked_and_drawn(checked: Path) -> None:
    assert (checked / "kitchen.png").stat().st_size > 20_000


@pytest.mark.slow
@pytest.mark.needs_system("mosaic")
def test_it_cooks(checked: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(checked)
    step = next(s for s in steps(PAGE) if isinstance(s, Typed) and "treec run" in s.command)
    _, printed = run(step.command)
    assert agrees(step.shows, printed), printed
