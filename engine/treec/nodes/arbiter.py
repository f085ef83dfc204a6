"""Stops the skills of an agent when the agent is stopped, whatever the tree says.

Every skill in flight is registered here. When a robot is interrupted, its skills are cancelled at
once, and none begins until it is resumed. When a subtask is dropped, so are its skills; when one
no longer meets a contract on `skill`, it is stopped, and none begins that would not. The
announcement of an interrupt ("R2 has stopped") waits until the environment says that the robot is
at rest, and is omitted if the robot is resumed before; one that does not come to rest in ``REST``
seconds is an :class:`AgentNotAtRest`, which people are told.
"""

from __future__ import annotations

import threading
from collections.abc import Iterable
from dataclasses import replace
from typing import TYPE_CHECKING

from treec.frozen import frozen
from treec.nodes.events import AgentNotAtRest, SkillForbidden
from treec.nodes.work_log import is_at_or_below
from treec.source.errors import EvaluationProblem, LocatedError
from treec.source.objects import name_of
from treec.source.scope import MappingScope
from treec.team.contracts import SKILL
from treec.team.events import (
    AgentInterrupted,
    AgentResumed,
    Assigned,
    SubtaskDropped,
    SubtaskReleased,
)
from treec.team.sentences import sentence
from treec.world.clock import Timer
from treec.world.events import Event, flat
from treec.world.failures import Dropped, Failure, Forbidden, Stopped, TakenBack
from treec.world.journal import Record

if TYPE_CHECKING:
    from treec.nodes.runtime import Runtime
    from treec.nodes.skill_run import SkillRun

REST = 2.0
"""Seconds in which an agent must be at rest after its skill was cancelled."""

LOOK = 0.05
"""Seconds between two looks at an agent that is not at rest yet."""


@frozen(slots=False)
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
        self._timer: Timer | None = None
        self._over: dict[str, Dropped | TakenBack] = {}
        self._released: set[str] = set()
        self._noted, self.just_ended = set[str](), set[str]()
        self.lock = threading.Lock()
        """Held where it is decided whether a worker begins, and whether it is told to cancel."""
        self.holds_all = False
        """Whether no skill may begin; may be set by any thread. See `treec.run.stop_button`."""
        self._concluding: list[str] = []
        self._asks_rest = False
        runtime.world.subscribe(self._follow)

    def conclude(self, path: str, is_last: bool) -> None:
        """Let no skill begin at or below a path, during the last tick that a node has there."""
        (self._concluding.append if is_last else self._concluding.remove)(path)

    def begin(self, run: SkillRun) -> None:
        """Register a skill whose worker is about to start."""
        self._runtime.stops.forget_failed(run.agent)
        self._runs.append(run)

    def end(self, run: SkillRun) -> None:
        """Forget a skill that has ended, but not before the tick is over whose it was."""
        if run in self._runs:
            self._runs.remove(run)
            self.just_ended |= self._robots(run)

    def in_flight(self, robot: str) -> list[SkillRun]:
        """The skills that a robot does or takes part in; none for a person."""
        return [run for run in self._runs if robot in self._robots(run)]

    def holds(self, run: SkillRun) -> bool:
        """Whether a skill must not begin now: one of its robots is interrupted, or time is over."""
        if self.holds_all or any(is_at_or_below(run.path, top) for top in self._concluding):
            return True
        agents, waits = self._runtime.team.now.agents, self._runtime.environments.waits
        return any(
            agents[name].status == "Interrupted" or waits(name) for name in self._robots(run)
        )

    def find_end(self, agent: str) -> Dropped | TakenBack | None:
        """How the subtask of an agent ended during a skill, until its tree has seen that.

        Skills that the tree begins in the same tick are still for that subtask, and fail as well.
        """
        return self._over.get(agent)

    def note_end(self, agent: str) -> None:
        """The agent's tree has been told in this tick that its subtask is over."""
        self._noted.add(agent)

    def is_released(self, subtask: str) -> bool:
        """Whether a subtask was taken back, and nobody has got it since."""
        return subtask in self._released

    def end_tick(self) -> None:
        """From now on the agents whose trees were told may begin skills without a subtask."""
        for agent in self._noted:
            self._over.pop(agent, None)
        self._noted.clear()
        self.just_ended.clear()

    @property
    def is_awaited(self) -> bool:
        """Whether a robot was told to stop and is not known to be at rest."""
        return self._asks_rest or bool(self._waiting)

    def is_moving(self, agent: str) -> bool:
        """Whether a robot does a skill, or is not at rest after one."""
        return bool(self.in_flight(agent)) or not self._is_at_rest(agent)

    def find_broken_contract(self, run: SkillRun) -> Forbidden | None:
        """Which contract a skill would break now; one that cannot be evaluated is broken."""
        runtime = self._runtime
        contracts = [contract for contract in runtime.contracts if SKILL in contract.heads]
        if not contracts:
            return None
        values = {
            "agent": runtime.team.agent(run.agent) or run.agent,
            "skill": run.skill,
            "args": dict(run.args),
            "subtask": runtime.team.now.subtasks.get(run.subtask or ""),
        }
        for contract in contracts:
            try:
                broken = contract.judge(SKILL, values, run.words, runtime.scope)
            except (LocatedError, EvaluationProblem) as error:
                return Forbidden(contract.name, f"it cannot be evaluated: {error}")
            if broken is not None:
                return Forbidden(contract.name, broken.words)
        return None

    def stop_subtask(self, subtask: str, why: Failure) -> None:
        """Stop the skills in flight of a subtask."""
        self._stop([(run, why) for run in self._at(subtask)])

    def stop_all(self, environment: str, why: Failure) -> None:
        """Stop every skill in flight in an environment."""
        self._stop([(r, why) for r in self._runs if self._runtime.runs_in(r.agent) == environment])

    def tell_all(self) -> None:
        """Tell every foreign worker in flight to cancel, from any thread."""
        self.tell(self._runs)

    def hold_all(self) -> None:
        """The same, and let no skill begin from now on."""
        with self.lock:
            self.holds_all = True
        self.tell_all()

    def confirm(self, seconds: float) -> list[str]:
        """Tell all, and give them so many real seconds; from any thread. Returns who does not."""
        self.hold_all()
        return [run.title for run in tuple(self._runs) if not run.has_confirmed(seconds)]

    def cancel_all(self) -> None:
        """Cancel every skill in flight, at the end of a run."""
        self.hold_all()
        for run in tuple(self._runs):
            run.cancel()

    def tell_below(self, path: str) -> None:
        """Tell the foreign workers of a node, and of those below it, before these are halted."""
        self.tell(run for run in self._runs if is_at_or_below(run.path, path))

    def tell(self, runs: Iterable[SkillRun]) -> None:
        """Tell foreign workers to cancel, so that none waits for another that hangs."""
        for run in tuple(runs):
            run.tell()

    def announce(self, texts: Iterable[tuple[tuple[str, ...], str]], by: str) -> None:
        """Say each text when its agents are at rest."""
        now = self._runtime.clock.now()
        self._waiting += [_Announcement(agents, text, by, now) for agents, text in texts]
        self._look()

    def _follow(self, record: Record) -> None:
        self.tell(run for event in flat(record.event) for run in self._ended_by(event))
        for event in flat(record.event):
            match event:
                case AgentInterrupted(agent):
                    self._stop([(run, Stopped(agent)) for run in self.in_flight(agent)])
                case AgentResumed(agent):
                    self._waiting = [
                        replace(words, agents=others)
                        for words in self._waiting
                        if (others := tuple(name for name in words.agents if name != agent))
                    ]
                case SubtaskDropped(subtasks):
                    self._end_subtasks(map(Dropped, subtasks))
                case SubtaskReleased(subtasks):
                    self._released.update(subtasks)
                    self._end_subtasks(map(TakenBack, subtasks))
                case Assigned(subtasks=subtasks):
                    self._released.difference_update(subtasks)

        for run in tuple(self._runs):
            if why := self.find_broken_contract(run):
                self._stop([(run, why)])
                self._announce_forbidden(run, why)

    def _ended_by(self, event: Event) -> list[SkillRun]:
        """The skills in flight that an event ends."""
        match event:
            case AgentInterrupted(agent):
                return self.in_flight(agent)
            case SubtaskDropped(subtasks) | SubtaskReleased(subtasks):
                return [run for subtask in subtasks for run in self._at(subtask)]
        return []

    def _end_subtasks(self, ends: Iterable[Dropped | TakenBack]) -> None:
        over = [(run, why) for why in ends for run in self._at(why.subtask)]
        self._over.update((run.owner, why) for run, why in over)
        self._stop(over)

    def _announce_forbidden(self, run: SkillRun, why: Forbidden) -> None:
        runtime = self._runtime
        event = SkillForbidden(why.contract, run.words, run.agent, why.reason)
        runtime.world.emit(event, run.path)
        text = sentence(runtime.view, "forbidden")
        if text is not None:
            values = {"agent": run.agent, "reason": why.reason}
            runtime.say(text.render(MappingScope(values)), run.path)

    def _at(self, subtask: str) -> list[SkillRun]:
        return [run for run in self._runs if run.subtask == subtask]

    def _stop(self, runs: Iterable[tuple[SkillRun, Failure]]) -> None:
        runs = tuple(runs)
        self.tell(run for run, _ in runs)
        for run, why in runs:
            run.stop(why)
            self._runtime.wake()

    def _look(self) -> None:
        """Say what agents at rest allow to be said; look again later for the others."""
        runtime, waiting, alarms = self._runtime, [], []
        now = runtime.clock.now()
        texts: dict[str, list[str]] = {}
        for words in self._waiting:
            moving = [name for name in words.agents if not self._is_at_rest(name)]
            if not moving:
                texts.setdefault(words.by, []).append(words.text)
            elif now < words.since + REST:
                waiting.append(words)
            else:
                alarms += [(name, words.by) for name in moving]
        self._waiting = waiting
        if waiting and self._timer is None:
            due = min(now + LOOK, *(words.since + REST for words in waiting))
            self._timer = runtime.clock.call_at(due, self._recheck)
        for name, by in dict.fromkeys(alarms):
            runtime.world.emit(AgentNotAtRest(name, REST), by)
            alarm = sentence(runtime.view, "not_at_rest")
            if alarm is not None:
                texts.setdefault(by, []).append(alarm.render(MappingScope({"agent": name})))
        for by, sentences in texts.items():
            runtime.say(" ".join(dict.fromkeys(sentences)), by)

    def _recheck(self) -> None:
        self._timer = None
        self._look()

    def _is_at_rest(self, agent: str) -> bool:
        if not self._runtime.stops.is_confirmed(agent):
            return False
        environment = self._runtime.environments.find_open(self._runtime.runs_in(agent))
        if environment is None:
            return True
        self._asks_rest = True
        try:
            return environment.is_at_rest(agent)
        finally:
            self._asks_rest = False

    def _robots(self, run: SkillRun) -> set[str]:
        """Who does a skill, whose subtask it belongs to, and who is named in its arguments."""
        team = self._runtime.team.now
        subtask = team.subtasks.get(run.subtask) if run.subtask is not None else None
        helpers = subtask.helpers if subtask is not None else ()
        values = (name_of(value) or value for value in run.args.values())
        names = {run.agent, run.owner, *helpers, *(n for n in values if isinstance(n, str))}
        return {name for name in names if name in team.agents and not team.agents[name].person}
