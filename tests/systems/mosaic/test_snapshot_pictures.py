"""The pictures of tutorial 3 are what `treec snapshot` prints of its files."""

from __future__ import annotations

import pytest

from docs.make_snapshot_pictures import main


@pytest.mark.thorough
def test_the_pictures_are_up_to_date(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--check"]) == 0, capsys.readouterr().out
