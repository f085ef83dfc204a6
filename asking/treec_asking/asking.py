"""Base classes of nodes that ask a model: request, retry, offline rules, fallback, acceptance.

Each kind is a subclass of :class:`AskingNode` (:class:`AskingLeaf` if it has no children). It
defines its question, how an answer is parsed, and what to do with an answer, without one, and with
none that is valid; also how cases, recordings, ``treec ask`` and ``treec compare`` run it and read
its decision. See docs/design/asking.md.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import field
from types import MappingProxyType
from typing import Any, ClassVar, Generic, TypeVar

from py_trees.behaviour import Behaviour
from py_trees.common import Status

from treec.ask.asker import Handle
from treec.ask.limits import prompt_tokens
from treec.ask.transport import Answer, Request, TooLarge, TransportError, is_decision_model
from treec.extensions import ExtensionError
from treec.files.entry import AnyEntry
from treec.files.kinds import recorded_kind
from treec.files.prompts import DISTILLED, PERSON, RULES, Prompt
from treec.files.view import View
from treec.foreign import text_of
from treec.frozen import frozen
from treec.nodes.asked import Asks
from treec.nodes.events import Answered, AnswerKept, Asked, PassedOn
from treec.nodes.leaf import WorldLeaf
from treec.nodes.observation import Observation, plain
from treec.nodes.runtime import Runtime, heard_ids
from treec.source.scope import Scope
from treec.world.clock import Timer
from treec.world.events import EventRefused
from treec.world.failures import module_of
from treec.world.journal import Record
from treec_asking.answerers import (
    UNKNOWN,
    Answerer,
    Answers,
    NotSure,
    PersonAsked,
    Sureness,
    answerers_of,
    read_typed,
    scorer_answer,
)
from treec_asking.driver import __name__ as DRIVER
from treec_asking.extract import LONGEST
from treec_asking.override_policy import OverridePolicy
from treec_asking.prompt import Question, read_answer, refusal, valid_data

ONLY = "only option"
"""Stands for a model's name where nothing else could have been answered, so that none was asked."""

Parsed = TypeVar("Parsed")


class Exchange:
    """One question with its request and retries; with ``kept``, an answer that is known already."""

    def __init__(
        self,
        runtime: Runtime,
        entry: AnyEntry,
        path: str,
        question: Question,
        answerer: Answerer | None = None,
        *,
        ahead: bool = False,
        kept: Answer | None = None,
    ) -> None:
        self.runtime = runtime
        self.entry = entry
        self.path = path
        self.question = question
        self.answerer = answerer or Answerer.of_run()
        self.heard = heard_ids(runtime)
        self.attempt = 0
        self.verdicts: list[str] = []
        self._ahead = ahead
        self._once = False
        self._model = self.answerer.other_model(runtime)
        messages, self._schema = self.answerer.request_parts(question)
        self._messages = list(messages)
        self._handle: Handle | None = None
        self._slow: Timer | None = None
        self._result: Answer | Exception | None = kept
        self.is_kept = kept is not None
        if kept is None:
            self._ask()
        else:
            self.runtime.world.emit(AnswerKept(path, entry.name, kept.by), path)

    @property
    def outdated(self) -> bool:
        """Whether the user has said something, or was understood, since the question was asked."""
        return not heard_ids(self.runtime) <= self.heard

    def take(self) -> Answer | Exception | None:
        """The result, returned once; None while the request is in flight."""
        result, self._result = self._result, None
        return result

    def again(
        self, answer: Answer, reason: str, sureness: Sureness = UNKNOWN, *, once: bool = False
    ) -> bool:
        """Retry with the reason for the refusal; False if there are no retries left.

        ``once``: nor after another such refusal.

        A kept answer that is refused is no attempt: the model is asked after all. Decision models
        are not asked again: they would answer the same.
        """
        if self.is_kept:
            self.is_kept = False
            self._ask()
            return True
        model: Prompt = self.entry.model
        is_last = self.answerer.typed or self.attempt > model.model.retries
        gives_up = is_last or (once and self._once)
        tells = gives_up and not self.answerer.is_listed
        self._record(answer, refused=reason, gives_up=tells, **sureness.rounded())
        self.runtime.models.record_return(self._model)
        self.verdicts.append(reason)
        if gives_up:
            return False
        self._once = self._once or once
        self._messages += refusal(answer, reason, self.question.schema)
        self._ask()
        return True

    def record_use(self, answer: Answer, sureness: Sureness = UNKNOWN) -> None:
        """Record that the answer was used, if it came now."""
        if not self.is_kept:
            self._record(answer, **sureness.rounded())
            self.runtime.models.record_return(self._model)

    def pass_on(self, answer: Answer, error: NotSure, sureness: Sureness) -> None:
        """Record an answer that is not sure enough."""
        self._record(answer, refused=str(error), **sureness.rounded())
        self.runtime.models.record_return(self._model)
        self.verdicts.append(str(error))

    def record_failure(self, error: Exception) -> None:
        """Record that no answer came, with the reason and the module that raised it."""
        reason = text_of(error) or type(error).__name__
        if not isinstance(error, TransportError | TimeoutError):
            reason = f"{type(error).__name__}: {text_of(error)}".rstrip(": ")
        module = _module(error)
        spent = getattr(error, "spent", None)
        gives_up = spent is not None
        self._record(spent, failed=reason, module=module, text=None, gives_up=gives_up)
        self.verdicts.append(reason)
        if gives_up:  # it has answered, and that is no answer
            self.runtime.models.record_return(self._model)
        else:
            self.runtime.models.record_loss(self._model, reason, module)

    @property
    def why(self) -> str:
        """Why there is no valid answer: the reason of each attempt."""
        if len(self.verdicts) == 1:
            return f"no valid answer came: {self.verdicts[0]}"
        attempts = (f"attempt {n}: {reason}" for n, reason in enumerate(self.verdicts, 1))
        return f"no valid answer came; {' '.join(attempts)}"

    def cancel(self) -> None:
        """Cancel the request; its answer is discarded."""
        if self._handle is not None:
            self._handle.cancel()
            self._handle = None
        self._forget_time()
        self._result = None

    def _forget_time(self) -> None:
        if self._slow is not None:
            self._slow.cancel()
            self._slow = None

    def _ask(self) -> None:
        self.attempt += 1
        asker = self.runtime.asker
        assert asker is not None
        observation = {name: plain(value) for name, value in self.question.seen.values.items()}
        settings = self.entry.model.model
        timeout = self.runtime.answer_timeout(settings.timeout)
        request = Request(
            node=self.entry.name,
            kind=recorded_kind(self.entry),
            messages=tuple(self._messages),
            schema=self._schema,
            observation=observation,
            attempt=self.attempt,
            model=self.answerer.model,
            temperature=None if self.answerer.typed else settings.temperature,
            timeout=timeout,
        )
        ahead = self._ahead and self.attempt == 1
        asked = Asked(self.path, self.entry.name, self.attempt, ahead, prompt_tokens(request))
        self.runtime.world.emit(asked, self.path)
        if not ahead:
            self._slow = self.runtime.models.call_if_slow(self.path)
        self._handle = asker.start(request, self._deliver, timeout)

    def _deliver(self, result: Answer | Exception) -> None:
        self._handle = None
        self._forget_time()
        if isinstance(result, Answer) and len(result.text) > LONGEST:
            result = TooLarge(f"the answer has {len(result.text):,} characters")
        self._result = result

    def _record(self, answer: Answer | None, **found: Any) -> None:
        fields = {} if answer is None else _answer_fields(answer)
        event = Answered(self.path, self.entry.name, self.attempt, **{**fields, **found})
        self.runtime.world.emit(event, self.path)


class ScorerExchange(Exchange):
    """A question to a distilled scorer, whose answer comes at once."""

    def _ask(self) -> None:
        self.attempt += 1
        root = self.runtime.view.library.root
        try:
            self._result = scorer_answer(root, str(self.answerer.model), self.question)
        except (NotSure, ExtensionError) as error:
            self._result = NotSure(str(error))

    def record_failure(self, error: Exception) -> None:
        """Note why it passes on."""
        self.verdicts.append(str(error))


AnyExchange = Exchange | PersonAsked


@frozen(slots=False)
class NodeContext:
    """What a node is made with, in its tree or in the world of a case."""

    runtime: Runtime
    scope: Scope
    args: Mapping[str, object] = field(default_factory=dict)
    given: Mapping[str, object] = field(default_factory=dict)
    """Inputs of a case beside its arguments, by name (``AskingNode.GIVEN``)."""
    node: Any = None
    """The node at this place in the tree, if known."""


@frozen(slots=False)
class History:
    """A run's journal before and after a moment at which a node decided."""

    view: View
    path: str
    before: Sequence[Record]
    after: Sequence[Record]
    node_at: Callable[[Sequence[Record], float], Any]
    """The same node in the world after these records, ``t`` seconds into the run."""


@frozen(slots=False)
class RecordedDecision:
    """A decision in a journal record: its node's path, who made it, and its data.

    ``part``: the next decision at the same node belongs to it. ``answer``: the journal has only the
    answer; the decision follows from giving the node that answer again.
    """

    path: str
    by: str
    decision: dict[str, Any]
    part: bool = False
    answer: bool = False


class AskingNode(Asks, Generic[Parsed]):
    """A node that asks a model. The protocol is here; subclasses define questions and effects."""

    KIND: ClassVar[str]
    """The kind of its file."""
    GIVEN: ClassVar[tuple[str, ...]] = ()
    """Inputs that examples and cases may give beside its arguments and what it sees."""
    FROM_RUN: ClassVar[tuple[str, ...]] = ()
    """Further inputs that cases made from a run have, and that are not written by hand."""
    OUTCOMES: ClassVar[tuple[str, ...]] = ()
    """The lists of its decision, where they differ from the answer (a program's steps)."""
    UNORDERED: ClassVar[tuple[str, ...]] = ()
    """Lists in its decision that are compared without regard to order."""
    READS: ClassVar[bool] = False
    """Whether the utterances of an example count as unread."""
    LASTS: ClassVar[bool] = False
    """Whether its answer counts until the next one."""
    LEADS: ClassVar[bool] = False
    """Whether it is listed first where several nodes decided at the same moment."""
    IN_TREE: ClassVar[bool] = False
    """Whether a case with a full world runs the node of the system's tree."""

    runtime: Runtime
    entry: AnyEntry
    path: str
    scope: Scope
    seen: Observation
    """The observation when it asked, or when it last decided without asking."""
    by = ""
    """Who decided: always, only option, offline, fallback, or the model's name."""
    exchange: AnyExchange | None = None
    _number = 0
    """The number of the answerer that is asked."""
    last_answer: Answer | None = None
    override: OverridePolicy
    """What has come of the model's answers."""
    _used: tuple[Question, Answer] | None = None
    """The last answer that was used; it stands as long as the prompt is the same."""
    _prepared: Exchange | None = None
    sureness = UNKNOWN
    """That of the last answer that was used."""
    _unanswered: tuple[str, Exception | None] = "", None
    """Why there is no answer yet: in words, and the refusal of the last one."""

    # What a subclass defines for a tick

    def question(self) -> Question:
        """The prompt for the current observation, and the schema of the answer."""
        raise NotImplementedError

    def normalize(self, data: dict[str, Any]) -> dict[str, Any]:
        """Expand short forms in an answer's data, before it is validated."""
        return data

    def read_typed(self, answers: Answers, question: Question) -> tuple[dict[str, Any], Sureness]:
        """The data in the answers of a decision model, and how sure it is. Raises ValueError."""
        raise ValueError("it answers no such question.")

    def rules_pass_on(self) -> str:
        """Why the rules would give no answer of their own; '' if they would."""
        return ""

    def rules_answer(self) -> dict[str, Any] | None:
        """What the rules would answer in a model's place; None if they answer no such question."""
        return None

    def find_data(self, text: str) -> Mapping[str, Any] | None:
        """Find the data of an answer without a valid JSON object; None if there is none."""
        return None

    def parse(self, data: Mapping[str, Any]) -> Parsed:
        """Parse valid data in the world as it is now. Raises ValueError or EventRefused."""
        raise NotImplementedError

    def judge(self, parsed: Parsed, by: str) -> None:
        """Raise ValueError or EventRefused if it is not allowed.

        Where only committing it can show that, it is committed here, as a whole or not at all.
        """

    def explain(self, error: Exception) -> str:
        """The reason for a refusal, as sent to the model."""
        return str(error)

    def accept(self, parsed: Parsed, by: str) -> Status:
        """Act on an answer that was used."""
        raise NotImplementedError

    def offline(self, because: str) -> Status:
        """Decide without a model; ``because`` says why no answer came ('': none was requested)."""
        raise NotImplementedError

    def fallback(self, error: Exception, because: str) -> Status:
        """Decide after the last answer was refused with ``error``."""
        return self.offline(because)

    def outdated(self, exchange: AnyExchange) -> bool:
        """Whether the question is out of date, because there are new utterances."""
        return exchange.outdated

    @property
    def asks(self) -> bool:
        """Whether there is somebody to ask, and this node asks in this system."""
        if self.runtime.asker is None and not self.entry.model.answerers:
            return False
        named = self._named
        listed = not isinstance(named, list) or self.entry.name in named
        if not listed or self.runtime.is_hushed(self.path):
            return False
        return any(one.kind != RULES and not self._cannot_ask(one) for one in self.answerers)

    @property
    def answerers(self) -> tuple[Answerer, ...]:
        """Who answers, in order."""
        return answerers_of(self.entry, self.runtime)

    def _cannot_ask(self, answerer: Answerer) -> str:
        """Why a model or a person cannot be asked; '' if they can."""
        if not answerer.is_model:
            asks = self.runtime.paces if answerer.kind == PERSON else self.runtime.scores
            return answerer.unfit if asks else "in a case there is nobody but models to ask"
        named = answerer.model is not None or self.runtime.model != ""
        if self.runtime.asker is None or not named:
            return "no model is chosen"
        model = answerer.model or self.runtime.model
        if answerer.typed and model is not None and not is_decision_model(model):
            return "no decision model is chosen"
        takes = not answerer.typed or type(self).read_typed is not AskingNode.read_typed
        return "" if takes else "it answers no such question"

    @property
    def asks_if_needed(self) -> bool:
        """Whether it asks, but not where one answer is possible or nothing has changed."""
        return self.asks and self._named != "always" and self.entry.model.ask != "always"

    @property
    def _named(self) -> Sequence[str] | str | None:
        system = self.runtime.view.system
        return None if system is None else system.model.asks

    # The protocol, the same for all

    def ask(self) -> Status:
        """Ask, or use what was asked ahead; offline rules if there is nobody to ask."""
        self._unanswered = "", None
        return self._ask_from(0) if self.asks else self.offline("")

    def _ask_from(self, first: int) -> Status:
        """Ask the first answerer from a number on who does not pass on; the rules if all do."""
        for number, answerer in enumerate(self.answerers[first:], first):
            why: str | None
            if answerer.kind == RULES:
                why = self.rules_pass_on() or None
                if why is None:
                    return self.offline("")
            elif (why := self._ask_answerer(number, answerer)) is None:
                assert self.exchange is not None
                return self.look(self.exchange)  # if it was asked ahead, the answer may be there
            self._record_passing(answerer, why)
        because, error = self._unanswered
        return self.offline(because) if error is None else self.fallback(error, because)

    def _ask_answerer(self, number: int, answerer: Answerer) -> str | None:
        """Ask one; why that is impossible, or None."""
        if why := self._cannot_ask(answerer):
            return why
        question = self.question()
        self.seen = question.seen
        prepared, self._prepared = self._prepared, None
        if prepared is not None and (
            prepared.attempt > 1
            or prepared.answerer != answerer
            or not prepared.question.same(question)
        ):
            prepared.cancel()
            prepared = None
        self._number, self.exchange = number, prepared
        if prepared is not None:
            return None
        is_person = answerer.kind == PERSON
        if (answerer.typed and not question.typed) or (is_person and question.choice is None):
            return "the question has no form that it takes"
        if is_person:
            self.exchange = PersonAsked(self.runtime, self.entry, self.path, question, answerer)
            return None
        kept = self._kept_answer(question)
        with self.runtime.asked_together():
            make = ScorerExchange if answerer.kind == DISTILLED else Exchange
            self.exchange = make(self.runtime, self.entry, self.path, question, answerer, kept=kept)
            if kept is None:
                self.on_new_question()
        return None

    def _record_passing(self, answerer: Answerer, why: str) -> None:
        """Record why one of the file's answerers passes on."""
        if answerer.is_listed:
            event = PassedOn(self.path, self.entry.name, answerer.name, why)
            self.runtime.world.emit(event, self.path)

    def _pass_on(self, exchange: AnyExchange, error: Exception | None) -> Status:
        """Ask the next one; ``error`` is the refusal of the last answer."""
        self.exchange = None
        self._unanswered = exchange.why, error
        self._record_passing(exchange.answerer, exchange.verdicts[-1])
        return self._ask_from(self._number + 1)

    def on_new_question(self) -> None:
        """Called when a question is asked that was not asked ahead."""

    def look(self, exchange: AnyExchange) -> Status:
        """Act on the answer if it has come; RUNNING otherwise."""
        result = exchange.take()
        if result is None:
            return Status.RUNNING
        if isinstance(result, Exception):
            exchange.record_failure(result)
            return self._pass_on(exchange, None)
        self.last_answer = result
        sureness = UNKNOWN
        try:
            data, sureness = self._read(exchange, result)
            if not exchange.is_kept:
                exchange.answerer.require(sureness)
            parsed = self.parse(data)
            self.judge(parsed, result.by)
        except NotSure as error:
            exchange.pass_on(result, error, sureness)
            return self._pass_on(exchange, None)
        except (ValueError, EventRefused) as error:
            if exchange.again(result, self.explain(error), sureness, once=hasattr(error, "once")):
                return Status.RUNNING
            return self._pass_on(exchange, error)
        exchange.record_use(result, sureness)
        self._used = exchange.question, result
        self.exchange, self.sureness = None, sureness
        return self.accept(parsed, result.by)

    def _read(self, exchange: AnyExchange, answer: Answer) -> tuple[dict[str, Any], Sureness]:
        """The data in an answer, and how sure it is. Raises ValueError."""
        question = exchange.question
        if exchange.answerer.typed:
            data, sureness = self.read_typed(read_typed(answer.text), question)
            return valid_data(data, question.widest), sureness
        data = read_answer(answer, question.widest, self.normalize, self.find_data)
        return data, Sureness(answer.confidence)

    # Where the run would come to rest

    def falls_short(self) -> float:
        """Seconds of rest after which the rules decide, since they would do more than a model.

        0 if they would not, or something came of its answer.
        """
        return 0.0

    @property
    def goes_on(self) -> bool:
        """Whether what it has chosen is RUNNING: it may only wait for its time."""
        return False

    def give_way(self) -> None:
        """Do what the rules would do."""

    def follow_below(self) -> None:
        """Let the rules decide, since a node below gives way."""
        self.override.give_way(tells=False)

    def _kept_answer(self, question: Question) -> Answer | None:
        """The last answer, if the question is the one that it was given to."""
        if self._used is None or not self.asks_if_needed:
            return None
        return self._used[1] if self._used[0].same_prompt(question) else None

    def drop_kept(self) -> None:
        """Ask the next question also if its prompt is the same: what came of its answer failed."""
        self._used = None

    def cancel(self) -> None:
        """Cancel the request in flight."""
        if self.exchange is not None:
            self.exchange.cancel()
            self.exchange = None

    def ask_ahead(self) -> Iterable[Behaviour]:
        """Send the question it would ask if it were ticked now; see :mod:`treec_asking.ahead`.

        Returns the nodes below that should be asked ahead as well, the likeliest first.
        """
        return ()

    def prepare(self) -> None:
        """Send the question that the next tick will ask if nothing changes."""
        self.drop_prepared()
        first = next((one for one in self.answerers if not self._passes_on(one)), None)
        if first is None or not first.is_model:
            return
        if self.runtime.models.is_lost(first.other_model(self.runtime)):
            return  # the next question that is really asked says whether it answers again
        question = self.question()
        if self._kept_answer(question) is None and (question.typed or not first.typed):
            self._prepared = Exchange(
                self.runtime, self.entry, self.path, question, first, ahead=True
            )

    def _passes_on(self, answerer: Answerer) -> bool:
        """Whether it is certain that an answerer passes on."""
        if answerer.kind == RULES:
            return bool(self.rules_pass_on())
        return bool(self._cannot_ask(answerer))

    def drop_ahead(self) -> None:
        """Cancel what was asked ahead, here and below."""
        self.drop_prepared()

    def drop_prepared(self) -> None:
        """Cancel what this node asked ahead."""
        if self._prepared is not None:
            self._prepared.cancel()
            self._prepared = None

    # What a subclass defines for cases, recordings and recorded runs

    @classmethod
    def for_case(cls, entry: AnyEntry, around: NodeContext) -> AskingNode[Any]:
        """The node in the world of a case: it decides and does nothing else."""
        return cls(entry.name, around.runtime, around.scope, entry, around.args)  # type: ignore[call-arg]

    def decision(self, records: Sequence[Record]) -> tuple[dict[str, Any] | None, str]:
        """Return its last decision in these records (None: none), and who made it."""
        found = join_decisions(
            decision for record in records if (decision := self.decision_in(record)) is not None
        )
        return (found.decision, found.by) if found is not None else (None, self.by)

    @classmethod
    def decision_in(cls, record: Record) -> RecordedDecision | None:
        """The decision of a node of this kind in a record; None if there is none."""
        return None

    @classmethod
    def given_at(cls, node: Any, history: History) -> Mapping[str, object]:
        """The inputs (``GIVEN``) that a case of this moment has."""
        return {}

    @classmethod
    def answers_offline(cls, entry: AnyEntry, view: View) -> bool:
        """Whether a node of this file can decide without a model."""
        model = entry.model
        return any(getattr(model, rules, None) for rules in ("always", "offline"))

    @classmethod
    def world_of(cls, entry: AnyEntry, views: Sequence[View]) -> View | None:
        """The view in which cases of a file that no system uses are run; None: nowhere."""
        return None


class AskingLeaf(AskingNode[Parsed], WorldLeaf):
    """A leaf that asks one question a round."""

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
        self.override = OverridePolicy(runtime, name, getattr(entry.model, "patience", 0))

    @property
    def memory(self) -> object:
        """What has come of a model's answers."""
        return self.override.memory

    def recall(self, memory: object) -> bool:
        """Go on with it; a request in flight is made again."""
        if isinstance(memory, Mapping):
            self.override.recall(memory)
        return True

    def terminate(self, new_status: Status) -> None:
        """Cancel the request when halted; after FAILURE the last answer does not stand."""
        self.cancel()
        if new_status is Status.FAILURE:
            self.drop_kept()


def join_decisions(decisions: Iterable[RecordedDecision]) -> RecordedDecision | None:
    """The last decision, joined with the parts that precede it."""
    parts: list[RecordedDecision] = []
    for one in decisions:
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


def _answer_fields(answer: Answer) -> dict[str, Any]:
    """An answer's fields for the journal, without those that are unknown."""
    fields: dict[str, Any] = {"by": answer.by, "text": answer.text}
    for name in ("input_tokens", "output_tokens", "cost", "seconds", "confidence"):
        value = getattr(answer, name)
        if value is not None:
            fields[name] = round(value, 9)
    if answer.tries:
        fields["tries"] = answer.tries
    return fields


def _module(error: Exception) -> str:
    if isinstance(error, TransportError):
        return type(error).__module__
    return module_of(error, DRIVER)
