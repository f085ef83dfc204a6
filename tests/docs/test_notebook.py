"""The notebook's cells run, and give what stands below them."""

from __future__ import annotations

import pytest

from docs.make_notebook import main


@pytest.mark.thorough
def test_the_notebook_gives_what_it_shows(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--check"]) == 0, capsys.readouterr().out
