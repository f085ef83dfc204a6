"""What a snapshot of the team costs depends on what has changed, not on how much there is."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import cast

import pytest

from tests.support.library import ROOT, copy_warehouse
from treec.files.library import load_library
from treec.files.view import View
from treec.run.run import Run
from treec.team import work
from treec.team.crew import Crew
from treec.team.entities import Agent, Subtask
from treec.team.knowledge import Knowledge
from treec.team.state import FINISHED, AgentState, SubtaskState, is_ready
from treec.team.talk_subtasks import TalkSubtasks
from treec.team.team import Team, can_begin
from treec.team.work import Work
from treec.world.clock import VirtualClock
from treec.world.journal import Journal
from treec.world.persistent import PersistentMap
from treec.world.spec import RunSpec

MANY = 500


class _Knowledge:
    """What is known of so many robots."""

    def __init__(self, number: int) -> None:
        spec = SimpleNamespace(is_="Robot", about="", can=())
        self.agents = {f"R{n}": spec for n in range(number)}


@pytest.fixture
def made(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The ids of the subtasks whose entities are made."""
    ids: list[str] = []
    make = work._subtask

    def count(id: str, stored: SubtaskState, others: Mapping[str, SubtaskState]) -> Subtask:
        ids.append(id)
        return make(id, stored, others)

    monkeypatch.setattr(work, "_subtask", count)
    return ids


def chain(length: int) -> dict[str, SubtaskState]:
    """Subtasks that wait for one another."""
    return {
        str(n): SubtaskState(f"step {n}", after=(str(n - 1),) if n else ()) for n in range(length)
    }


def test_one_change_makes_one_entity_and_those_whose_turn_it_is(made: list[str]) -> None:
    stored = chain(MANY)
    first = Work.of(stored, "", None)
    assert [s.id for s in first.listed if s.ready] == ["0"]
    made.clear()
    for n in range(MANY - 1):
        stored = {**stored, str(n): replace(stored[str(n)], status="running", agent="R1")}
        running = Work.of(stored, "", first)
        stored = {**stored, str(n): replace(stored[str(n)], status="done")}
        first = Work.of(stored, "", running)
        assert [s.id for s in first.listed if s.ready] == [str(n + 1)]
    assert len(made) == 3 * (MANY - 1)
    assert first.finished == MANY - 1


def test_new_and_reordered_work_leaves_the_other_entities(made: list[str]) -> None:
    stored = chain(MANY)
    first = Work.of(stored, "", None)
    made.clear()
    wider = {**stored, "new": SubtaskState("one more", after=("3",))}
    second = Work.of(wider, "", first)
    assert made == ["new"]
    waits = {**wider, "5": replace(wider["5"], after=("4", "new"))}
    third = Work.of(waits, "", second)
    done = {**waits, "new": replace(waits["new"], status="done")}
    done["4"] = replace(waits["4"], status="done")
    assert [s.id for s in Work.of(done, "", third).listed if s.ready] == ["0", "5"]


def test_nothing_is_made_where_no_subtask_has_changed(made: list[str]) -> None:
    stored = chain(MANY)
    first = Work.of(stored, "", None)
    made.clear()
    assert Work.of(stored, "", first) is first
    other = Work.of(stored, "another recipe", first)
    assert other.subtasks is first.subtasks
    assert made == []


def test_one_change_makes_one_agent(monkeypatch: pytest.MonkeyPatch) -> None:
    """Agents are made anew when they or their subtasks have changed."""
    made: list[str] = []
    make = Crew._agent

    def count(crew: Crew, name: str) -> Agent:
        made.append(name)
        return make(crew, name)

    monkeypatch.setattr(Crew, "_agent", count)
    knowledge = cast("Knowledge", _Knowledge(MANY))
    agents = PersistentMap((f"R{n}", AgentState()) for n in range(MANY))
    stored = PersistentMap(chain(MANY))
    work = Work.of(stored, "", None)
    crew = Crew.of(agents, work, knowledge, None)
    assert len(made) == MANY
    made.clear()
    for n in range(MANY):
        agents = agents.set(f"R{n}", AgentState(status="Running", current=str(n)))
        crew = Crew.of(agents, work, knowledge, crew)
        stored = stored.set(str(n), replace(stored[str(n)], status="running", agent=f"R{n}"))
        work = Work.of(stored, "", work)
        crew = Crew.of(agents, work, knowledge, crew)
        current = crew.agents[f"R{n}"].current
        assert current is work.subtasks[str(n)]
        assert crew.listed[n] is crew.agents[f"R{n}"]
    # each once for itself and for its subtask, and when the one before makes its own ready
    assert len(made) <= 3 * MANY


def test_subtasks_for_parsers_are_kept() -> None:
    stored = PersistentMap(chain(MANY))
    first = Work.of(stored, "", None)
    talk = TalkSubtasks()
    before = talk.of(first.listed, ())
    second = Work.of(stored.set("7", replace(stored["7"], status="done")), "", first)
    after = talk.of(second.listed, ())
    assert [one.id for one, other in zip(before, after, strict=True) if one is not other] == [
        "7",
        "8",
    ]
    assert (after[7].status, after[8].status) == ("done", "ready")
    assert [s.id for s in talk.of(second.listed, {"3"}) if s.status == "running"] == ["3"]


@pytest.mark.needs_system("mosaic")
@pytest.mark.parametrize(
    ("system", "scenario"),
    [("mosaic", "caesar_salad"), ("mosaic", "called_off"), ("warehouse", "morning_shift")],
)
def test_entities_and_proposals_are_those_of_a_team_made_anew(
    tmp_path: Path, system: str, scenario: str
) -> None:
    root = copy_warehouse(tmp_path / "library") if system == "warehouse" else ROOT
    library = load_library(root)
    view = View(library, library.find("system", system))
    proposed: list[object] = []

    def compare() -> None:
        fresh = Team(run.world, run.knowledge)
        team = run.team
        assert list(team.subtasks) == list(fresh.subtasks)
        assert team.work == fresh.work
        stored = run.world.state["subtasks"]
        assert [s.ready for s in team.subtasks] == [is_ready(s, stored) for s in stored.values()]
        available = [s for s in team.subtasks if s.ready]
        if system == "warehouse":
            assert run.scope.lookup("available") == available
            assert run.scope.lookup("available") is run.scope.lookup("available")
        for since, ahead in ((-1.0, 0), (run.clock.now(), 1)):
            found = team.suggest(available, team.agents, since, ahead)
            assert found == tuple(one_by_one(team, available, since, ahead))
            proposed.extend(found)

    run = Run(
        view, VirtualClock(), Journal.in_memory(), RunSpec(scenario=scenario), after_tick=[compare]
    )
    assert run.go().ok
    assert proposed


def one_by_one(team: Team, available: list[Subtask], since: float, ahead: int) -> list[object]:
    """What to propose: each free agent and each subtask is looked at."""
    wanted = [s for s in available if s.id not in {p.subtask.id for p in team.now.open}]
    busy = {p.agent.name for p in team.now.open if not p.drop}

    def is_free(agent: Agent) -> bool:
        waits = not any(can_begin(s, team.now.subtasks) for s in agent.queue)
        return agent.status == "Idle" and agent.current is None and waits

    free = sorted(filter(is_free, team.agents), key=lambda a: (a.person, a.name))
    at_work = [a for a in team.agents if a.status == "Running" and not a.person and a not in free]
    late = sorted((a for a in at_work if len(a.queue) < ahead), key=lambda a: a.name)
    found: list[object] = []
    finished = sum(1 for s in team.subtasks if s.status in FINISHED)
    for agent in (*free, *late):
        if agent.name in busy:
            continue
        for subtask in wanted:
            declined = any(
                (p.agent, p.subtask, p.status, p.drop, p.done)
                == (agent.name, subtask.id, "declined", False, finished)
                and p.t > since
                for p in team.world.state["proposals"].values()
            )
            could = any(team._may_try(a, subtask) for a in team.agents if not a.person)
            if team._may_try(agent, subtask) and not declined and not (agent.person and could):
                found.append({"agent": agent, "subtask": subtask})
                wanted.remove(subtask)
                break
    return found
