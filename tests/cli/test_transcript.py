"""Commands in a copy of the warehouse and all that they print, errors above all."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.cli.conftest import Treec
from tests.support import transcript


@pytest.mark.thorough
def test_transcript(treec: Treec, library: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(library)
    transcript.check(Path(__file__).with_name("transcript.txt"), library, treec)
