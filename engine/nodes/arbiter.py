"""Stops the skills of an agent when the agent is stopped, whatever the tree says.

Every skill in flight is registered here. When an agent is interrupted, its skills are cancelled at
once, in the same record's wake; until it is resumed none begins. When a subtask is dropped, so are
the skills of whoever is at it. What is to be said of a stop ("R2 has stopped") waits until the
environment says that the agent is at rest; one that does not come to rest in ``REST`` seconds is an
:class:`AgentNotAtRest`, which people are told.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol, runtime_checkable

from treec.nodes.events import AgentNotAtRest
from treec.source.objects import name_of
from treec.team.events import AgentInterrupted, Said, SubtaskDropped
from treec.world.events import Event, flat
from treec.world.failures import Dropped, Failure, Stopped
from treec.world.journal import Record

if TYPE_CHECKING:
    from treec.nodes.runtime import Runtime
    from treec.nodes.skill_run import SkillRun

REST = 2.0
"""Seconds in which an agent must be at rest after its skill was cancelled."""

LOOK = 0.05
"""Seconds between two looks at an agent that is not at rest yet."""


@runtime_checkable
class Rests(Protocol):
    """An environment that can say whether an agent is at rest; without it, a cancelled one is."""

    def is_at_rest(self, agent: str) -> bool:
        """Whether nothing of the agent's robot moves."""


@dataclass(frozen=True)
class _Announcement:
    """Words that wait for agents to be at rest."""

    agents: tuple[str, ...]
    text: str
    by: str
    since: float


class SkillArbiter:
    """The skills in flight, by who does them."""

    def __init__(self, runtime: Runtime) -> None:
        self._runtime = runtime
        self._runs: list[SkillRun] = []
        self._waiting: list[_Announcement] = []
        runtime.world.subscribe(self._follow)

    def begin(self, run: SkillRun) -> None:
        """Register a skill whose worker is about to start."""
        self._runs.append(run)

    def end(self, run: SkillRun) -> None:
        """Forget a skill that has ended."""
        if run in self._runs:
            self._runs.remove(run)

    def in_flight(self, agent: str) -> list[SkillRun]:
        """The skills that an agent does or takes part in."""
        return [run for run in self._runs if agent in _agents(run)]

    def holds(self, run: SkillRun) -> bool:
        """Whether a skill must not begin now, since one of its agents is interrupted."""
        agents = self._runtime.team.now.agents
        return any(
            (agent := agents.get(name)) is not None
            and not agent.person
            and agent.status == "Interrupted"
            for name in _agents(run)
        )

    def announce(self, agents: Iterable[str], text: str, by: str) -> None:
        """Say ``text`` when these agents are at rest."""
        now = self._runtime.clock.now()
        self._waiting.append(_Announcement(tuple(sorted(agents)), text, by, now))
        self._look()

    def _follow(self, record: Record) -> None:
        for event in flat(record.event):
            match event:
                case AgentInterrupted(agent):
                    self._stop(self.stopped_by(event), Stopped(agent))
                case SubtaskDropped(subtasks):
                    self._stop(self.stopped_by(event), Dropped(", ".join(subtasks)))

    def stopped_by(self, event: Event) -> list[SkillRun]:
        """The skills in flight that an event ends."""
        match event:
            case AgentInterrupted(agent):
                return self.in_flight(agent)
            case SubtaskDropped(subtasks):
                return [run for run in self._runs if run.subtask in subtasks]
        return []

    def _stop(self, runs: Sequence[SkillRun], why: Failure) -> None:
        for run in runs:
            run.stop(why)
        if runs:
            self._runtime.wake()

    def _look(self) -> None:
        """Say what agents at rest allow to be said; look again later for the others."""
        runtime, waiting = self._runtime, []
        for told in self._waiting:
            moving = [name for name in told.agents if not self._is_at_rest(name)]
            if moving and runtime.clock.now() - told.since < REST:
                waiting.append(told)
                continue
            for name in moving:
                runtime.world.emit(AgentNotAtRest(name, REST), told.by)
                self._say(f"{name} does not come to rest!", told.by)
            if not moving:
                self._say(told.text, told.by)
        self._waiting = waiting
        if waiting:
            runtime.clock.call_at(runtime.clock.now() + LOOK, self._look)

    def _say(self, text: str, by: str) -> None:
        world = self._runtime.world
        number = world.state["counts"].get("utterance", 0) + 1  # type: ignore[attr-defined]
        world.emit(Said("assistant", text, f"u{number}"), by)

    def _is_at_rest(self, agent: str) -> bool:
        if self.in_flight(agent):
            return False
        environment = self._runtime.environments.opened(self._runtime.runs_in(agent))
        return not isinstance(environment, Rests) or environment.is_at_rest(agent)


def _agents(run: SkillRun) -> set[str]:
    """Who does a skill, and who is named in its arguments."""
    return {run.agent, *(name for value in run.args.values() if (name := name_of(value)))}
