"""One node in a world, without the rest of its tree."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from py_trees.common import Status

from treec.ask.transport import Answer, Request, ScriptedTransport, Transport
from treec.compile.build import Compiler
from treec.files.entry import AnyEntry, Entry
from treec.files.view import View
from treec.nodes.events import Answered, PassedOn
from treec.nodes.runtime import Runtime
from treec.run.model_requests import refused_answers
from treec.source.errors import EvaluationProblem, LocatedError
from treec.source.scope import MappingScope, Scope
from treec.source.template import TextTemplate
from treec.source.text import html_table, shorten
from treec.team.knowledge import knowledge_of
from treec.team.team import Team
from treec.world.clock import VirtualClock
from treec.world.inbox import Inbox
from treec.world.journal import Record
from treec.world.world import World
from treec_asking.asking import AskingNode, NodeContext
from treec_models.fingerprint import FingerprintParts
from treec_models.redaction import Redactor
from treec_testing.decisions.asking_kinds import class_of
from treec_testing.decisions.equivalence import format_decision
from treec_testing.decisions.request_queue import (
    NoDecision,
    OfflineTransport,
    RequestQueue,
    tick_until_decided,
)
from treec_testing.recordings.attempt import Attempt, attempt_of

EXPECTED = "expected"
SHOWN = 200
"""Characters of a decision, and of why there is none, in a result's `repr`."""
NOBODY = "nobody"
"""The value of ``by`` where nothing was decided."""


@dataclass(repr=False)
class DecisionResult:
    """What a node decided, and how.

    ``by``: always, offline, fallback, or who answered. ``attempts``: the answers with their
    verdicts. ``failed``: why a request got no answer, or no answer was used.
    """

    decision: dict[str, Any]
    by: str
    question: FingerprintParts | None = None
    attempts: list[Attempt] = field(default_factory=list)
    failed: str | None = None
    requests: list[Request] = field(default_factory=list)
    passed_on: list[str] = field(default_factory=list)
    """Which of the file's answerers have passed on, and why."""

    def __repr__(self) -> str:
        failed = "" if self.failed is None else f", failed: {self.failed}"
        asked = f", {len(self.requests)} requests" if len(self.requests) > 1 else ""
        decision = shorten(str(self.decision), SHOWN)
        return f"<DecisionResult {decision} by {self.by}{asked}{shorten(failed, SHOWN)}>"

    def _repr_html_(self) -> str:
        rows = {"decision": format_decision(self.decision), "by": self.by, "failed": self.failed}
        rows |= {f"passed on {n}": text for n, text in enumerate(self.passed_on, 1)}
        rows |= {f"answer {n}": f"{a.answer} → {a.verdict}" for n, a in enumerate(self.attempts, 1)}
        return html_table(rows)

    @property
    def accepted(self) -> bool:
        """Whether an answer was used."""
        return any(attempt.verdict == "accepted" for attempt in self.attempts)


@dataclass(frozen=True)
class Situation:
    """The entry of a node, and a function that makes a new context for each decision."""

    entry: AnyEntry
    make_context: Callable[[RequestQueue], NodeContext]

    async def decide(
        self, transport: Transport | None = None, knows: Mapping[str, object] | None = None
    ) -> DecisionResult:
        """Let the node decide, without a transport by its own rules.

        ``knows`` is recorded with the question.
        """
        queue = RequestQueue()
        context = self.make_context(queue)
        context.runtime.model = getattr(transport, "model", None)
        context.runtime.decisions = getattr(transport, "decisions", None)
        context.runtime.spec = replace(context.runtime.spec, model_settings=patience(transport))
        journal = context.runtime.world.journal
        before = len(journal.records)
        node: Any = class_of(self.entry).for_case(self.entry, context)
        try:
            status = await tick_until_decided(node, queue, transport or OfflineTransport())
            reason = node.feedback_message if status is Status.FAILURE else ""
        except NoDecision as error:
            reason = str(error)
        records = journal.records[before:]
        decision, by = node.decision(records)
        if decision is None or reason:
            decision, by = {"failed": reason or "nothing was decided"}, by or NOBODY
        result = DecisionResult(decision, by, requests=[request for request, _ in queue.exchanges])
        _attempts(result, queue, records)
        events = [record.event for record in records]
        told = [one for one in events if isinstance(one, PassedOn)]
        result.passed_on = [f"{one.by} passes on: {one.why}" for one in told]
        if queue.exchanges:
            system = _system(self.entry, context.scope)
            result.question = FingerprintParts.of(queue.exchanges[0][0], system, knows or {})
        return result

    async def expected(self, answer: Mapping[str, Any]) -> DecisionResult:
        """What the node decides if it gets this answer, without its `always` rules.

        It is asked even if this is the only possible answer.
        """
        model = self.entry.model
        settings = model.model.model_copy(update={"retries": 0})
        changes: dict[str, object] = {"model": settings, "ask": "always"}
        if model.answerers:
            changes["answers"] = None
        if hasattr(model, "always"):
            changes["always"] = []
        entry = with_model(self.entry, model.model_copy(update=changes))
        text = json.dumps(answer, ensure_ascii=False)
        return await Situation(entry, self.make_context).decide(
            ScriptedTransport({entry.name: [text]}, by=EXPECTED)
        )


def patience(transport: Transport | None) -> dict[str, object]:
    """The time of an answer that the command line gives a model, for the spec of what asks it."""
    longest = getattr(transport, "timeout", None)
    return {} if longest is None else {"timeout": f"{longest:g}s"}


def with_model(entry: AnyEntry, model: Any) -> AnyEntry:
    """The same entry with another model."""
    return Entry(entry.kind, entry.name, model, entry.node, entry.file)


def find_asking_node(
    view: View, runtime: Runtime, is_match: Callable[[AskingNode[Any]], bool]
) -> AskingNode[Any] | None:
    """The first asking node of a system's tree for which ``is_match`` is true."""
    assert view.system is not None
    root = view.find("tree", view.system.model.root)
    tree = None if root is None else Compiler(view, runtime).root(root)
    every = () if tree is None else tree.iterate()
    return next((node for node in every if isinstance(node, AskingNode) and is_match(node)), None)


def make_runtime(view: View, world: World, queue: RequestQueue) -> Runtime:
    """A runtime for a single node."""
    assert isinstance(world.clock, VirtualClock)
    team = Team(world, knowledge_of(view))
    return Runtime(team, world.clock, Inbox(world.clock), asker=queue, keeps_memories=False)


def _attempts(result: DecisionResult, queue: RequestQueue, records: Sequence[Record]) -> None:
    redact = Redactor(())
    verdicts = [e.event for e in records if isinstance(e.event, Answered)]
    for number, (request, answer) in enumerate(queue.exchanges):
        event = verdicts[number] if number < len(verdicts) else None
        failed = event.failed if event else None
        if isinstance(answer, Answer) and failed is None:
            attempt = attempt_of(request, answer, redact)
            refused = event.refused if event else None
            verdict = "accepted" if refused is None else f"refused: {refused}"
            sure = event.confidence if event else answer.confidence
            found = {"verdict": verdict, "confidence": sure}
            result.attempts.append(attempt.model_copy(update=found))
            if refused is None:
                result.failed = None  # another one has answered
            if event is not None and event.gives_up:
                result.failed = refused_answers(number + 1, str(refused))
        else:
            result.failed = str(answer) if failed is None else failed


def _system(entry: AnyEntry, scope: Scope) -> str:
    """The rendered system text, without the instructions; '' if it needs more names."""
    text = entry.model.system
    if not text:
        return ""
    try:
        return TextTemplate.parse(text).render(MappingScope({}, parent=scope)).strip()
    except (LocatedError, EvaluationProblem):
        return ""
