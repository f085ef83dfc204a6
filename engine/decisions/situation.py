"""A node in front of a world, ready to decide: nothing else of the tree is there."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from py_trees.behaviour import Behaviour
from py_trees.common import Status

from treec.ask.fingerprint import Question
from treec.ask.recordings import Attempt
from treec.ask.recordings_transport import attempt_of
from treec.ask.redaction import Redactor
from treec.ask.transport import Answer, Request, Transport
from treec.decisions.desk import Desk, OneAnswer, Undecided, settle
from treec.files.entry import AnyEntry, Entry
from treec.files.view import View
from treec.nodes.act import Action
from treec.nodes.decide import Decision
from treec.nodes.program import Program
from treec.nodes.read import Reading
from treec.nodes.runtime import Runtime
from treec.nodes.skill_run import SkillRun
from treec.program.interpreter import SkillCall
from treec.source.errors import LocatedError, Problem
from treec.source.scope import MappingScope, Scope
from treec.source.template import Template
from treec.systems.dag_plan.decisions.plan_again import Fact, PlanAgain
from treec.systems.dag_plan.decisions.plan_paper import PlanOnPaper
from treec.systems.dag_plan.nodes.plan import Plan
from treec.team.actions import find_action
from treec.team.contracts import Contract
from treec.team.knowledge import knowledge_of
from treec.team.names import WorldScope
from treec.team.team import Team
from treec.world.clock import VirtualClock
from treec.world.inbox import Inbox
from treec.world.journal import Record, events
from treec.world.values import thaw
from treec.world.world import World

ASKING = ("decision", "action", "reading", "program", "plan")
"""The kinds of nodes that decide something."""

EXPECTED = "expected"


@dataclass
class Decided:
    """What a node decided, on whose word, and how it came to that.

    ``by`` is always, offline, fallback, or who answered. ``attempts`` are the answers with their
    verdicts; ``failed`` says why no answer came, where one was asked for.
    """

    decision: dict[str, Any]
    by: str
    question: Question | None = None
    attempts: list[Attempt] = field(default_factory=list)
    failed: str | None = None
    requests: list[Request] = field(default_factory=list)

    @property
    def accepted(self) -> bool:
        """Whether an answer was used."""
        return any(attempt.verdict == "accepted" for attempt in self.attempts)


@dataclass(frozen=True)
class Surroundings:
    """What a node is built with."""

    runtime: Runtime
    scope: Scope
    args: Mapping[str, object] = field(default_factory=dict)
    so_far: Sequence[str] = ()
    """The steps of a program that are done already."""
    plan: Plan | None = None
    """A plan's node in the tree, where it is to plan in the world; without it, on paper."""
    began: Sequence[Fact] = ()
    """What was otherwise when the plan was made that a new one takes the place of."""


@dataclass(frozen=True)
class Situation:
    """A node's entry, and how to come by its surroundings; each decision gets new ones."""

    entry: AnyEntry
    surround: Callable[[Desk], Surroundings]

    async def decide(
        self, transport: Transport, knows: Mapping[str, object] | None = None
    ) -> Decided:
        """Let the node decide. ``knows`` is noted with the question."""
        desk = Desk()
        around = self.surround(desk)
        journal = around.runtime.world.journal
        before = len(journal.records)
        node = _node(self.entry, around)
        try:
            status = await settle(node, desk, transport)
            reason = node.feedback_message if status is Status.FAILURE else ""
        except Undecided as error:
            reason = str(error)
        told = [e for record in journal.records[before:] for e in _events(record)]
        decision, by = _decision(self.entry.kind, node, told)
        if decision is None or (reason and self.entry.kind != "decision"):
            decision, by = {"failed": reason or "nothing was decided"}, by or "nobody"
        decided = Decided(decision, by, requests=[request for request, _ in desk.asked])
        _attempts(decided, desk, told)
        if desk.asked:
            system = _system(self.entry, around.scope)
            decided.question = Question.of(desk.asked[0][0], system, knows or {})
        return decided

    async def expected(self, answer: Mapping[str, Any]) -> Decided:
        """What the node decides when it is given this answer, and no rule comes before it."""
        model = self.entry.model
        settings = model.model.model_copy(update={"retries": 0})
        changes: dict[str, object] = {"model": settings}
        if hasattr(model, "always"):
            changes["always"] = []
        entry = with_model(self.entry, model.model_copy(update=changes))
        text = json.dumps(answer, ensure_ascii=False)
        return await Situation(entry, self.surround).decide(OneAnswer(text, EXPECTED))


def with_model(entry: AnyEntry, model: Any) -> AnyEntry:
    """The same entry with another model."""
    return Entry(entry.kind, entry.name, model, entry.node, entry.file)


def surroundings(view: View, world: World, desk: Desk) -> Runtime:
    """A run's surroundings for one node: nothing happens in them but what it does."""
    assert isinstance(world.clock, VirtualClock)
    team = Team(world, knowledge_of(view))
    return Runtime(
        world=world,
        clock=world.clock,
        inbox=Inbox(world.clock),
        team=team,
        scope=WorldScope(team),
        view=view,
        contracts=[Contract(e) for e in view.all("contract").values() if e.model.each],
        asker=desk,
    )


class Chosen(Behaviour):
    """Stands for an option: it is enough that it was chosen."""

    def update(self) -> Status:
        """SUCCESS."""
        return Status.SUCCESS


class ProgramOnPaper(Program):
    """A program whose calls are written down and not done."""

    calls: tuple[str, ...] = ()
    so_far: Sequence[str] = ()

    def done_before(self) -> list[str]:
        """The steps that are told."""
        return list(self.so_far)

    def _go_on(self, steps: Iterable[SkillCall]) -> Status:
        found = []
        for call in steps:
            run = SkillRun(self.runtime, self.path, self._agent, call.skill, self._bound(call))
            found.append(_written(run))
        self.calls = tuple(found)
        return Status.SUCCESS


def _written(run: SkillRun) -> str:
    given = (value for name, value in run.args.items() if name != "agent")
    return f"{run.skill}({', '.join(map(str, given))})"


def _node(entry: AnyEntry, around: Surroundings) -> Behaviour:
    runtime, scope = around.runtime, around.scope
    name = entry.name
    match entry.kind:
        case "decision":
            offers = {e.name: e.model.offer for e in runtime.view.offers_to(name)}
            names = dict.fromkeys((*entry.model.options, *offers, entry.model.fallback))
            options: dict[str, Behaviour] = {n: Chosen(name=n) for n in names if n is not None}
            return Decision(name, runtime, scope, entry, options, offers)
        case "action":
            return Action(name, runtime, scope, entry, around.args)
        case "reading":
            return Reading(name, runtime, scope, entry)
        case "program":
            program = ProgramOnPaper(name, runtime, scope, entry, around.args)
            program.so_far = around.so_far
            return program
        case "plan" if around.plan is not None:
            return PlanAgain(around.plan, entry, runtime, scope, around.args, around.began)
        case "plan":
            return PlanOnPaper(name, runtime, scope, entry, around.args)
    raise ValueError(f"a {entry.kind} decides nothing")


def _events(record: Record) -> Iterable[Record]:
    return (record,) if record.kind == "commit" else events(record)


def _decision(
    kind: str, node: Behaviour, told: Sequence[Record]
) -> tuple[dict[str, Any] | None, str]:
    """What the journal says was decided, and on whose word."""
    if kind == "decision":
        last = next((e for e in reversed(told) if e.kind == "decided"), None)
        return ({"choose": last.data["choose"]}, str(last.data["by"])) if last else (None, "")
    if kind == "program":
        assert isinstance(node, ProgramOnPaper)
        written = next((e for e in reversed(told) if e.kind == "programmed"), None)
        if written is None or not node.calls:
            return None, str(written.data["by"]) if written else ""
        return {"steps": list(node.calls)}, str(written.data["by"])
    if isinstance(node, PlanOnPaper | PlanAgain):
        return ({node.form: list(node.written)} if node.written else None), node.by
    commits = [e for e in told if e.kind == "commit" and e.data.get("for") == kind]
    if kind == "reading":
        return (plain_acts(commits), str(commits[-1].data["by"])) if commits else (None, "")
    assert isinstance(node, Action)
    refused = next((e for e in told if e.kind == "refused"), None)
    if refused is not None:
        return {"refused": refused.data["reason"]}, node.by
    told_actions: list[Any] = [thaw(e.data["actions"]) for e in commits]
    return {"actions": [call_of(one) for actions in told_actions for one in actions]}, node.by


def call_of(told: Any) -> dict[str, Any]:
    """An action as an answer writes it, its arguments in order, acts by their ids."""
    action = find_action(told["action"])
    order = [p.name for p in action.parameters] if action is not None else sorted(told["args"])
    args = {name: told["args"][name] for name in order if name in told["args"]}
    if isinstance(args.get("because"), dict):
        args["because"] = args["because"].get("id")
    if isinstance(args.get("message"), str):
        args["message"] = " ".join(args["message"].split())
    return {told["action"]: args}


def plain_acts(commits: Sequence[Record]) -> dict[str, Any]:
    """All acts of a reading: what took effect ahead of the answer is a part of it."""
    told: list[Any] = [
        thaw(event.data["acts"])
        for commit in commits
        for event in events(commit)
        if event.kind == "acts.read"
    ]
    first, hidden = ("kind", "quote"), ("id", "utterance")
    acts = [
        {**{k: act[k] for k in first}, **{k: v for k, v in act.items() if k not in hidden}}
        for found in told
        for act in found
    ]
    return {"acts": acts}


def _attempts(decided: Decided, desk: Desk, told: Sequence[Record]) -> None:
    redact = Redactor(())
    verdicts = [e for e in told if e.kind == "answered"]
    for number, (request, result) in enumerate(desk.asked):
        said = verdicts[number].data if number < len(verdicts) else {}
        if isinstance(result, Answer) and "failed" not in said:
            attempt = attempt_of(request, result, redact)
            refused = said.get("refused")
            verdict = "accepted" if refused is None else f"refused: {refused}"
            decided.attempts.append(attempt.model_copy(update={"verdict": verdict}))
        else:
            decided.failed = str(said.get("failed", result))


def _system(entry: AnyEntry, scope: Scope) -> str:
    """The rendered system text, to tell it from the instructions; '' if it needs more names."""
    text = entry.model.system
    if not text:
        return ""
    try:
        return Template.parse(text).render(MappingScope({}, parent=scope)).strip()
    except (LocatedError, Problem):
        return ""
