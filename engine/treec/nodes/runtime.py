"""What the nodes of a run share: world, clock, team, model, environments and orders in flight.

Leaves use a :class:`Runtime` and nothing behind it. Whatever takes time posts its result to the
inbox, from where it reaches a handler that a leaf registered here.
"""

from __future__ import annotations

import threading
from collections import deque
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, TypeVar, cast

from treec.ask.asker import Asker
from treec.ask.held_back import __name__ as HELD_BACK
from treec.extensions import registry
from treec.files.bindings import bindings_for
from treec.files.entry import Entry
from treec.files.own_package import provide
from treec.files.settings import model_section
from treec.files.systems import ScenarioFile
from treec.files.view import View
from treec.foreign import MOST, BadReport, ForeignError, as_foreign, guard, import_foreign, show
from treec.nodes.approval import Approve
from treec.nodes.arbiter import SkillArbiter
from treec.nodes.environment import (
    SYMBOLIC,
    Environment,
    EnvironmentUnavailable,
    stands_still,
)
from treec.nodes.environments import Environments
from treec.nodes.events import (
    EnvironmentLost,
    ExternalWorkOverdue,
    InVain,
    ModelBack,
    ModelLost,
    ModelSlow,
    NodeFailed,
    SkillNoted,
)
from treec.nodes.faults import FaultPlan
from treec.nodes.foreign import (
    GuardedClock,
    OnError,
    caller_line,
    check_effects,
    check_note,
    check_outcome,
    failure_by,
    reason_of,
)
from treec.nodes.guarded_environment import GuardedEnvironment
from treec.nodes.leaf import NodeError as NodeError
from treec.nodes.needs import NeedAnswer, NeedSetup, OpenProviders
from treec.nodes.pace import VAIN, OrderPace
from treec.nodes.pairs import Embedder, Memories
from treec.nodes.sensing import Key, changed_facts, effect_misfit, facts_of, settle_effects
from treec.nodes.stops import Stops
from treec.nodes.work_log import WorkLog, is_at_or_below
from treec.nodes.worker import Effect, Host, Outcome, Worker, WorkOrder
from treec.source.errors import LocatedError
from treec.source.scope import MappingScope
from treec.team.contracts import Contract
from treec.team.events import Said, number_entries
from treec.team.names import WorldScope
from treec.team.sentences import sentence
from treec.team.team import Team
from treec.world.clock import Clock, RealClock, Timer, VirtualClock
from treec.world.events import Commit, EventRefused, FactSet, FactUnknown
from treec.world.external import LIMIT, ExternalWork, ExternalWorks
from treec.world.failures import (
    NOT_AS_EXPECTED,
    Failure,
    LostEnvironment,
    NotAsExpected,
    NoWorker,
    Reported,
    TimedOut,
)
from treec.world.inbox import Inbox, InboxMessage
from treec.world.journal import Record
from treec.world.spec import RunSpec

T = TypeVar("T")

TOO_MUCH = f"more than {MOST:,} effects and notes at once"
"""Why a worker fails that reports more than the loop can take."""

ANSWER_TIMEOUT = 20.0
"""Seconds that an answer of a model may take unless a file or the command line says otherwise."""

SLOW = 5.0
"""Real seconds of waiting for a model after which people are told."""

GroundFact = tuple[str, ...]
"""A fact that an order sets: its name and arguments."""


@dataclass
class _Order:
    """An order in flight: its callback, the facts it sets, its worker's unprocessed reports."""

    done: Callable[[Outcome], None]
    touches: frozenset[GroundFact]
    changes: frozenset[GroundFact]
    environment: GuardedEnvironment | None
    external: list[ExternalWork] = field(default_factory=list)
    reports: deque[tuple[Effect, ...]] = field(default_factory=deque)
    pending: int = 0
    """Effects and notes that the loop has not taken yet."""
    is_over: bool = False
    """Whether its worker has nothing more to report."""
    blocking: ExternalWork | None = None
    """The thread of a worker that blocks."""
    on_need: Callable[[NeedAnswer], None] | None = None
    """What takes the answer of a provider that was asked."""


class _Host:
    """The run as a worker sees it; what the worker raises or reports wrongly ends its order."""

    def __init__(
        self, runtime: Runtime, order_id: str, module: str, environment: Environment | None
    ) -> None:
        self._runtime = runtime
        self._order_id = order_id
        self._module = module
        self.environment = environment
        self.clock: Clock = GuardedClock(runtime.clock, module, self._on_error)

    def sense(self, order_id: str, effects: tuple[Effect, ...]) -> None:
        checked = self._check(order_id, "host.sense()", check_effects, effects)
        if checked is not None and not self._runtime.sense(self._order_id, checked):
            self._refuse()

    def note(self, order_id: str, text: str, record: Mapping[str, Any]) -> None:
        checked = self._check(order_id, "host.note()", check_note, (text, record))
        if checked is not None and not self._runtime.note(self._order_id, *checked):
            self._refuse()

    def finish(self, order_id: str, outcome: Outcome) -> None:
        checked = self._check(order_id, "host.finish()", check_outcome, outcome)
        if checked is not None:
            self._runtime.finish(self._order_id, checked)

    def begin_external(
        self, name: str, *, takes: float = 0.0, limit: float = LIMIT
    ) -> ExternalWork:
        return self._runtime.begin_external(self._order_id, name, takes, limit, self._on_error)

    def _check(
        self, order_id: object, call: str, check: Callable[[object, str], T], value: object
    ) -> T | None:
        """A plain copy of what a call reports; None, and the order has failed, if it is wrong."""
        try:
            with guard(self._module):
                checked = check(value, call)
                if order_id != self._order_id:
                    raise BadReport(
                        f"{call} gave the order {show(order_id)}, not '{self._order_id}'"
                    )
        except BadReport as error:
            self._finish_failed(Reported(f"{error} ({caller_line()})"))
        except ForeignError as error:
            self._finish_failed(failure_by(error))
        else:
            return checked
        return None

    def _refuse(self) -> None:
        """Fail an order that reports too much, and end its worker's call, which may go on so."""
        self._finish_failed(Reported(TOO_MUCH))
        raise BadReport(TOO_MUCH)

    def _on_error(self, error: BaseException) -> None:
        self._finish_failed(failure_by(as_foreign(error, self._module)))

    def _finish_failed(self, why: Failure) -> None:
        self._runtime.finish(self._order_id, Outcome(False, why, self._module))


def _is_not(path: str) -> bool:
    return False


@dataclass
class Runtime:
    """One run's surroundings."""

    team: Team
    clock: VirtualClock | RealClock
    inbox: Inbox
    spec: RunSpec = field(default_factory=RunSpec)
    scenario: Entry[ScenarioFile] | None = None
    folder: Path | None = None
    """The run's folder; environments may store there what they need to resume."""
    asker: Asker | None = None
    embedder: Embedder | None = None
    """What makes the vectors of all memories, if it is open already."""
    keeps_memories: bool = True
    """False: memories are empty at first and are kept in no file."""
    model: str | None = field(default=None, init=False)
    """The model that is asked where a file names none: '' if none is, None if that is unknown."""
    decisions: str | None = field(default=None, init=False)
    """The decision model that is asked beside it, if that is known."""
    approve: Approve | None = field(default=None, init=False)
    """Whether a skill or actions may begin, where somebody is asked."""
    memories: Memories | None = field(default=None, init=False)
    """The memories that files name, once one is needed."""
    work: WorkLog = field(default_factory=WorkLog, init=False)
    """Which nodes changed more than the talk, and when."""
    is_mocked: Callable[[str], bool] = field(default_factory=lambda: _is_not, init=False)
    """Whether a mock takes the place of the node of a path."""
    scores: bool = field(default=True, init=False)
    """Whether distilled scorers answer; a case tests what they would hide."""
    paces: bool = field(default=False, init=False)
    """Whether time passes, so that attempts which fail at once wait for it."""
    pace: OrderPace = field(default_factory=OrderPace, init=False)
    """How soon an order is given again that ended at once."""
    questions: list[Any] = field(default_factory=list, init=False)
    """Those that a person has not answered, in the order in which they were last asked."""
    suppressed: dict[str, Callable[[], bool]] = field(default_factory=dict, init=False)
    """The paths of nodes that ask no model for now, nor do those below them; until when."""

    def __post_init__(self) -> None:
        self._orders: dict[str, _Order] = {}
        self._ending: dict[str, Outcome] = {}
        """What orders have reported whose environment is sensed at this moment."""
        self._count = 0
        self._failures: set[tuple[str, str]] = set()
        self._lost: dict[str, str] = {}
        self._is_slow = False
        self._sensed_by: dict[int, Environment | None] = {}
        provide(self.view.library.package)
        self.world = self.team.world
        self.scope = WorldScope(self.team)
        self.contracts = self.action_contracts()
        self.faults = FaultPlan((), self.seed)
        self.providers = OpenProviders(NeedSetup(self.view, self.seed, self.folder, self.spec.see))
        self.environments = Environments(self)
        self.stops = Stops(self.world)
        self.arbiter = SkillArbiter(self)
        self.external = ExternalWorks(self.clock, self.inbox)
        self.world.subscribe(self._follow)

    @property
    def view(self) -> View:
        """The files, as they were last read."""
        return self.team.knowledge.view

    @property
    def seed(self) -> int:
        """The seed of everything random."""
        return self.spec.seed or 0

    @property
    def runs_on(self) -> Mapping[str, str]:
        """The environment of each agent, or of all by `default`."""
        system = self.view.system
        return {"default": SYMBOLIC} if system is None else system.model.runs_on

    def answer_timeout(self, of_prompt: float | None) -> float:
        """Seconds of an answer: the command line's, else the prompt's or the library's longer."""
        section = self.view.library.settings.model
        given = self.spec.model_settings.get("timeout")
        if given is not None:
            return model_section(section, {"timeout": given}).timeout or ANSWER_TIMEOUT
        return max(of_prompt or 0.0, section.timeout or 0.0) or ANSWER_TIMEOUT

    def wake(self) -> None:
        """Let the tree be ticked again."""
        self.inbox.wake()

    def asked_together(self) -> AbstractContextManager[None]:
        """While it is open, requests are kept, so that they leave together."""
        return nullcontext() if self.asker is None else self.asker.together()

    def action_contracts(self) -> list[Contract]:
        """The contracts of actions and skills that the files have now."""
        return [Contract(e) for e in self.view.all("contract").values() if e.model.each]

    def _follow(self, record: Record) -> None:
        if record.kind != NodeFailed.kind:
            self._failures.clear()
        self.work.follow(record)
        self.pace.follow(record)
        for environment in self.environments.others(self._sensed_by.pop(record.n, None)):
            effects = facts_of(record)
            if effects:
                environment.notify(effects)

    def record_node_failure(self, path: str, reason: str, module: str) -> None:
        """Record a failure; the same one again only after something else has happened.

        Otherwise a node that fails at every tick would change the world at every tick, and the loop
        would never wait.
        """
        if (path, reason) not in self._failures:
            self._failures.add((path, reason))
            self.world.emit(NodeFailed(path, reason, module), path)

    def alarm_in_vain(self, path: str, what: str, times: int, reason: str) -> None:
        """Record the alarm about something that fails at once again and again, if it is time."""
        if times == VAIN:
            self.world.emit(InVain(path, what, times, reason), path)

    def record_model_loss(self, model: str, reason: str, module: str) -> None:
        """Record that no answer came: once, until one comes or the reason has another module.

        ``model`` is '' for the run's.
        """
        known = self._lost.get(model)
        if known != module and not (known and module == HELD_BACK):
            self._lost[model] = module
            self.world.emit(ModelLost(reason, module, model), "model")

    def call_if_slow(self, path: str) -> Timer | None:
        """In real time, record that a node has waited for a model for long: once until it answers.

        Returns the timer, to be cancelled when the answer comes.
        """
        if not isinstance(self.clock, RealClock) or self._is_slow:
            return None
        return self.clock.call_at(self.clock.now() + SLOW, lambda: self._record_slow_model(path))

    def _record_slow_model(self, path: str) -> None:
        if not self._is_slow:
            self._is_slow = True
            self.world.emit(ModelSlow(path, SLOW), "model")

    def model_is_lost(self, model: str) -> bool:
        """Whether no answer of a model came the last time."""
        return model in self._lost

    def record_model_return(self, model: str) -> None:
        """Record that an answer came, if none had come before."""
        self._is_slow = False
        if self._lost.pop(model, None) is not None:
            self.world.emit(ModelBack(model), "model")

    def recall(self, records: Iterable[Record]) -> None:
        """Know again what nodes have done, and whether the model was lost, in a resumed run."""
        for record in records:
            self.work.follow(record)
            if isinstance(record.event, ModelLost):
                self._lost[record.event.model] = record.event.module
            elif isinstance(record.event, ModelBack):
                self._lost.pop(record.event.model, None)

    def is_hushed(self, path: str) -> bool:
        """Whether the node at a path asks no model for now."""
        for top, is_over in tuple(self.suppressed.items()):
            if is_over():
                del self.suppressed[top]
        return any(is_at_or_below(path, top) for top in self.suppressed)

    # Skills and their workers

    def runs_in(self, agent: str) -> str:
        """The name of the environment that an agent acts in."""
        return self.runs_on.get(agent) or self.runs_on.get("default", SYMBOLIC)

    def stands_still(self, agent: str) -> bool:
        """Whether the world that an agent acts in is as it was when the run is resumed."""
        return stands_still(self.runs_in(agent), self.view.library.settings.environments)

    def environment(self, agent: str) -> Environment | None:
        """The environment of an agent; None for the symbolic one. Raises NodeError."""
        guarded = self.guarded_environment(agent)
        return None if guarded is None else guarded.environment

    def guarded_environment(self, agent: str) -> GuardedEnvironment | None:
        """The guard of an agent's environment. Raises NodeError, also when it is lost."""
        try:
            guarded = self.environments.open(self.runs_in(agent))
        except EnvironmentUnavailable as error:
            raise NodeError(str(error)) from None
        if guarded is not None and guarded.lost is not None:
            raise NodeError(LostEnvironment(guarded.name, guarded.why_lost))
        return guarded

    def lose_environment(self, name: str, why: ForeignError) -> None:
        """Take note that an environment is lost; its skills are stopped at the same instant."""
        self.inbox.post("environment", (name, why))

    def on_environment(self, message: InboxMessage) -> None:
        """Stop the skills in an environment that is lost; what they set is unknown."""
        name, why = cast(tuple[str, ForeignError], message.payload)
        system = self.view.system
        is_for_now = system is not None and system.model.reopen is not None
        loss = LostEnvironment(name, reason_of(why), is_for_now)
        lost = [
            order
            for order in self._orders.values()
            if order.environment is not None and order.environment.name == name
        ]
        self.world.emit(EnvironmentLost(name, loss.reason, why.module), name)
        self.arbiter.stop_all(name, loss)
        facts = sorted({fact for order in lost for fact in order.touches})
        self.apply([Effect(fact, tuple(args), None, "unknown") for fact, *args in facts], name)
        self.environments.reopen_later(name, loss.reason)
        alarm = sentence(self.view, "lost")
        if alarm is not None:
            self.say(alarm.render(MappingScope({"name": name})), name)

    def worker(self, skill: str, agent: str) -> Worker:
        """A new worker for a skill in the agent's environment. Raises NodeError."""
        environment = self.runs_in(agent)
        model = self.team.knowledge.skill(skill)
        others = registry().workers.get(environment)
        target = model.runs.get(environment, others) if model else None
        if model is None or target is None:
            known = tuple(model.runs) if model else ()
            raise NodeError(NoWorker(skill, known, environment))
        try:
            bound = () if isinstance(target, str) else (target,)
            if not isinstance(target, str):
                bindings = bindings_for(environment)
                assert bindings is not None  # else the file would not have been read
                target = bindings.worker
            make = load(target)
            with guard(target.partition(":")[0]):
                worker = cast(Worker, make(*bound))
                methods = ("start", "cancel")
                missing = [name for name in methods if not callable(getattr(worker, name, 0))]
        except ForeignError as error:
            raise NodeError(f"the worker {target} of the skill '{skill}': {error}") from error
        if missing:
            raise NodeError(
                f"the worker {target} of the skill '{skill}' lacks the method "
                f"{' and the method '.join(missing)}"
            )
        return worker

    @property
    def is_at_work(self) -> bool:
        """Whether an order is in flight, or work outside the loop."""
        return bool(self._orders) or self.external.in_progress

    def at_work_on(
        self, facts: Collection[GroundFact], changes: Collection[GroundFact] | None = None
    ) -> bool:
        """Whether an order in flight sets one of these facts (name, arguments).

        With ``changes``, those facts whose values differ from the current ones, two orders may set
        the same fact to its current value.
        """
        changed = facts if changes is None else changes
        return any(
            not order.changes.isdisjoint(facts) or not order.touches.isdisjoint(changed)
            for order in self._orders.values()
        )

    def new_order(
        self,
        done: Callable[[Outcome], None],
        touches: Collection[GroundFact] = (),
        changes: Collection[GroundFact] | None = None,
        environment: GuardedEnvironment | None = None,
    ) -> str:
        """Register an order and return its id; ``done`` is called with its outcome.

        ``touches`` are the facts that it sets, ``changes`` those whose values will differ;
        ``environment`` is what it acts on.
        """
        self._count += 1
        id = f"s{self._count}"
        changed = frozenset(touches if changes is None else changes)
        self._orders[id] = _Order(done, frozenset(touches), changed, environment)
        return id

    def count(self, orders: int) -> None:
        """Continue the numbering of orders of a resumed run."""
        self._count = orders

    def host(self, order_id: str, module: str) -> Host:
        """The host for the worker of an order; ``module`` is the worker's."""
        guarded = self._orders[order_id].environment
        return _Host(self, order_id, module, None if guarded is None else guarded.environment)

    def begin_external(
        self, order_id: str, name: str, takes: float, limit: float, on_error: OnError
    ) -> ExternalWork:
        """Announce work outside the loop that an order's worker has begun."""
        work = self.external.begin(name, by=order_id, takes=takes, limit=limit, on_error=on_error)
        if order_id in self._orders:
            self._orders[order_id].external.append(work)
        else:
            work.cancel()
        return work

    def on_need(self, order_id: str, take: Callable[[NeedAnswer], None]) -> None:
        """Hand the next answer of a provider for an order to a function, on the loop's thread."""
        if order_id in self._orders:
            self._orders[order_id].on_need = take

    def start_in_thread(self, worker: Worker, order: WorkOrder, host: Host, limit: float) -> None:
        """Start a worker that blocks; its order fails after ``limit`` real seconds."""
        work = host.begin_external(order.skill, limit=limit)
        self._orders[order.id].blocking = work

        def start() -> None:
            with work:
                worker.start(order, host)
                self.inbox.post("skill", ("returned", order.id, type(worker).__module__))

        threading.Thread(target=start, name=f"{order.id} {order.skill}", daemon=True).start()

    def report_overdue(self) -> None:
        """Record work that has exceeded its limit, and tell people; fail orders that block."""
        for work in self.external.overdue():
            order = self._orders.get(work.by)
            if order is not None and order.blocking is work:
                order.done(self.end(work.by, Outcome(False, TimedOut(work.limit))))
                self.wake()
                continue
            self.world.emit(ExternalWorkOverdue(work.name, work.limit), work.by or "external")
            alarm = sentence(self.view, "overdue")
            if alarm is not None:
                values = {"name": work.name, "seconds": f"{work.limit:g}"}
                self.say(alarm.render(MappingScope(values)), "external")

    def say(self, text: str, by: str) -> None:
        """Say something to people."""
        for event in number_entries(self.world.state, [Said("assistant", text)]):
            self.world.emit(event, by)

    def end(self, order_id: str, outcome: Outcome) -> Outcome:
        """Remove an order; apply its worker's pending reports, then the outcome's effects.

        All that is recorded until the end of this step of the loop is one batch: what the skill has
        done, its end, and what its tree makes of it.
        Where its environment can sense, the sensed values become facts, and the returned outcome is
        a failure if they differ from the expected effects.
        """
        self.world.journal.hold(sync=True)
        order = self._orders.pop(order_id, None)
        if order is None:  # what it has done could not be recorded
            reported = self._ending.pop(order_id, None)
            if reported is None:
                return outcome
            self.apply(reported.effects, order_id)  # its environment holds the loop
            return reported
        for work in order.external:
            work.cancel()
        for effects in order.reports:
            self.apply(effects, order_id, order.environment)
        effects = outcome.effects
        if order.environment is not None:
            self._ending[order_id] = outcome
            sensed = order.environment.sense()
            self._ending.pop(order_id, None)
            effects, wrong = settle_effects(effects, sensed)
            if wrong and outcome.ok:
                name = outcome.unless or NOT_AS_EXPECTED
                outcome = Outcome(False, NotAsExpected(wrong, name), outcome.module)
            effects = (*effects, *self._sensed_changes(sensed, effects))
        refused = self.apply(effects, order_id, order.environment)
        return outcome if refused is None else Outcome(False, Reported(refused), outcome.module)

    def adopt_sensed_values(self, environment: Environment, by: str) -> None:
        """Make sensed values facts where they differ from the facts."""
        self.adopt(environment.sense(), environment, by)

    def adopt(self, sensed: Sequence[Effect], environment: Environment, by: str) -> None:
        """The same of what was sensed already."""
        self.apply(self._sensed_changes(sensed), by, environment)

    def _sensed_changes(
        self, sensed: Sequence[Effect], but: Sequence[Effect] = ()
    ) -> tuple[Effect, ...]:
        reported = {(effect.fact, effect.args) for effect in but}

        def is_known(key: Key) -> bool:
            return key in reported or self.at_work_on([(key[0], *key[1])])

        return changed_facts(self.world.facts, sensed, is_known)

    def sense(self, order_id: str, effects: tuple[Effect, ...]) -> bool:
        """Take a worker's report of effects; the loop applies reports in order.

        False if there are too many: those before are dropped, too.
        """
        order = self._orders.get(order_id)
        if order is None or order.is_over:
            return True

        def report() -> None:
            order.reports.append(effects)
            self.inbox.post("skill", ("sense", order_id, len(effects)))

        return self._admit(order, len(effects), report)

    def note(self, order_id: str, text: str, record: Mapping[str, Any]) -> bool:
        """Take what a worker notes on its way; the journal has it from the next tick on.

        False if there are too many.
        """
        order = self._orders.get(order_id)
        if order is None or order.is_over:
            return True

        def report() -> None:
            self.inbox.post("skill", ("note", order_id, (text, dict(record))))

        return self._admit(order, 0, report)

    def _admit(self, order: _Order, effects: int, report: Callable[[], None]) -> bool:
        """Deliver a report of so many effects, unless too many wait already."""
        with self.inbox.lock:
            order.pending += max(1, effects)
            if order.pending > MOST:
                order.reports.clear()
                return False
            self._deliver(order, report)
        return True

    def finish(self, order_id: str, outcome: Outcome) -> None:
        """Take a worker's report that an order ended; what it has announced is done, too."""
        order = self._orders.get(order_id)
        if order is not None and not order.is_over:
            order.is_over = True

            def report() -> None:
                self.inbox.post("skill", ("finish", order_id, outcome))

            self._deliver(order, report)
            for work in order.external:
                work.done()

    def _deliver(self, order: _Order, report: Callable[[], None]) -> None:
        """Post a report, at the earliest when the work that its worker has announced may end."""
        held = next((work for work in order.external if work.is_held), None)
        if held is None:
            report()
        else:
            held.deliver(report)

    def on_late(self, message: InboxMessage) -> None:
        """Handle what nobody came to before the end, or an environment posted while it was closed.

        An environment that is lost by then is named, and nothing more is done about it.
        """
        if message.source == "environment":
            name, why = cast(tuple[str, ForeignError], message.payload)
            self.world.emit(EnvironmentLost(name, reason_of(why), why.module), name)
        if message.source == "skill" and cast("tuple[str, str, Any]", message.payload)[0] == "call":
            self.on_skill(message)

    def on_skill(self, message: InboxMessage) -> None:
        """Handle a worker's report from the inbox."""
        what, order_id, payload = cast(tuple[str, str, Any], message.payload)
        if what == "call":
            payload()
            return
        order = self._orders.get(order_id)
        if order is None:
            return  # it was cancelled; its outcome is in the journal already
        if what == "need":
            if order.on_need is not None:
                order.on_need(payload)
            return
        if what in ("note", "sense"):
            order.pending -= max(1, payload) if what == "sense" else 1
        if what == "note":
            self.world.emit(SkillNoted(order_id, *payload), order_id)
            return
        if what == "returned":
            why = Reported("start() returned and had not called host.finish()")
            payload = Outcome(False, why, payload)
        if what == "sense":
            if order.reports:
                self.apply(order.reports.popleft(), order_id, order.environment)
            return
        order.done(self.end(order_id, payload))

    def apply(
        self, effects: Sequence[Effect], by: str, environment: Environment | None = None
    ) -> str | None:
        """Make effects facts, as one record; if they are refused, record and return the reason.

        Refused is what is no fact of the domain, or of another type. Environments other than the
        one that they come from are notified.
        """
        if wrong := next(filter(None, (effect_misfit(self.view, e) for e in effects)), None):
            self.record_node_failure(by, wrong, __name__)
            return wrong
        events = tuple(
            FactUnknown(effect.fact, effect.args)
            if effect.source == "unknown" or effect.value is None
            else FactSet(effect.fact, effect.args, effect.value, effect.source)
            for effect in effects
        )
        if not events:
            return None
        number = self.world.journal.last + 1  # subscribers may get the record later
        self._sensed_by[number] = environment
        try:
            self.world.emit(Commit("facts", events), by)
        except EventRefused as error:  # workers are third-party code
            del self._sensed_by[number]
            self.record_node_failure(by, error.reason, __name__)
            return error.reason
        return None


def heard_ids(runtime: Runtime) -> frozenset[str]:
    """The ids of the last utterance and of all acts that are not settled.

    It is a subset of an earlier moment's as long as nothing was said or understood since.
    """
    now = runtime.team.now
    return frozenset((now.talk.last_heard, *(act.id for act in now.acts)))


def load(target: str) -> Callable[..., object]:
    """The Python object behind ``package.module:Name``. Raises ForeignError."""
    return cast(Callable[..., object], import_foreign(target))


def error_text(path: str, error: LocatedError, line: int | None = None) -> str:
    """An error's text with the node it happened in."""
    where = f"{path}, line {line}" if line else path
    return f"{where}: {error.message}"
