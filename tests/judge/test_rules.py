"""Rules about judges: files, and exactly what `treec check` prints of them."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.check.test_fixtures import assert_prints_exactly


@pytest.mark.parametrize("name", ["TC103", "TC881", "TC882"])
def test_each_fixture_prints_exactly_what_it_says(name: str, tmp_path: Path) -> None:
    assert_prints_exactly(Path(__file__).parent / "files" / f"{name}.yaml", tmp_path / "library")
