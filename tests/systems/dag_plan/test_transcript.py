"""`treec plan` on graphs, plans and teams with something wrong in them, and what it prints."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.cli.conftest import Treec
from tests.support import transcript


@pytest.mark.thorough
def test_transcript(treec: Treec, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    transcript.check(Path(__file__).with_name("transcript.txt"), tmp_path, treec)
