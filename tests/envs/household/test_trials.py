"""The worker of the household's skills holds under the trials of `treec check --deep`."""

from __future__ import annotations

import pytest

from tests.support.library import ROOT
from treec_testing import check_worker

pytestmark = pytest.mark.needs_system("household")


@pytest.mark.few(0, thorough=1)
@pytest.mark.parametrize("skill", ["pickup", "place", "look_for", "do_nothing"])
def test_its_worker_passes(skill: str) -> None:
    check_worker(skill, library=ROOT)
