"""A run: builds world, tree and loop of a system from its files, and runs them."""

from __future__ import annotations

import random
from collections.abc import Callable, Container, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from py_trees.common import Status

from treec.ask.driver import Asker, SteppedAsker, ThreadedAsker, deliver_answer
from treec.ask.model_fault import FaultyTransport
from treec.ask.transport import Transport
from treec.compile.build import Compiler
from treec.files.entry import Entry
from treec.files.systems import ScenarioFile, SystemFile
from treec.files.view import View
from treec.memory.embedders import Embedder
from treec.nodes.commit import unsaid_stops
from treec.nodes.faults import FaultPlan
from treec.nodes.foreign import NodeSetupFailed, set_up_nodes
from treec.nodes.make_world import WorldStart, make_world
from treec.nodes.modifiers.on_failure import reason as failure_reason
from treec.nodes.needs import NeedSetup, OpenProviders
from treec.nodes.people import people_of
from treec.nodes.place import CompileError
from treec.nodes.read import Reading
from treec.nodes.recall import close_memories
from treec.nodes.runtime import NodeError, Runtime
from treec.run.clocks import ChattingClock, SteppingClock
from treec.run.disturbances import SOURCE as DISTURBANCE
from treec.run.disturbances import read_disturbances
from treec.run.injections import read_injections
from treec.run.injector import SOURCE as INJECTED
from treec.run.injector import Injector
from treec.run.loop import Loop
from treec.run.loop_watchdog import LoopWatchdog
from treec.run.mocks import InvalidMock, Mocked, mocks_after, put_mocks, read_mocks
from treec.run.monitor import Monitor
from treec.run.node_memory import NodeMemory
from treec.run.resume import known_things, replay_faults, resume_run
from treec.run.scenario_events import SOURCE as HAPPENS
from treec.run.scenario_events import ScenarioEvents
from treec.run.state import RunState, fold
from treec.run.status_recorder import StatusRecorder
from treec.run.stop_button import SOURCE as STOP
from treec.run.stop_button import StopButton
from treec.run.task_request import find_task, task_ends
from treec.run.users import SOURCE, ScriptedUser, evaluate_or_none, hear
from treec.team.contracts import Contract
from treec.team.events import AgentJoined, AgentRequeued
from treec.team.knowledge import Knowledge
from treec.team.names import WorldScope
from treec.team.team import Team
from treec.world.clock import RealClock, VirtualClock
from treec.world.events import Commit, Event, FactSet, RunBegin, RunEnd, StateSet
from treec.world.failures import Forbidden
from treec.world.inbox import Inbox
from treec.world.journal import Journal, Record

DEADLINE = 3600.0
"""Time limit in simulated seconds for scenarios without one of their own."""


class CannotRun(Exception):
    """The system or scenario does not exist, or they do not fit together."""


@dataclass(frozen=True)
class RunOutcome:
    """Why a run ended (done, finished, idle, deadline, stopped), and whether as expected."""

    reason: str
    ok: bool
    seconds: float
    broken: Sequence[tuple[str, str]] = ()
    status: str = ""
    """The last status of the root, where the run is one of a tree: SUCCESS, FAILURE, RUNNING."""
    why: str = ""
    """Why a tree returned FAILURE."""


def initial_events(view: View, known: Container[str] = ()) -> list[AgentJoined | FactSet]:
    """The agents that join and the facts that hold at the start, from scene and agent files.

    ``known`` are things and agents that exist already.
    """
    events: list[AgentJoined | FactSet] = []
    people = set(view.people)
    for name in view.agents:
        if name in known:
            continue
        events.append(AgentJoined(name, name in people))
    values: list[tuple[str, str, object]] = []
    for name, spec in view.objects.items():
        values.extend((fact, name, value) for fact, value in spec.facts.items())
    for name, agent in view.agents.items():
        values.extend((fact, name, value) for fact, value in agent.starts.items())
    for fact, thing, value in values:
        if thing in known:
            continue
        events.append(FactSet(fact, (thing,), value, "scene"))
    return events


def task_events(view: View, task: str | None) -> list[Event]:
    """The events that set a task and the facts that hold at its start."""
    if task is None:
        return []
    events: list[Event] = []
    described = find_task(view, task)
    starts = described.model.starts if described is not None else {}
    for thing, facts in starts.items():
        for fact, value in facts.items():
            events.append(FactSet(fact, (thing,), value, "scene"))
    events.append(StateSet("task", task))
    return events


@dataclass
class Run:
    """A run ready to start; :meth:`go` executes it."""

    view: View
    clock: VirtualClock | RealClock
    journal: Journal
    scenario: Entry[ScenarioFile] | None = None
    seed: int | None = None
    transport: Transport | None = None
    chat: bool = False
    model: str | None = None
    """The name of a model that answers in real time: its transport runs in asyncio, and a virtual
    clock stands still while it works."""
    task: str | None = None
    """The task, if the domain has the state `task` (default: the scenario's)."""
    scene: str | None = None
    """The scene used instead of the system's own."""
    env: str | None = None
    """The environment of all agents, instead of those that the system names."""
    folder: Path | None = None
    """The folder of the run, for environments that write files."""
    film: float | None = None
    """Seconds between two recorded moments for pictures; see `EnvironmentSetup`."""
    jitter: bool = False
    """Whether positions are varied at random (by the seed) within the scene's `jitter:`."""
    see: bool = False
    """Whether the needs of skills are asked of their providers; see `treec.nodes.needs`."""
    tree: str | None = None
    """The tree to run instead of the system's root; its end is that of the run."""
    ports: Mapping[str, object] = field(default_factory=dict)
    """Values for the ports of ``tree``."""
    disturb: Sequence[str] = ()
    """What happens at a time, whatever the scenario: `30s: at(parcel) == none`."""
    mock: Sequence[str] = ()
    """Nodes with scripted statuses in their place: `*/drive=RRS`."""
    inject: Sequence[str] = ()
    """Faults that somebody injects: `30s: fail pick(parcel)`."""
    memories: Path | None = None
    """The folder of the memories that files name (default: the library's root; a scenario begins
    with empty ones, which are kept in no file)."""
    embedder: Embedder | None = None
    """What makes the vectors of memories (default: the lexical one)."""
    records: Sequence[Record] = ()
    """The records of the run to resume, if any; the clock starts at the last one."""
    state: RunState | None = None
    """The state after ``records``, if the caller has it."""
    changed: Sequence[str] = ()
    """The files that have changed since a run that is resumed began."""
    start: WorldStart | None = None
    """The world to start from, if not the scene: its robots begin their subtasks again."""
    after_tick: list[Callable[[], None]] = field(default_factory=list)

    def __post_init__(self) -> None:
        system = self.view.system
        if system is None:
            raise CannotRun("only a system can run")
        self.system: Entry[SystemFile] = system
        model = self.scenario.model if self.scenario else None
        if model is not None and model.system != system.name:
            raise CannotRun(f"the scenario '{model.scenario}' is one of '{model.system}'")
        name = self.tree or system.model.root
        root = self.view.find("tree", name)
        if root is None:
            raise CannotRun(f"the system '{system.name}' has no tree '{name}'")
        if self.seed is None:
            self.seed = model.seed if model is not None else 0
        self.inbox = Inbox(self.clock)
        if isinstance(self.clock, ChattingClock):
            self.clock.wait = self.inbox.wait
        elif isinstance(self.clock, SteppingClock):
            self.clock.ready = self.inbox.ready
        self.world = make_world(self.view, self.clock, self.journal, self.start)
        self.knowledge = Knowledge(self.view)
        self.team = Team(self.world, self.knowledge)
        self.scope = WorldScope(self.team)
        self.asker = self._asker()
        contracts = list(self.view.all("contract").values())
        self.runtime = Runtime(
            world=self.world,
            clock=self.clock,
            inbox=self.inbox,
            team=self.team,
            scope=self.scope,
            view=self.view,
            contracts=[Contract(e) for e in contracts if e.model.each],
            asker=self.asker,
            faults=FaultPlan(model.faults if model else (), self.seed),
            rng=random.Random(f"treec {self.seed}"),
            wake=self.inbox.wake,
            runs_on=system.model.runs_on,
            seed=self.seed,
            folder=self.folder,
            film=self.film,
            jitter=self.jitter,
            providers=OpenProviders(NeedSetup(self.view, self.seed, self.folder, self.see)),
            see=self.see,
            people=people_of(self.view, self.scenario),
            memories_in=self.memories,
            embedder=self.embedder,
            keeps_memories=self.memories is not None or self.scenario is None,
        )
        self.mock = mocks_after(self.mock, self.records)
        self.mocked: Mocked = {}
        self.task = self.task or (model.task if model is not None else None)
        self.user = self._user(model)
        if self.records:
            recalled = self.records if self.user is None else self.user.recall(self.records)
            self.world.restore(recalled)
            self.runtime.count(replay_faults(self.runtime.faults, self.records, self.view))
        else:
            begin = RunBegin(
                system.name,
                self.seed,
                scenario=model.scenario if model is not None else None,
                model=self.model,
                task=self.task or None,
                scene=self.scene or None,
                env=self.env or None,
                jitter=self.jitter,
                tree=self.tree,
                ports=dict(self.ports),
                disturb=tuple(self.disturb),
                mock=tuple(self.mock),
                inject=tuple(self.inject),
                see=self.see,
            )
            self.journal.hold()  # with its scene: a run has begun with both or not at all
            self.world.emit(begin, "run")
        if len(self.records) <= 1:  # of earlier versions of treec, a run may lack its scene
            if self.start is None:
                events = (*initial_events(self.view), *task_events(self.view, self.task))
            else:
                working = [agent.name for agent in self.team.agents if agent.current is not None]
                events = (*self.start.facts, *map(AgentRequeued, working))
            self.world.emit(Commit("scene", events), "scene")
            self.journal.commit()
        compiler = Compiler(self.view, self.runtime)
        try:
            self.root = compiler.root(root, self.ports)
        except CompileError as error:  # a node class is anybody's code
            where = f"{error.span}: " if error.span is not None else ""
            raise CannotRun(f"{where}{error}") from error
        try:
            self.root = put_mocks(self.root, read_mocks(self.mock), self.mocked)
        except InvalidMock as error:
            raise CannotRun(str(error)) from None
        self.frames = compiler.frames
        """The names of each instance of a tree, by its path."""
        self.monitor = Monitor(
            contracts, self.scope, self.world, self.clock, self._stop_broken_subtask
        )
        steps = model.happens if model is not None else ()
        surroundings = (self.world, self.scope, self.clock, self.inbox)
        self.scenario_events = ScenarioEvents(HAPPENS, steps, *surroundings)
        disturbances = read_disturbances(self.disturb, self.view)
        self.disturbances = ScenarioEvents(DISTURBANCE, disturbances, *surroundings)
        self.injector = Injector(self, read_injections(self.inject, self.view))
        self.stop_button = StopButton(self.runtime, self._end_held_loop)
        self.loop = Loop(
            self.root,
            self.world,
            self.clock,
            self.inbox,
            {
                "skill": self.runtime.on_skill,
                "environment": self.runtime.on_environment,
                "answer": deliver_answer,
                SOURCE: self._hear(),
                STOP: self.stop_button.take,
                HAPPENS: self.scenario_events.take,
                DISTURBANCE: self.disturbances.take,
                INJECTED: self.injector.take,
            },
            after_tick=[
                self.runtime.arbiter.end_tick,
                self.monitor.look,
                self.scenario_events.look,
                self.disturbances.look,
                *([self.user.look] if self.user else []),
                *self.after_tick,
            ],
            before_tick=[self.injector.begin, self.runtime.report_overdue],
            while_waiting=[self.runtime.report_overdue],
            expecting=self._expecting,
            at_end=system.model.at_end if self.tree is None else "stop",
            tick_period=system.model.tick_period,
        )
        statuses = StatusRecorder(self.loop, self.world, self.records)
        self.loop.after_tick.insert(0, statuses.look)

        if self.records:
            known = known_things(self.records)
            is_wider = bool(self.changed) and len(self.records) > 1
            added = initial_events(self.view, known) if is_wider else ()
            state = self.state or fold(self.records)
            memory = NodeMemory(
                self.root, () if self.changed else self.records, state, self.runtime.stands_still
            )
            self.loop.after_tick.append(memory.forget)
            resume_run(self, self.records, state, added, memory.agents)

    def go(self) -> RunOutcome:
        """Run until the scenario's expectation is met or nothing can happen any more.

        A run of a ``tree`` ends with it, as expected if that is with SUCCESS.
        """
        expect = self.scenario.model.expect if self.scenario else None
        goal = expect.finally_ if expect and not self.chat else None
        failed = None
        if expect is None and self.task is not None and self.tree is None:
            goal, failed = task_ends(self.view)
        limit = (expect.within if expect else None) or (None if self.chat else DEADLINE)

        def over() -> bool:
            if goal is None or (self.user is not None and not self.user.finished):
                return False
            if failed is not None and evaluate_or_none(failed, self.scope):
                return True
            return bool(evaluate_or_none(goal, self.scope))

        reason, ok = "error", False
        try:
            self.open_environments()
            try:
                set_up_nodes(self.root.iterate())
            except NodeSetupFailed as error:
                raise CannotRun(str(error)) from None
            for agent, text, by in unsaid_stops(self.runtime, self.records):
                self.runtime.arbiter.announce([((agent,), text)], by)
            if self.chat:
                self.warm_parsers()
            with LoopWatchdog(self.loop):
                reason = self.loop.run(over, limit)
            ok = not self.monitor.broken and (
                self.root.status is Status.SUCCESS
                if self.tree is not None
                else goal is None or bool(evaluate_or_none(goal, self.scope))
            )
        finally:
            status = self.root.status
            why = failure_reason(self.root) if status is Status.FAILURE else ""
            self.loop.shutdown()
            if isinstance(self.asker, ThreadedAsker):
                self.asker.close()
            self.runtime.environments.close()
            if self.runtime.providers is not None:
                self.runtime.providers.close()
            close_memories(self.runtime)
            self.world.emit(RunEnd(reason, ok), "run")
            self.journal.close()
        outcome = RunOutcome(reason, ok, self.clock.now(), tuple(self.monitor.broken))
        if self.tree is None:
            return outcome
        return replace(outcome, status=status.name, why=why)

    def warm_parsers(self) -> None:
        """Load the parsers of all readings, so that a person's first words are heard at once."""
        for node in self.root.iterate():
            if isinstance(node, Reading):
                node.warm()

    def open_environments(self) -> None:
        """Open the robots' environments, so that sensed facts are known from the start.

        Raises CannotRun.
        """
        self.world.claim()
        for robot in self.view.robots:
            try:
                self.runtime.environment(robot)
            except NodeError as error:
                raise CannotRun(str(error)) from None

    def say(self, text: str) -> None:
        """Say something as the person in the team, from any thread."""
        self.inbox.post(SOURCE, text)

    def _end_held_loop(self) -> None:
        """End a run whose loop does not come to a stop of all robots; one that begins will."""
        if self.loop.beats:
            self.loop.stop()

    def _stop_broken_subtask(self, contract: str, each: str, id: str) -> None:
        """Stop the skills of a subtask that has broken an `eventually` contract."""
        if each == "subtask":
            found = self.view.find("contract", contract)
            about = (found.model.about if found is not None else None) or contract
            self.runtime.arbiter.stop_subtask(id, Forbidden(contract, " ".join(about.split())))

    def _asker(self) -> Asker | None:
        self.model_faults = None if self.transport is None else FaultyTransport(self.transport)
        if self.model_faults is None:
            return None
        if self.model is not None or isinstance(self.clock, RealClock | ChattingClock):
            return ThreadedAsker(self.model_faults, self.inbox)
        return SteppedAsker(self.model_faults, self.clock, self.inbox)

    def _expecting(self) -> bool:
        if not self.clock.waits:
            return False
        is_asking = isinstance(self.asker, ThreadedAsker) and self.asker.busy
        return is_asking or self.runtime.external.in_progress

    def _hear(self) -> Callable[[Any], None]:
        return hear(self.world, self._person)

    @property
    def _person(self) -> str:
        """Who speaks: the first person of the team."""
        people = self.view.people
        return people[0] if people else SOURCE

    def _user(self, model: ScenarioFile | None) -> ScriptedUser | None:
        if model is None or not model.user or self.chat:
            return None
        return ScriptedUser(model.user, self.scope, self.clock, self.inbox, self._person)
