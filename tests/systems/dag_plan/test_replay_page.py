"""docs/replay.md: what its commands print is what stands there."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.docs.pages import ROOT, Typed, agrees, copy_library, run, steps


@pytest.mark.thorough
@pytest.mark.needs_system("mosaic")
def test_the_page_shows_what_is_printed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(copy_library(tmp_path / "library"))
    monkeypatch.setenv("NO_COLOR", "1")
    typed = 0
    for step in steps(ROOT / "docs" / "replay.md"):
        assert isinstance(step, Typed)
        status, printed = run(step.command)
        assert status == 0, printed
        assert agrees(step.shows, printed), f"line {step.line}: {step.command}\n{printed}"
        typed += 1
    assert typed == 8
