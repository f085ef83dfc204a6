"""The worker of the household's skills holds under the trials of `treec check --deep`."""

from __future__ import annotations

import pytest

from tests.support.library import ROOT
from treec.api.find import find_library
from treec.conformance.report import try_subjects
from treec.conformance.subjects import find_subjects

pytestmark = pytest.mark.needs_system("household")


@pytest.mark.parametrize("skill", ["pickup", "place", "look_for", "change_state", "do_nothing"])
def test_its_worker_passes(skill: str) -> None:
    report = try_subjects(find_subjects(find_library(ROOT), skill))
    assert report.ok, report
