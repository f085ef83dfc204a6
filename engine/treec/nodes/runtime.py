"""What the nodes of a run share: world, clock, team, model, environments and orders in flight.

Leaves use a :class:`Runtime` and nothing behind it. Whatever takes time posts its result to the
inbox, from where it reaches a handler that a leaf registered here.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, cast

from treec.ask.asker import Asker
from treec.extensions import registry
from treec.files.bindings import bindings_for
from treec.files.entry import Entry
from treec.files.own_package import provide
from treec.files.settings import model_section
from treec.files.systems import ScenarioFile
from treec.files.view import View
from treec.foreign import ForeignError, guard, import_foreign
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
    InVain,
    NodeFailed,
)
from treec.nodes.faults import FaultPlan
from treec.nodes.foreign import (
    reason_of,
)
from treec.nodes.guarded_environment import GuardedEnvironment
from treec.nodes.leaf import NodeError as NodeError
from treec.nodes.model_status import ModelStatus
from treec.nodes.needs import NeedSetup, OpenProviders
from treec.nodes.orders import OrdersInFlight
from treec.nodes.pace import VAIN, OrderPace
from treec.nodes.pairs import Embedder, Memories
from treec.nodes.sensing import Key, changed_facts, effect_misfit, facts_of
from treec.nodes.stops import Stops
from treec.nodes.work_log import WorkLog, is_at_or_below
from treec.nodes.worker import Effect, Worker
from treec.source.errors import LocatedError
from treec.source.scope import MappingScope
from treec.team.contracts import Contract
from treec.team.events import Said, number_entries
from treec.team.names import WorldScope
from treec.team.sentences import sentence
from treec.team.team import Team
from treec.world.clock import RealClock, VirtualClock
from treec.world.events import Commit, EventRefused, FactSet, FactUnknown
from treec.world.external import ExternalWorks
from treec.world.failures import (
    LostEnvironment,
    NoWorker,
)
from treec.world.inbox import Inbox, InboxMessage
from treec.world.journal import Record
from treec.world.spec import RunSpec

ANSWER_TIMEOUT = 20.0
"""Seconds that an answer of a model may take unless a file or the command line says otherwise."""


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
        self._failures: set[tuple[str, str]] = set()
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
        self.orders = OrdersInFlight(self)
        self.models = ModelStatus(self.world, self.clock)
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

    def recall(self, records: Iterable[Record]) -> None:
        """Know again what nodes have done, and whether the model was lost, in a resumed run."""
        for record in records:
            self.work.follow(record)
            self.models.recall(record.event)

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
        facts = self.orders.touched_in(name)
        self.world.emit(EnvironmentLost(name, loss.reason, why.module), name)
        self.arbiter.stop_all(name, loss)
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
        return bool(self.orders) or self.external.in_progress

    def say(self, text: str, by: str) -> None:
        """Say something to people."""
        for event in number_entries(self.world.state, [Said("assistant", text)]):
            self.world.emit(event, by)

    def adopt_sensed_values(self, environment: Environment, by: str) -> None:
        """Make sensed values facts where they differ from the facts."""
        self.adopt(environment.sense(), environment, by)

    def adopt(self, sensed: Sequence[Effect], environment: Environment, by: str) -> None:
        """The same of what was sensed already."""
        self.apply(self.sensed_changes(sensed), by, environment)

    def sensed_changes(
        self, sensed: Sequence[Effect], but: Sequence[Effect] = ()
    ) -> tuple[Effect, ...]:
        """What was sensed and differs from the facts, of those that no order in flight sets."""
        reported = {(effect.fact, effect.args) for effect in but}

        def is_known(key: Key) -> bool:
            return key in reported or self.orders.at_work_on([(key[0], *key[1])])

        return changed_facts(self.world.facts, sensed, is_known)

    def on_late(self, message: InboxMessage) -> None:
        """Handle what nobody came to before the end, or an environment posted while it was closed.

        An environment that is lost by then is named, and nothing more is done about it.
        """
        if message.source == "environment":
            name, why = cast(tuple[str, ForeignError], message.payload)
            self.world.emit(EnvironmentLost(name, reason_of(why), why.module), name)
        if message.source == "skill" and cast("tuple[str, str, Any]", message.payload)[0] == "call":
            self.orders.take(message)

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
            else FactSet(effect.fact, effect.args, effect.value, effect.source, effect.evidence)
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
