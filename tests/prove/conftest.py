"""What a proof changes in the process is as it was for other tests."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from treec.nodes.pace import OrderPace
from treec_prove.steps import undo_rewindable
from treec_prove.undecided import undo_choosing


@pytest.fixture(autouse=True)
def programs_as_they_were() -> Iterator[None]:
    yield
    undo_rewindable()
    undo_choosing()
    assert OrderPace().at_once > 0  # of other runs orders that end at once are paced as ever
