"""Reading a recorded run, whose decisions are asked again."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from treec.cli.find_run import find_run, read_records

if TYPE_CHECKING:
    from treec_testing.decisions.moments import RecordedRun


def read_run(run: Path, library: Path | None = None) -> RecordedRun:
    """A recorded run. Raises Stop."""
    from treec_testing.decisions.moments import RecordedRun

    journal = find_run(run, None, library)
    return RecordedRun.of(journal, read_records(journal))
