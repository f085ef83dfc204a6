"""Whole runs, watched from their first tick to their last."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.support.library import ROOT, WAREHOUSE
from treec.api.find import find_library, find_system
from treec.api.prepare import prepare
from treec.run.clocks import SteppingClock
from treec.run.events import Ticked, TreeBegun
from treec.run.run import Run
from treec.run.state import fold
from treec.world.journal import Journal, Record
from treec.world.spec import RunSpec

pytest.importorskip("zmq")
pytest.importorskip("msgpack")
btview = pytest.importorskip("btview.client")

from treec.run.status_recorder import path_of  # noqa: E402
from treec_interchange.groot2 import Groot2Publisher  # noqa: E402


def run_of(library: Path, spec: RunSpec) -> Run:
    found = find_library(library)
    setup = prepare(found, find_system(found, spec.system), spec)
    return Run(setup.view, SteppingClock(), Journal.in_memory(), setup.spec)


def journaled(run: Run) -> dict[str, str]:
    """The statuses of a run's nodes by their paths, from its journal alone, as it goes on."""
    paths: list[str] = []
    statuses: dict[str, str] = {}

    def take(record: Record) -> None:
        match record.event:
            case TreeBegun(nodes):
                paths[:] = [node.path for node in nodes]
                statuses.clear()
                statuses.update(dict.fromkeys(paths, "IDLE"))
            case Ticked(_, to):
                for status, numbers in to.items():
                    shown = "IDLE" if status == "INVALID" else status
                    statuses.update(dict.fromkeys((paths[n] for n in numbers), shown))

    run.world.subscribe(take, traces=True)
    return statuses


@pytest.mark.thorough
@pytest.mark.parametrize(
    ("library", "system", "scenario"),
    [
        (WAREHOUSE, "warehouse", "morning_shift"),
        pytest.param(ROOT, "mosaic", "impatient_user", marks=pytest.mark.needs_system("mosaic")),
    ],
)
def test_a_run_shows_at_each_tick_what_its_journal_has(
    library: Path, system: str, scenario: str
) -> None:
    run = run_of(library, RunSpec(system=system, scenario=scenario))
    statuses = journaled(run)
    ticks = 0
    with Groot2Publisher(run, 0) as publisher:
        monitor = btview.Groot2Client(port=publisher.port, timeout_ms=30_000)
        shown = {node.uid for node in monitor.fetch_tree().walk()}
        assert shown == {*range(1, len(publisher.tree.nodes) + 1)}

        def compare() -> None:
            nonlocal ticks
            ticks += 1
            polled = {uid: state.status.name for uid, state in monitor.poll().statuses.items()}
            assert polled.keys() == shown
            nodes = enumerate(publisher.tree.nodes, 1)
            assert {path_of(node): polled[uid] for uid, node in nodes} == statuses

        run.loop.after_tick.append(compare)
        outcome = run.go()
        values = {
            (path, name): value
            for path, values in monitor.fetch_blackboard().items()
            for name, value in values.items()
        }
        monitor.close()
    assert outcome.ok
    assert ticks > 20
    recorded = fold(run.journal.records).values
    assert {key: found.value for key, found in recorded.items() if found.words.isdecimal()} == {
        key: value for key, value in values.items() if isinstance(value, int)
    }
    assert {key for key, found in recorded.items() if found.value is not None} == {
        key for key, value in values.items() if value is not None
    }


@pytest.mark.thorough
def test_a_watched_run_has_the_journal_of_one_that_is_not() -> None:
    spec = RunSpec(system="warehouse", scenario="morning_shift")
    alone = run_of(WAREHOUSE, spec)
    alone.go()
    watched = run_of(WAREHOUSE, spec)
    with Groot2Publisher(watched, 0) as publisher:
        monitor = btview.Groot2Client(port=publisher.port, timeout_ms=30_000)
        watched.loop.after_tick.append(monitor.poll)
        watched.go()
        monitor.close()
    assert watched.journal.text() == alone.journal.text()
