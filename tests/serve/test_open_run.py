"""Moments of a run that is looked at, found from states that are kept on the way."""

from __future__ import annotations

import random
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

from tests.serve.test_app import library, runs  # noqa: F401  # fixtures
from tests.support.bench import Bench
from tests.support.files import tree
from treec.program.faults import read_fault
from treec.run.folder import JOURNAL
from treec.run.replay import ReplayMoment, state_at
from treec.run.state import RunState
from treec.world.journal import Record
from treec_serve import open_run
from treec_serve.moments import facts_data, faults_data, status_data, team_data, timeline_data
from treec_serve.open_run import OpenRun


def told(state: RunState) -> object:
    return (
        state.records,
        state.t,
        state.tick,
        state.ended,
        status_data(state),
        team_data(state),
        facts_data(state),
        timeline_data(state),
    )


@pytest.fixture
def run(runs: Path, monkeypatch: pytest.MonkeyPatch) -> OpenRun:  # noqa: F811
    """A run of the warehouse, with few and far states kept."""
    monkeypatch.setattr(open_run, "EVERY", 5)
    monkeypatch.setattr(open_run, "MOST", 6)
    (journal,) = runs.glob(f"*/{JOURNAL}")
    found = OpenRun(journal)
    assert found.update() > 60
    return found


@pytest.mark.thorough
def test_a_moment_is_what_all_records_before_it_make(run: OpenRun) -> None:
    ticks = [ReplayMoment(tick=tick) for tick, _ in run._ticks]
    ticks.append(ReplayMoment(tick=run.state.tick + 1))
    times = [ReplayMoment(record.t) for record in run.records]
    rng = random.Random(3)
    between = [ReplayMoment(rng.uniform(0, run.state.t)) for _ in range(30)]
    moments = [*ticks, *times, *between]
    rng.shuffle(moments)  # a state that was kept must not change with what is found from it
    for moment in moments:
        assert told(run.state_at(moment)) == told(state_at(run.records, moment)), moment


def test_a_tick_that_changed_nothing_lies_between_those_that_are_recorded(run: OpenRun) -> None:
    """The slider showed what came after it, up to a minute later, for each of many ticks."""
    tick, n = run.state.tick + 70, run.records[-1].n + 1
    run._take([Record(n, 900.0, "ticked", "engine", {"tick": tick, "to": {}})])
    (_, begin), (_, end) = run._ticks[-2:]
    for part in (0.25, 0.75):
        found = run.state_at(ReplayMoment(tick=tick - 70 + round(70 * part)))
        assert found.t <= begin + part * (end - begin) + 1
        assert tick - 70 <= run.tick_at(found) < tick
    assert run.tick_at(run.state_at(ReplayMoment(tick=tick))) == tick


def test_few_records_are_read_for_a_moment(run: OpenRun, monkeypatch: pytest.MonkeyPatch) -> None:
    taken: list[int] = []
    take = RunState.take

    def note(self: RunState, record: object) -> object:
        taken.append(1)
        return take(self, record)  # type: ignore[arg-type]

    monkeypatch.setattr(RunState, "take", note)
    run.state_at(ReplayMoment(tick=run.state.tick - 1))
    assert len(taken) < len(run.records) / 3


def test_no_more_states_are_kept_than_that(run: OpenRun) -> None:
    assert 3 <= len(run._kept) <= 6
    kept = [0, *(one.records for one in run._kept), len(run.records)]
    assert all(0 < b - a < len(run.records) / 3 for a, b in pairwise(kept))


def test_what_was_injected_is_taken_back_as_long_as_it_stands(tmp_path: Path) -> None:
    """Each kind of fault has its contrary; carried out, nothing is left to take back."""
    b = Bench(tmp_path, tree("wait: 60s"))
    b.tick()
    journal = OpenRun(tmp_path / JOURNAL)

    def undo() -> list[list[str]]:
        b.tick()
        journal._take(b.journal.records[len(journal.records) :])
        found: Any = faults_data(journal.faults_before(journal.state.records), journal.state)
        return [one["undo"] for one in found]

    def inject(*texts: str) -> None:
        for text in texts:
            b.run.injector.post(read_fault(text, b.run.view), "somebody")

    before = [b.fact("at", item) for item in ("pepper", "salt")]
    inject("set at(pepper) == none", "unknown at(salt)", "out R1", "fail pick(salt) x2")
    inject("take place in 40s")
    orders = undo()
    assert orders[2:] == [["back R1"], ["back pick"], ["back place"]]
    inject(*(one for order in orders for one in order))
    assert undo() == [[]] * 10
    assert [b.fact("at", item) for item in ("pepper", "salt")] == before
    inject("set at(pepper) == none")
    b.tick()
    inject(f"set at(pepper) == {before[0]}")  # somebody else has changed it since
    assert undo()[-2] == []
