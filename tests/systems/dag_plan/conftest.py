"""Runs of the system dag_plan, on the virtual clock and with scripted answers."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
import yaml

from treec.ask.transport import Scripted, ScriptedAnswer, ScriptedTransport
from treec.files.library import Library, load_library
from treec.files.systems import ScenarioFile
from treec.files.view import View, in_scene
from treec.run.run import Run, RunOutcome
from treec.run.state import fold
from treec.run.timeline import Timeline, timeline_of
from treec.world.clock import VirtualClock
from treec.world.journal import Journal, Record, events
from treec.world.spec import RunSpec
from treec_dag_plan.events import Planned

ROOT = Path(__file__).parents[3]
ANSWERS = Path(__file__).parent / "answers"
SOUP = "heat the soup and put the tin on the table"


@dataclass
class Went:
    """A run that is over."""

    run: Run
    outcome: RunOutcome
    journal: Journal
    transport: ScriptedTransport | None

    def told(self, kind: str) -> list[Record]:
        """The events of a kind, in order."""
        return [e for record in self.journal.records for e in events(record) if e.kind == kind]

    @property
    def times(self) -> Timeline:
        """Who was at what, and when."""
        return timeline_of(fold(self.journal.records))

    @property
    def plans(self) -> list[Planned]:
        """The task graphs that were made, in order."""
        return [event for _, event in self.times.schedules if isinstance(event, Planned)]

    def did(self, agent: str) -> list[str]:
        """The subtasks that an agent was at and that got done."""
        return [s.subtask for s in self.times.spans if s.agent == agent and s.ended == "done"]

    def fact(self, name: str, *args: str) -> object:
        """A fact's value at the end."""
        found = self.run.world.facts.get(name, args)
        return None if found is None else found.value


Go = Callable[..., Went]


@pytest.fixture(scope="session")
def project() -> Library:
    """The project's own library."""
    return load_library(ROOT)


@pytest.fixture
def go(project: Library) -> Go:
    """Runs a task, or a scenario's steps, to the end."""

    def run(
        task: str,
        scene: str = "kitchen_2",
        *,
        name: str = "dag_plan",
        answers: Sequence[ScriptedAnswer | Scripted] | None = None,
        goals: Sequence[ScriptedAnswer | Scripted] = (),
        by: str = "scripted",
        faults: Sequence[str] = (),
        finally_: str = "plan_status in ['done', 'failed']",
        memories: Path | None = None,
    ) -> Went:
        system = project.find("system", name)
        assert system is not None
        clock, journal = VirtualClock(), Journal.in_memory()
        transport = None
        if answers is not None:
            asked = {"dag_plan_tp_s": "TP_S", "dag_plan_tp_d": "TP_D"}.get(name, "Task_Graph")
            scripts = {asked: answers, "Task_Goal": goals}
            transport = ScriptedTransport(scripts, clock=clock, by=by)
        view = View(project, in_scene(system, scene))
        entry = project.find("scenario", "arm_drops_out")
        assert entry is not None
        model = ScenarioFile.model_validate(
            {
                "scenario": "test",
                "system": name,
                "task": task,
                "faults": list(faults),
                "expect": {"finally": finally_, "within": "20m"},
            }
        )
        scenario = type(entry)(entry.kind, "test", model, entry.node, entry.file)
        made = Run(
            view.including(scenario),
            clock,
            journal,
            RunSpec(scenario=scenario.name, seed=0, memories=memories),
            transport=transport,
        )
        return Went(made, made.go(), journal, transport)

    return run


def by_hand(task: str) -> dict[str, Any]:
    """A recorded answer that was written by hand."""
    loaded = yaml.safe_load((ANSWERS / f"{task}.yaml").read_text("utf-8"))
    assert loaded["by"] == "hand"
    answer: dict[str, Any] = loaded["answer"]
    return answer
