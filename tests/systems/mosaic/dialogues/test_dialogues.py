"""MOSAIC's answers, without a model, read as the person reads them."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.support import dialogues
from tests.systems.mosaic.table import library
from treec.files.view import View

FILES = sorted(Path(__file__).parent.glob("*.txt"))


@pytest.mark.few(1, thorough=4)
@pytest.mark.parametrize("file", FILES, ids=lambda file: file.stem)
def test_what_people_hear(file: Path) -> None:
    system = "helper" if file.stem.startswith("helper") else "mosaic"
    dialogues.check(file, View(library(), library().find("system", system)))
