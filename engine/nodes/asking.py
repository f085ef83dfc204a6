"""Asking: ask, be refused, ask again, decide offline, fall back, accept. Shared by all kinds.

A kind of node that asks is one class below :class:`AskingNode` (:class:`AskingLeaf` where it has no
children). It says what it asks, how an answer is understood, and what follows from an answer, from
none, and from none that was valid; it also says how cases, recordings, ``treec ask`` and ``treec
compare`` put it in front of a world and read off what it decided. See docs/design/asking.md.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Any, ClassVar, Generic, TypeVar

from py_trees.behaviour import Behaviour
from py_trees.common import Status

from treec.ask.driver import Handle
from treec.ask.driver import __name__ as DRIVER
from treec.ask.extract import LONGEST
from treec.ask.transport import Answer, Request, TooLarge, TransportError
from treec.files.entry import AnyEntry
from treec.files.prompts import Prompt
from treec.files.view import View
from treec.nodes.events import Answered, Asked
from treec.nodes.leaf import WorldLeaf
from treec.nodes.observation import Observation, plain
from treec.nodes.prompt import Question, read_answer, refusal
from treec.nodes.runtime import Runtime
from treec.source.scope import Scope
from treec.world.events import EventRefused
from treec.world.journal import Record

OFFLINE = "offline"
"""Who has decided where no model has."""

Parsed = TypeVar("Parsed")


class Exchange:
    """One question and the answers to it: in flight, answered, or given up."""

    def __init__(
        self,
        runtime: Runtime,
        entry: AnyEntry,
        path: str,
        question: Question,
        *,
        ahead: bool = False,
    ) -> None:
        self.runtime = runtime
        self.entry = entry
        self.path = path
        self.question = question
        self.heard = heard_ids(runtime)
        self.attempt = 0
        self.verdicts: list[str] = []
        self._ahead = ahead
        self._messages = list(question.messages)
        self._handle: Handle | None = None
        self._result: Answer | Exception | None = None
        self._ask()

    @property
    def outdated(self) -> bool:
        """Whether the user has said something, or was understood, since this was asked."""
        return not heard_ids(self.runtime) <= self.heard

    def take(self) -> Answer | Exception | None:
        """What came back, once; None while it is in flight."""
        result, self._result = self._result, None
        return result

    def again(self, answer: Answer, reason: str) -> bool:
        """Ask again with the reason; False if there are no retries left."""
        self._tell(answer, refused=reason)
        self.runtime.model_back()
        self.verdicts.append(reason)
        model: Prompt = self.entry.model
        if self.attempt > model.model.retries:
            return False
        self._messages += refusal(answer, reason, self.question.schema)
        self._ask()
        return True

    def accepted(self, answer: Answer) -> None:
        """Note in the journal that the answer was used."""
        self._tell(answer)
        self.runtime.model_back()

    def failed(self, error: Exception) -> None:
        """Note in the journal that no answer came, why, and in which module that showed."""
        reason = str(error) or type(error).__name__
        if not isinstance(error, TransportError | TimeoutError):
            reason = f"{type(error).__name__}: {error}".rstrip(": ")
        module = _module(error)
        self._tell(None, failed=reason, module=module)
        self.verdicts.append(reason)
        self.runtime.model_lost(reason, module)

    @property
    def why(self) -> str:
        """Why there is no answer to act on: every attempt's verdict."""
        if len(self.verdicts) == 1:
            return f"no valid answer came: {self.verdicts[0]}"
        told = (f"attempt {n}: {reason}" for n, reason in enumerate(self.verdicts, 1))
        return f"no valid answer came; {' '.join(told)}"

    def cancel(self) -> None:
        """Close the request; its answer is discarded."""
        if self._handle is not None:
            self._handle.cancel()
            self._handle = None
        self._result = None

    def _ask(self) -> None:
        self.attempt += 1
        asker = self.runtime.asker
        assert asker is not None
        seen = {name: plain(value) for name, value in self.question.seen.values.items()}
        settings = self.entry.model.model
        request = Request(
            node=self.entry.name,
            kind=self.entry.kind,
            messages=tuple(self._messages),
            schema=self.question.schema,
            observation=seen,
            attempt=self.attempt,
            model=settings.name,
            temperature=settings.temperature,
            timeout=settings.timeout,
        )
        ahead = self._ahead and self.attempt == 1
        self.runtime.world.emit(Asked(self.path, self.entry.name, self.attempt, ahead), self.path)
        self._handle = asker.start(request, self._deliver, settings.timeout)

    def _deliver(self, result: Answer | Exception) -> None:
        self._handle = None
        if isinstance(result, Answer) and len(result.text) > LONGEST:
            result = TooLarge(f"the answer has {len(result.text):,} characters")
        self._result = result

    def _tell(self, answer: Answer | None, **found: Any) -> None:
        told = {} if answer is None else _told(answer)
        event = Answered(self.path, self.entry.name, self.attempt, **told, **found)
        self.runtime.world.emit(event, self.path)


@dataclass(frozen=True)
class NodeContext:
    """Where a node stands: in its tree, or before the world of a case."""

    runtime: Runtime
    scope: Scope
    args: Mapping[str, object] = field(default_factory=dict)
    given: Mapping[str, object] = field(default_factory=dict)
    """By name, what its kind is given in a case beside arguments (``AskingNode.GIVEN``)."""
    node: Any = None
    """The node that stands there in its tree, if that is known."""


@dataclass(frozen=True)
class History:
    """The run that a node stood in, at a moment at which it looked."""

    view: View
    path: str
    before: Sequence[Record]
    after: Sequence[Record]
    node_at: Callable[[Sequence[Record], float], Any]
    """The same node in the world that these records lead to, ``t`` seconds into the run."""


@dataclass(frozen=True)
class RecordedDecision:
    """A decision, as a record of the journal tells it: at which node, on whose word.

    ``part``: what follows at the same node belongs to it. ``answer``: the journal holds only the
    answer; what it comes to shows when the node is given the answer again.
    """

    path: str
    by: str
    decision: dict[str, Any]
    part: bool = False
    answer: bool = False


class AskingNode(Generic[Parsed]):
    """A node that asks: the order of asking is here, what is asked and done is its kind's."""

    KIND: ClassVar[str]
    """The kind of file that it is made of."""
    GIVEN: ClassVar[tuple[str, ...]] = ()
    """What its examples and cases may give beside its arguments and what it sees."""
    FROM_RUN: ClassVar[tuple[str, ...]] = ()
    """What a case of a run's moment gives it, too, and nobody writes by hand."""
    OUTCOMES: ClassVar[tuple[str, ...]] = ()
    """The lists that make up its decision, if that is not what was answered (a program's steps)."""
    UNORDERED: ClassVar[tuple[str, ...]] = ()
    """The lists in its decision whose order means nothing."""
    READS: ClassVar[bool] = False
    """Whether the user's words are unread when it is asked in an example."""
    LEADS: ClassVar[bool] = False
    """Whether it comes first where several nodes decided at one moment."""
    IN_TREE: ClassVar[bool] = False
    """Whether a case with a whole world needs the node that stands in the system's tree."""

    runtime: Runtime
    entry: AnyEntry
    path: str
    scope: Scope
    seen: Observation
    """What was seen when it asked, or last decided without asking."""
    by = ""
    """On whose word it acts: always, offline, fallback, or who answered."""
    exchange: Exchange | None = None
    _prepared: Exchange | None = None

    # What a kind says of a tick

    def question(self) -> Question:
        """What is seen now, as messages, and the schema of the answer."""
        raise NotImplementedError

    def normalize(self, data: dict[str, Any]) -> dict[str, Any]:
        """An answer's data with short forms written out, before the schema is applied."""
        return data

    def find_data(self, text: str) -> Mapping[str, Any] | None:
        """The data in an answer that holds no valid JSON object; None if there are none."""
        return None

    def parse(self, data: Mapping[str, Any]) -> Parsed:
        """What the data mean in today's world. Raises ValueError or Refused."""
        raise NotImplementedError

    def judge(self, parsed: Parsed, by: str) -> None:
        """Raise ValueError or Refused if it may not be done.

        Where only a commit can tell, it is committed here, as a whole or not at all.
        """

    def explain(self, error: Exception) -> str:
        """What whoever answered is told of a refusal."""
        return str(error)

    def accept(self, parsed: Parsed, by: str) -> Status:
        """Act on an answer that was used."""
        raise NotImplementedError

    def offline(self, because: str) -> Status:
        """Decide without a model; ``because`` no answer came ('' if nobody was asked)."""
        raise NotImplementedError

    def fallback(self, error: Exception, because: str) -> Status:
        """Decide when the last answer, too, was refused with ``error``."""
        return self.offline(because)

    def outdated(self, exchange: Exchange) -> bool:
        """Whether the question is out of date and must be asked anew: there are new words."""
        return exchange.outdated

    @property
    def asks(self) -> bool:
        """Whether there is somebody to ask."""
        return self.runtime.asker is not None

    # The order of things, the same for all

    def ask(self) -> Status:
        """Ask, or take over what was asked ahead; offline if there is nobody to ask."""
        if not self.asks:
            return self.offline("")
        question = self.question()
        self.seen = question.seen
        prepared, self._prepared = self._prepared, None
        if prepared is not None and (prepared.attempt > 1 or not prepared.question.same(question)):
            prepared.cancel()
            prepared = None
        self.exchange = prepared
        if self.exchange is None:
            self.exchange = Exchange(self.runtime, self.entry, self.path, question)
            self.on_new_question()
        return self.look(self.exchange)  # the answer to one that was asked ahead may be there

    def on_new_question(self) -> None:
        """Called when a question is asked that was not asked ahead."""

    def look(self, exchange: Exchange) -> Status:
        """Look whether an answer has come, and act on it; RUNNING while none has."""
        result = exchange.take()
        if result is None:
            return Status.RUNNING
        if isinstance(result, Exception):
            exchange.failed(result)
            self.exchange = None
            return self.offline(exchange.why)
        try:
            data = read_answer(result, exchange.question.schema, self.normalize, self.find_data)
            parsed = self.parse(data)
            self.judge(parsed, result.by)
        except (ValueError, EventRefused) as error:
            if exchange.again(result, self.explain(error)):
                return Status.RUNNING
            self.exchange = None
            return self.fallback(error, exchange.why)
        exchange.accepted(result)
        self.exchange = None
        return self.accept(parsed, result.by)

    def cancel(self) -> None:
        """Close the request in flight."""
        if self.exchange is not None:
            self.exchange.cancel()
            self.exchange = None

    def ask_ahead(self) -> Iterable[Behaviour]:
        """Ask what it would ask if it were ticked now, if it can; see :mod:`treec.nodes.ahead`.

        Returns the nodes below that are to be asked, too, the likeliest first.
        """
        return ()

    def prepare(self) -> None:
        """Ask now what the next tick will ask, if nothing changes."""
        self.drop_prepared()
        question = self.question()
        self._prepared = Exchange(self.runtime, self.entry, self.path, question, ahead=True)

    def drop_ahead(self) -> None:
        """Close what was asked ahead, here and below."""
        self.drop_prepared()

    def drop_prepared(self) -> None:
        """Close what this node was asked ahead."""
        if self._prepared is not None:
            self._prepared.cancel()
            self._prepared = None

    # What a kind says of cases, recordings and recorded runs

    @classmethod
    def for_case(cls, entry: AnyEntry, around: NodeContext) -> AskingNode[Any]:
        """The node before the world of a case: it decides, and does nothing else."""
        return cls(entry.name, around.runtime, around.scope, entry, around.args)  # type: ignore[call-arg]

    def decision(self, records: Sequence[Record]) -> tuple[dict[str, Any] | None, str]:
        """Return its last decision in these records (None: none), and who made it."""
        found = join_decisions(
            made for record in records if (made := self.decision_in(record)) is not None
        )
        return (found.decision, found.by) if found is not None else (None, self.by)

    @classmethod
    def decision_in(cls, record: Record) -> RecordedDecision | None:
        """The decision of a node of this kind that a record tells of."""
        raise NotImplementedError

    @classmethod
    def given_at(cls, node: Any, history: History) -> Mapping[str, object]:
        """What a case of this moment gives it beside its arguments (``GIVEN``)."""
        return {}

    @classmethod
    def answers_offline(cls, entry: AnyEntry, view: View) -> bool:
        """Whether such a file can decide without a model."""
        model = entry.model
        return any(getattr(model, rules, None) for rules in ("always", "offline"))

    @classmethod
    def world_of(cls, entry: AnyEntry, views: Sequence[View]) -> View | None:
        """Where the cases of a file are asked that no system uses; None: nowhere."""
        return None


class AskingLeaf(AskingNode[Parsed], WorldLeaf):
    """A leaf that asks: one question a round, closed when the round ends."""

    def __init__(
        self,
        name: str,
        runtime: Runtime,
        scope: Scope,
        entry: AnyEntry,
        args: Mapping[str, object] = MappingProxyType({}),
    ) -> None:
        super().__init__(name, runtime, scope)
        self.entry = entry
        self.args = args

    def terminate(self, new_status: Status) -> None:
        """Close the request when stopped from above."""
        self.cancel()


def join_decisions(made: Iterable[RecordedDecision]) -> RecordedDecision | None:
    """The last decision, with the parts before it that belong to it."""
    parts: list[RecordedDecision] = []
    for one in made:
        parts = [*(part for part in parts if part.part), one]
    if not parts:
        return None
    last = parts[-1]
    lists = {
        name: [item for part in parts for item in part.decision[name]]
        for name, value in last.decision.items()
        if isinstance(value, list) and len(parts) > 1
    }
    return RecordedDecision(last.path, last.by, {**last.decision, **lists}, last.part, last.answer)


def heard_ids(runtime: Runtime) -> frozenset[str]:
    """The id of what people said last, and of all that was understood and is not settled.

    It is within that of an earlier moment as long as nothing was said or understood since.
    """
    now = runtime.team.now
    return frozenset((now.talk.last_heard, *(act.id for act in now.acts)))


def _told(answer: Answer) -> dict[str, Any]:
    """An answer as the journal keeps it; what is unknown is left out."""
    told: dict[str, Any] = {"by": answer.by, "text": answer.text}
    for name in ("input_tokens", "output_tokens", "cost", "seconds"):
        value = getattr(answer, name)
        if value is not None:
            told[name] = round(value, 9)
    if answer.tries:
        told["tries"] = answer.tries
    return told


def _module(error: Exception) -> str:
    """The module in which an error was raised."""
    trace = error.__traceback__
    module = DRIVER
    while trace is not None:
        module = str(trace.tb_frame.f_globals.get("__name__", module))
        trace = trace.tb_next
    return type(error).__module__ if isinstance(error, TransportError) else module
