"""The command line of studies."""

from __future__ import annotations

from functools import partial

import pytest

from tests.cli.conftest import Treec
from tests.experiments.conftest import Experiment


@pytest.fixture
def study_command(experiment: Experiment) -> Treec:
    """Runs `python -m experiments.mosaic.study` with arguments."""
    return partial(experiment, "mosaic.study.command")
