"""Appendix F's failures: each ends safely, and the journal names the module that failed."""

from __future__ import annotations

import pytest

from tests.systems.mosaic.table import library
from treec.files.view import View
from treec.run.run import Run
from treec.world.clock import VirtualClock
from treec.world.journal import Journal, events
from treec.world.spec import RunSpec

FAILURES = ("dropped_object", "missed_place", "out_of_sight")
MOVED = ("fallen", "taken_away")


def played(name: str) -> tuple[Run, Journal]:
    found = library().find("scenario", name)
    assert found is not None
    journal = Journal.in_memory()
    view = View(library(), library().find("system", "mosaic"))
    run = Run(view, VirtualClock(), journal, RunSpec(scenario=found.name))
    assert run.go().ok
    return run, journal


@pytest.mark.parametrize("name", [*FAILURES, *MOVED, "garbled_stop", "asked_again", "called_off"])
@pytest.mark.few(3)
def test_it_ends_safely(name: str) -> None:
    run, _ = played(name)
    assert not [a for a in run.team.agents if a.current]


@pytest.mark.parametrize("name", FAILURES)
def test_the_journal_names_the_module(name: str) -> None:
    _, journal = played(name)
    ended = [e for r in journal.records for e in events(r) if e.kind == "skill.ended"]
    failed = [e for e in ended if not e.data["ok"]]
    assert failed
    assert all(e.data["module"] for e in failed)
