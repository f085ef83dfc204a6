"""A folder that was deleted under the shell is told."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.cli.conftest import Treec


def test_the_working_folder_is_gone(
    treec: Treec, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    gone = tmp_path / "gone"
    gone.mkdir()
    monkeypatch.chdir(gone)
    gone.rmdir()
    result = treec("check")
    assert result.status == 2
    assert "does not exist any more: cd to one that does" in result.err
    assert "Traceback" not in result.err
