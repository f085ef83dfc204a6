"""A run: builds world, tree and loop of a system from its files, and runs them."""

from __future__ import annotations

import logging
import math
from collections.abc import Callable, Container, Sequence
from contextlib import ExitStack, suppress
from dataclasses import KW_ONLY, dataclass, field, replace
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol, cast

from py_trees.common import Status

from treec.ask.asker import Asker, deliver_answer
from treec.ask.model_fault import FaultyTransport
from treec.ask.transport import Transport
from treec.compile.build import Compiler
from treec.files.entry import Entry
from treec.files.systems import ScenarioFile, SystemFile
from treec.files.tree import TreeFile
from treec.files.view import View
from treec.foreign import HeldTooLong
from treec.frozen import frozen
from treec.nodes.asked import Asks
from treec.nodes.foreign import NodeSetupFailed, set_up_nodes
from treec.nodes.frame import Frame
from treec.nodes.make_world import WorldStart, make_world
from treec.nodes.modifiers.on_failure import reason as failure_reason
from treec.nodes.pairs import Embedder, MemoryFault, open_memories
from treec.nodes.place import CompileError
from treec.nodes.runtime import NodeError, Runtime
from treec.nodes.unsaid_stops import unsaid_stops
from treec.program.faults import SKILL_FAULTS, InvalidFault, read_faults
from treec.run.clocks import AttendedClock, ChattingClock, SteppingClock
from treec.run.heartbeat import EVERY, Heartbeat
from treec.run.injector import SCENARIO, Injector, PlannedFault, injected, plan
from treec.run.injector import SOURCE as INJECTED
from treec.run.loop import Loop
from treec.run.loop_watchdog import STOPPING, LoopWatchdog
from treec.run.mocks import InvalidMock, Mocked, mocks_with, put_mocks
from treec.run.monitor import Monitor
from treec.run.node_memory import NodeMemory
from treec.run.node_patterns import fits
from treec.run.resume import known_things, replay_faults, resume_run
from treec.run.state import RunState, fold
from treec.run.status_recorder import StatusRecorder
from treec.run.stop_button import SOURCE as STOP
from treec.run.stop_button import StopButton
from treec.run.task_view import find_task, task_ends
from treec.run.untold_failures import UntoldFailures
from treec.run.users import SOURCE, ScriptedUser, evaluate_or_none, hear
from treec.source.diagnostics import suggestion
from treec.source.errors import TreecError
from treec.source.tools import find_tool
from treec.team.events import AgentJoined, AgentRequeued
from treec.team.knowledge import Knowledge
from treec.team.team import Team
from treec.world.clock import RealClock, VirtualClock
from treec.world.events import Commit, Event, FactSet, RunEnd, StateSet
from treec.world.failures import Forbidden
from treec.world.inbox import Inbox
from treec.world.journal import Journal, Record
from treec.world.spec import AUTO, RunSpec

if TYPE_CHECKING:
    from treec.run.live_run import RunDebugger

_log = logging.getLogger("treec.run")

DEADLINE = 3600.0
"""Time limit in simulated seconds for scenarios without one of their own."""


class CannotRun(TreecError):
    """The system or scenario does not exist, or they do not fit together."""


@frozen(slots=False)
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
    unconfirmed: Sequence[str] = ()
    """What did not confirm its stop, each in a sentence."""


class SignalHandlers(Protocol):
    """The handlers of signals that stop a run; see `treec.cli.interrupts`."""

    def is_replaced(self) -> bool:
        """Whether code of others has replaced one; from any thread."""

    def put_back(self) -> None:
        """Handle the signals again, on the main thread."""


class _NoHandlers:
    """What a run that no command line has begun has: its program handles signals."""

    def is_replaced(self) -> bool:
        return False

    def put_back(self) -> None: ...


def _log_abandoned(unconfirmed: Sequence[str]) -> None:
    _log.error("the run has ended without its loop: %s", "; ".join(unconfirmed))


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


def find_scenario(view: View, spec: RunSpec) -> Entry[ScenarioFile] | None:
    """The scenario that a spec names. Raises CannotRun."""
    if spec.scenario is None:
        return None
    entry = view.find("scenario", spec.scenario)
    system = view.system.name if view.system is not None else ""
    if entry is None or entry.model.system != system:
        own = [name for name, e in view.all("scenario").items() if e.model.system == system]
        hint = suggestion(spec.scenario, own, "scenarios")
        raise CannotRun(f"unknown scenario '{spec.scenario}' of '{system}'; {hint}")
    return entry


@dataclass
class Run:
    """A run ready to start; :meth:`go` executes it. Raises CannotRun.

    ``view`` is one of the spec's system, in the spec's scene and environment: see `prepare`.
    """

    view: View
    clock: VirtualClock | RealClock
    journal: Journal
    spec: RunSpec = field(default_factory=RunSpec)
    """``model`` names a model that answers in real time: its transport runs in asyncio, and a
    virtual clock stands still while it works."""
    _: KW_ONLY
    transport: Transport | None = None
    folder: Path | None = None
    """The folder of the run, for environments that write files."""
    embedder: Embedder | None = None
    """What makes the vectors of memories, if it is open already."""
    records: Sequence[Record] = ()
    """The records of the run to resume, if any; the clock starts at the last one."""
    state: RunState | None = None
    """The state after ``records``, if the caller has it."""
    changed: Sequence[str] = ()
    """The files that have changed since a run that is resumed began."""
    start: WorldStart | None = None
    """The world to start from, if not the scene: its robots begin their subtasks again."""
    after_tick: list[Callable[[], None]] = field(default_factory=list)
    signals: SignalHandlers = field(default_factory=_NoHandlers)
    """What handles the signals that stop the run."""
    on_abandoned: Callable[[Sequence[str]], None] = _log_abandoned
    """Called from another thread when the run has ended though code of others holds its loop, with
    what did not confirm its stop."""

    def __post_init__(self) -> None:
        self._is_abandoned = False
        self.shown = ExitStack()
        """What shows it to other programs, until it has ended."""
        self.scenario = find_scenario(self.view, self.spec)
        scenario = self.scenario.model if self.scenario else None
        self.spec = replace(
            self.spec,
            system=self.system.name,
            seed=self.spec.seed if self.spec.seed is not None else scenario.seed if scenario else 0,
            task=self.spec.task or (scenario.task if scenario else None) or None,
        )
        tree = self._find_tree()
        self._make_world()
        self._make_runtime(scenario)
        planned = self._plan_faults()
        self._inject_standing(planned)
        self.user = self._user(scenario)
        contracts = list(self.view.all("contract").values())
        self.monitor = Monitor(
            contracts, self.scope, self.world, self.clock, self._stop_broken_subtask
        )
        if self.records:
            self._recall()
        else:
            self.journal.hold()  # with its scene: a run has begun with both or not at all
            self.world.emit(self.spec.begin(), "run")
        if len(self.records) <= 1:  # of earlier versions of treec, a run may lack its scene
            self._set_scene()
        self._build(tree)
        self.injector = Injector(self, planned)
        self.stop_button = StopButton(
            self.runtime,
            self._end_held_loop,
            lambda: self.loop.beats if self.loop.is_running else 0,
        )
        self.loop = self._make_loop()
        self._watch_loop()
        if self.records:
            self._resume()
        else:
            UntoldFailures(self.loop, self.runtime)

    def _find_tree(self) -> Entry[TreeFile]:
        """The spec's tree, else the system's root. Raises CannotRun."""
        name = self.spec.tree or self.system.model.root
        tree = self.view.find("tree", name)
        if tree is None:
            raise CannotRun(f"unknown tree '{name}' of the system '{self.system.name}'")
        return tree

    def _make_world(self) -> None:
        """Make the inbox, on which the clock waits, the world and the team."""
        clock = self.clock
        self.inbox = Inbox(clock)
        self.heartbeat = self._open_heartbeat()
        if isinstance(clock, ChattingClock | AttendedClock):
            longest = math.inf if self.heartbeat is None else EVERY
            clock.wait = lambda seconds: self.inbox.wait(min(seconds, longest))
        if isinstance(clock, SteppingClock) and not isinstance(clock, ChattingClock):
            clock.ready = self.inbox.ready
        self.world = make_world(self.view, clock, self.journal, self.start)
        self.team = Team(self.world, Knowledge(self.view))

    def _make_runtime(self, scenario: ScenarioFile | None) -> None:
        """Make what nodes share, with what answers their questions. Raises CannotRun."""
        spec = self.spec
        if self.transport is None and scenario is not None and scenario.answers:
            script: Any = find_tool("script", "the answers of a scenario cannot be given")
            self.transport = script(scenario.answers, self.clock)
        self.asker = self._asker()
        self.runtime = Runtime(
            self.team,
            self.clock,
            self.inbox,
            spec,
            self.scenario,
            self.folder,
            self.asker,
            self.embedder,
            keeps_memories=spec.memories is not None or scenario is None,
        )
        model_name: str | None = getattr(self.transport, "model", None)
        self.runtime.model = spec.model if model_name is None else model_name
        self.runtime.decisions = getattr(self.transport, "decisions", None)
        self.runtime.paces = True
        if self.embedder is None and spec.embedder != AUTO:
            self._open_memories()
        self.scope = self.runtime.scope

    def _inject_standing(self, planned: Sequence[PlannedFault]) -> None:
        """Inject the faults that hold from the start: those of skills, and mocks of nodes."""
        standing = [one.fault for one in planned if one.is_standing]
        for fault in standing:
            if fault.word in SKILL_FAULTS:
                self.runtime.faults.add(fault)
        self.mocks = tuple(fault for fault in standing if fault.word == "mock")
        for _, fault in injected(self.records, self.view):
            self.mocks = mocks_with(self.mocks, fault)
        self.mocked: Mocked = {}

    def _recall(self) -> None:
        """Know again what the records of a resumed run say, before its tree is built."""
        recalled = self.records if self.user is None else self.user.recall(self.records)
        self.world.restore(self.monitor.recall(recalled))
        if self.asker is not None:
            self.runtime.recall(self.records)
        self.runtime.pace.recall(self.records)
        started = replay_faults(self.runtime.faults, self.records, self.view)
        self.runtime.orders.continue_from(started)

    def _set_scene(self) -> None:
        """Record who is there and what holds at the start."""
        if self.start is None:
            events = (*initial_events(self.view), *task_events(self.view, self.spec.task))
        else:
            working = [agent.name for agent in self.team.agents if agent.current is not None]
            events = (*self.start.facts, *map(AgentRequeued, working))
        self.world.emit(Commit("scene", events), "scene")
        self.journal.commit()

    def _build(self, tree: Entry[TreeFile]) -> None:
        """Build the nodes, mocks in place of those that are mocked. Raises CannotRun."""
        self.runtime.is_mocked = lambda path: any(fits(mock.name, path) for mock in self.mocks)
        compiler = Compiler(self.view, self.runtime)
        try:
            root = compiler.root(tree, self.spec.ports)
        except CompileError as error:  # a node class is anybody's code
            where = f"{error.span}: " if error.span is not None else ""
            raise CannotRun(f"{where}{error}") from error
        try:
            self.root = put_mocks(root, self.mocks, self.mocked)
        except InvalidMock as error:
            raise CannotRun(str(error)) from None
        self.frames = compiler.frames
        """The names of each instance of a tree, by its path."""

    def _make_loop(self) -> Loop:
        """The loop that ticks the tree, with what takes messages and what looks at each tick."""
        return Loop(
            self.root,
            self.world,
            self.clock,
            self.inbox,
            {
                "skill": self.runtime.orders.take,
                "environment": self.runtime.on_environment,
                "answer": deliver_answer,
                SOURCE: self._hear(),
                STOP: self.stop_button.take,
                INJECTED: self.injector.take,
            },
            after_tick=[
                self.runtime.arbiter.end_tick,
                self.monitor.look,
                self.injector.look,
                *([self.user.look] if self.user else []),
                *self.after_tick,
            ],
            before_tick=[self.injector.begin, self.runtime.orders.report_overdue],
            while_waiting=[self.runtime.orders.report_overdue],
            before_halt=self.runtime.arbiter.tell_all,
            expecting=self._expecting,
            at_end=self.system.model.at_end if self.spec.tree is None else "stop",
            tick_period=self.system.model.tick_period,
            tick_budget=self.system.model.tick_budget if self._is_real else None,
            **({} if self.heartbeat is None else {"poll": EVERY}),
        )

    def _watch_loop(self) -> None:
        """Add what looks at each tick and needs the loop: heartbeat, rest, statuses (first)."""
        if self.heartbeat is not None:
            self.loop.after_tick.append(self.heartbeat.beat)
            self.loop.while_waiting.append(self.heartbeat.beat)
        if self.asker is not None:
            watch: Any = find_tool("rest", "models cannot be asked")
            self.loop.after_tick.append(watch(self.loop, self.runtime).look)
        statuses = StatusRecorder(self.loop, self.world, self.records, self._tree_frames)
        self.loop.after_tick.insert(0, statuses.look)

    def _resume(self) -> None:
        """Go on where the records end: what nodes remember, and what was in flight."""
        is_wider = bool(self.changed) and len(self.records) > 1
        added = initial_events(self.view, known_things(self.records)) if is_wider else ()
        state = self.state or fold(self.records)
        memory = NodeMemory(self, () if self.changed else self.records, state)
        self.loop.after_tick.append(memory.forget)
        UntoldFailures(self.loop, self.runtime, self.records)
        resume_run(self, self.records, state, added, memory.agents)

    @property
    def system(self) -> Entry[SystemFile]:
        """The system that runs."""
        if self.view.system is None:
            raise CannotRun("only a system can run")
        return self.view.system

    def _tree_frames(self) -> dict[str, Frame]:
        return {path: frame for path, (_, frame) in self.frames.items()}

    @cached_property
    def debugger(self) -> RunDebugger:
        """What holds it for somebody elsewhere. Raises TreecError where no package does."""
        make: Any = find_tool("debugger", "a run cannot be debugged")
        return cast("RunDebugger", make(self))

    @property
    def knowledge(self) -> Knowledge:
        """What the team knows of the files."""
        return self.team.knowledge

    def go(self) -> RunOutcome:
        """Run until the scenario's expectation is met or nothing can happen any more.

        A run of a ``tree`` ends with it, as expected if that is with SUCCESS. Where nothing is
        expected and nothing more can happen, a root that has returned FAILURE is not as expected.
        """
        expect = self.scenario.model.expect if self.scenario else None
        goal = expect.finally_ if expect and not self.spec.chat else None
        failed = None
        if expect is None and self.spec.task is not None and self.spec.tree is None:
            goal, failed = task_ends(self.view)
        limit = (expect.within if expect else None) or (None if self.spec.chat else DEADLINE)

        def over() -> bool:
            if goal is None or (self.user is not None and not self.user.finished):
                return False
            if failed is not None and evaluate_or_none(failed, self.scope):
                return True
            return bool(evaluate_or_none(goal, self.scope))

        watchdog = LoopWatchdog(
            self.loop,
            tell=self.runtime.arbiter.hold_all,
            abandon=self._abandon,
            is_awaited=lambda: self.stop_button.is_open or self.runtime.arbiter.is_awaited,
            is_broken=self.signals.is_replaced,
            repair=self.signals.put_back,
        )
        self.loop.after_tick.append(self._keep_signals)
        with watchdog, ExitStack() as broken_off:
            broken_off.callback(self._end, "error", False)
            self.open_environments()
            try:
                set_up_nodes(self.root.iterate())
            except NodeSetupFailed as error:
                raise CannotRun(str(error)) from None
            for agent, text, by in unsaid_stops(self.runtime, self.records):
                self.runtime.arbiter.announce([((agent,), text)], by)
            if self.spec.chat:
                self.warm_parsers()
            elif self.user is not None:
                for node in self.root.iterate():
                    if isinstance(node, Asks):
                        node.load_ear()
            reason = self.loop.run(over, limit)
            status = self.root.status
            if self.spec.tree is not None:
                is_met = status is Status.SUCCESS
            elif goal is not None:
                is_met = bool(evaluate_or_none(goal, self.scope))
            else:
                is_met = status is not Status.FAILURE or reason not in ("idle", "finished")
            ok = is_met and not self.monitor.broken
            broken_off.pop_all()
            why = failure_reason(self.root) if status is Status.FAILURE else ""
            if errors := self._end(reason, ok):
                raise errors[0]
        unconfirmed = self.runtime.stops.unconfirmed
        ok = ok and not unconfirmed
        broken = tuple(self.monitor.broken)
        outcome = RunOutcome(reason, ok, self.clock.now(), broken, unconfirmed=unconfirmed)
        if self.spec.tree is None:
            return outcome if is_met or goal is not None else replace(outcome, why=why)
        return replace(outcome, status=status.name, why=why)

    def _end(self, reason: str, ok: bool) -> list[Exception]:
        """Halt and close everything, then the journal, whatever a part of it does.

        Returns what the parts have raised.
        """
        if self._is_abandoned:
            return []
        runtime = self.runtime
        parts: list[Callable[[], None]] = [
            self.loop.shutdown,
            runtime.arbiter.cancel_all,
            self.asker.close if self.asker is not None else lambda: None,
            runtime.environments.close,
            lambda: runtime.providers.close(runtime.stops),
            runtime.memories.close if runtime.memories is not None else lambda: None,
            lambda: self._record_end(reason, ok),
            self.journal.close,
            self.heartbeat.close if self.heartbeat is not None else lambda: None,
            self.shown.close,
        ]
        errors: list[Exception] = []
        for part in parts:
            try:
                part()
            except HeldTooLong:  # the watchdog has ended what held it
                continue
            except Exception as error:
                errors.append(error)
        return errors

    def _record_end(self, reason: str, ok: bool) -> None:
        self.world.emit(RunEnd(reason, ok and not self.runtime.stops.unconfirmed), "run")

    def _abandon(self, line: str) -> None:
        """End the run without its loop, which code of others holds for good; the watchdog's."""
        runtime = self.runtime
        self._is_abandoned = True
        self.loop.stop()  # should that code return after all
        self.world.claim()
        runtime.environments.lose_all(HeldTooLong(line))
        runtime.stops.miss_held(line, STOPPING)
        for part in (
            runtime.arbiter.cancel_all,
            runtime.environments.close,
            lambda: self._record_end("stopped", False),
            self.journal.close,
        ):
            with suppress(Exception):
                part()
        self.on_abandoned(runtime.stops.unconfirmed)

    def _keep_signals(self) -> None:
        """Put back what handles the signals, if code of others has replaced it."""
        if self.signals.is_replaced():
            self.signals.put_back()

    def warm_parsers(self) -> None:
        """Load the parsers of all readings, so that a person's first words are heard at once."""
        for node in self.root.iterate():
            if isinstance(node, Asks):
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
        self.stop_button.hear(text)

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

    @property
    def _is_real(self) -> bool:
        return isinstance(self.clock, RealClock | ChattingClock)

    def _open_heartbeat(self) -> Heartbeat | None:
        if self.spec.heartbeat is None:
            return None
        try:
            return Heartbeat(self.spec.heartbeat, self.clock.now)
        except (OSError, ValueError) as error:
            raise CannotRun(f"no heartbeat to {self.spec.heartbeat}: {error}") from None

    def _plan_faults(self) -> list[PlannedFault]:
        """The faults of the scenario, then those of the spec. Raises CannotRun."""
        own = self.scenario.model.faults if self.scenario is not None else ()
        try:
            return [
                *plan(read_faults(own, self.view), SCENARIO),
                *plan(read_faults(self.spec.faults, self.view), INJECTED),
            ]
        except InvalidFault as error:
            raise CannotRun(str(error)) from None

    def _asker(self) -> Asker | None:
        self.model_faults = None if self.transport is None else FaultyTransport(self.transport)
        if self.model_faults is None:
            return None
        make: Any = find_tool("asker", "models cannot be asked")
        in_thread = self.spec.model is not None or self._is_real
        return cast("Asker", make(self.model_faults, self.clock, self.inbox, in_thread=in_thread))

    def _expecting(self) -> bool:
        if not self.clock.waits:
            return False
        is_asking = self.asker is not None and self.asker.busy
        return is_asking or self.runtime.external.in_progress

    def _hear(self) -> Callable[[Any], None]:
        return hear(self.world, self._person)

    @property
    def _person(self) -> str:
        """Who speaks: the first person of the team."""
        people = self.view.people
        return people[0] if people else SOURCE

    def _open_memories(self) -> None:
        """Open them before the run begins. Raises CannotRun."""
        try:
            open_memories(self.runtime)
        except MemoryFault as error:
            raise CannotRun(str(error)) from None

    def _user(self, model: ScenarioFile | None) -> ScriptedUser | None:
        if model is None or not model.user or self.spec.chat:
            return None
        return ScriptedUser(model.user, self.scope, self.clock, self.inbox, self._person)
