"""The warehouse, opened once."""

from __future__ import annotations

from pathlib import Path

import pytest

import treec

WAREHOUSE = Path(__file__).parents[2] / "engine/treec/templates/warehouse"


@pytest.fixture(scope="session")
def lib() -> treec.Workspace:
    return treec.open(WAREHOUSE)
