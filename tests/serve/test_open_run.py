"""Moments of a run that is looked at, found from states that are kept on the way."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from tests.serve.test_app import library, runs  # noqa: F401  # fixtures
from treec.run.folder import JOURNAL
from treec.run.replay import ReplayMoment, state_at
from treec.run.state import RunState
from treec_serve import open_run
from treec_serve.moments import facts_data, status_data, team_data, timeline_data
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
    ticks = [ReplayMoment(tick=tick) for tick in range(1, run.state.tick + 2)]
    times = [ReplayMoment(record.t) for record in run.records]
    rng = random.Random(3)
    between = [ReplayMoment(rng.uniform(0, run.state.t)) for _ in range(30)]
    moments = [*ticks, *times, *between]
    rng.shuffle(moments)  # a state that was kept must not change with what is found from it
    for moment in moments:
        assert told(run.state_at(moment)) == told(state_at(run.records, moment)), moment


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
    assert [one.records for one in run._kept] == sorted(one.records for one in run._kept)
