"""The behaviour of the node `judge` (see :mod:`treec_models.judge_node`)."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator, Mapping
from contextlib import suppress
from itertools import product
from typing import Any, cast

from py_trees.common import Status

from treec.files.entry import AnyEntry
from treec.files.prompts import PERSON
from treec.files.types import a, json_schema, parse_type
from treec.files.view import names_of
from treec.nodes.asked import OFFLINE
from treec.nodes.base import WakeUp
from treec.nodes.leaf import WorldLeaf
from treec.nodes.observation import observe
from treec.nodes.runtime import NodeError, Runtime
from treec.source.errors import UndefinedName
from treec.source.expression import Expression
from treec.source.objects import name_of
from treec.source.scope import MappingScope, Scope
from treec.source.values import resolve
from treec.team.actions import ActionCall, find_action
from treec.team.contracts import judge_all
from treec.world.events import ActionTaken, Commit, Event, EventRefused, FactUnknown, StateSet
from treec.world.journal import Record
from treec_asking.answerers import (
    UNKNOWN,
    Answers,
    NotSure,
    Sureness,
    read_choice,
    read_noul,
    share,
)
from treec_asking.asking import AskingLeaf, NodeContext, RecordedDecision
from treec_asking.examples import parse_value
from treec_asking.prompt import PersonChoice, Question, answer_json, messages, object_schema
from treec_models.judge_actions import set_event
from treec_models.judge_events import JUDGEMENTS, JudgeAnswered, Judgement, JudgementExpired, key_of
from treec_models.judge_file import (
    CHOICE,
    EVEN,
    PROBABILITY,
    SCORE,
    VALUE,
    YES_NO,
    Form,
    QuestionSpec,
    form_of,
)

JUDGED = "judged"
"""The action that contracts see, once for each fact."""

REASONING = "reasoning"

PAUSE = 10.0
"""Seconds after which a question that nobody has answered is asked again, if not changed before."""

Given = Mapping[str, Any]


class Judge(WorldLeaf):
    """Asks about all things at once; where a person may be asked, about one after the other."""

    def __init__(self, name: str, runtime: Runtime, entry: AnyEntry) -> None:
        super().__init__(name, runtime, runtime.scope)
        self.entry = entry
        view = runtime.view
        of = [
            view.types.fitting(view.things, parse_type(kind)) for kind in entry.model.for_.values()
        ]
        self.questions = [
            JudgeQuestion(
                f"{name}#{', '.join(things) or 'answer'}",
                runtime,
                runtime.scope,
                entry,
                dict(zip(entry.model.for_, things, strict=True)),
            )
            for things in product(*of)
        ]
        for question in self.questions:
            question.name = question.path.rpartition("/")[2]
            question.parent = self
        self.children = [*self.questions]

    def work(self) -> Status:
        """Ask about those of which something new is seen."""
        failed, runs = "", False
        one_by_one = any(spec.kind == PERSON for spec in self.entry.model.answerers)
        with self.runtime.asked_together():
            for child in self.questions:
                if runs and one_by_one:
                    break
                if not child.applies:
                    child.stop(Status.INVALID)
                    continue
                child.tick_once()
                runs |= child.status is Status.RUNNING
                if child.status is Status.FAILURE:
                    failed = failed or child.feedback_message
        if runs:
            return Status.RUNNING
        self.feedback_message = failed
        return Status.FAILURE if failed else Status.SUCCESS

    def terminate(self, new_status: Status) -> None:
        """Cancel the requests in flight."""
        for child in self.children:
            if child.status is Status.RUNNING:
                child.stop(Status.INVALID)


class JudgeQuestion(AskingLeaf[dict[str, Any]]):
    """What a judge is asked about one thing, and the answer that counts.

    Its answer is for the prompt that it was given to: a model is asked again when that has changed.
    """

    KIND = "judge"
    LASTS = True

    def __init__(
        self, name: str, runtime: Runtime, scope: Scope, entry: AnyEntry, args: Given
    ) -> None:
        super().__init__(name, runtime, scope, entry, args)
        view, names = runtime.view, names_of(runtime.view)
        sets = entry.model.sets
        self._forms = {name: form_of(view, names, name, spec) for name, spec in sets.items()}
        self._sees = {name: Expression.parse(text) for name, text in entry.model.sees.items()}
        self._when = Expression.parse(entry.model.when)
        self._rules = [(Expression.parse(rule.when), rule.answer) for rule in entry.model.offline]
        self._given: Given = {}
        self._inner = scope
        self._question: Question | None = None
        self._sum = ""
        self._again = WakeUp(runtime.clock, runtime.wake)
        self._expiry = WakeUp(runtime.clock, self._expire)
        self._pause = WakeUp(runtime.clock, runtime.wake)
        self._unanswered_sum = self._why = ""
        if self._known is not None:  # of before the run was resumed
            self._set_timers(self._known)

    @property
    def about(self) -> tuple[str, ...]:
        """The names of what it is asked about."""
        return tuple(name_of(value) or str(value) for value in self.args.values())

    @property
    def applies(self) -> bool:
        """Whether the judge is asked about this thing now."""
        return bool(self._when.evaluate(self._with_things()))

    # When it is asked

    def work(self) -> Status:
        """Ask if what it sees has no answer yet, and take an answer that has come."""
        if self.exchange is not None:
            status = self.look(self.exchange)
            if status is not Status.SUCCESS:
                return status
        self._look()
        known = self._known
        if known is not None:
            self._set_timers(known)
            if known.prompt == self._sum and not self._again.is_due:
                return Status.SUCCESS
        if self._unanswered_sum == self._sum and not self._pause.is_due:
            raise NodeError(self._why)
        self.drop_kept()  # the answer that counts is in the run's state
        return self.ask()

    @property
    def _known(self) -> Judgement | None:
        """The last answer about this thing, of whichever node."""
        made = cast("Mapping[str, Judgement]", self.runtime.world.state[JUDGEMENTS])
        return made.get(self._key)

    @property
    def _key(self) -> str:
        return key_of(self.entry.name, self.about)

    def _with_things(self) -> Scope:
        now = self.runtime.team.now
        things = {
            name: now.resolve(parse_type(self.entry.model.for_[name]), value) or value
            if isinstance(value, str)
            else value
            for name, value in self.args.items()
        }
        return MappingScope(things, parent=self.scope)

    def _look(self) -> None:
        """See what there is now, and make the question for it."""
        inner = self._with_things()
        values = {
            name: self._given[name] if name in self._given else text.evaluate(inner)
            for name, text in self._sees.items()
        }
        self._inner = MappingScope(values, parent=inner)
        seen = observe((*self.args, *values), self._inner)
        if self._question is None or self._question.seen.key != seen.key:
            self.seen = seen
            self._question = self._make_question()
            asked = [[m.role, m.content] for m in self._question.messages]
            text = json.dumps([asked, self._question.schema], sort_keys=True, ensure_ascii=False)
            self._sum = hashlib.blake2b(text.encode(), digest_size=8).hexdigest()

    def _set_timers(self, known: Judgement) -> None:
        """Ask again, and forget, at the age of the answer that counts; rules answer the same."""
        model = self.entry.model
        stays = known.by == OFFLINE and (model.again is None or not self.asks)
        for timer, after in ((self._again, model.again), (self._expiry, model.lasts)):
            if after is None or stays:
                timer.cancel()
            elif timer.due != known.t + after:
                timer.set(known.t + after)

    def _expire(self) -> None:
        """Make the answer unknown that has reached its age."""
        known = self._known
        if known is not None and self._expiry.due == known.t + (self.entry.model.lasts or 0.0):
            self._forget()
        self.runtime.wake()

    def _forget(self) -> None:
        """Make unknown what was judged of this thing."""
        if self._known is None:
            return
        view, about = self.runtime.view, self.about
        lost: list[Event] = [
            FactUnknown(name, about)
            if name in view.facts
            else StateSet(name, view.state[name].default)
            for name in self._forms
        ]
        events = (*lost, JudgementExpired(self.entry.name, about))
        record = Commit(self.KIND, events, node=self.path, name=self.entry.name)
        self.runtime.world.emit(record, self.path)

    # Asking

    def question(self) -> Question:
        """What is asked about the thing as it is seen now."""
        assert self._question is not None
        return self._question

    def _make_question(self) -> Question:
        how = "\n".join(["Answer what is asked:", *map(self._explain, self._forms)])
        schema = object_schema({REASONING: {"type": "string"}, **self._schemas()})
        accepts = object_schema({REASONING: {"type": "string"}, **self._schemas(accepts=True)})
        prompt = messages(
            self.runtime, self.entry, self._inner, {}, answer_json, self._example, how=how
        )
        typed = {name: self._typed(name) for name in self._forms}
        is_typed = all(form.kind != VALUE for form in self._forms.values())
        choice = None
        if is_typed and len(typed) == 1:
            ((name, form),) = self._forms.items()
            options = dict.fromkeys(form.options, "") if form.kind != CHOICE else form.options
            choice = PersonChoice(str(typed[name]["instructions"]), options, name)
        return Question(prompt, schema, self.seen, accepts, typed if is_typed else {}, choice)

    def _example(self, given: Given) -> Given:
        """An example's things, typed, and what was seen of them."""
        things = {**self.first_things(self.entry, self.runtime), **given}
        knowledge = self.runtime.team.knowledge
        types = self.entry.model.for_
        found = {name: things.get(name) for name in self._sees}
        return found | {
            name: parse_value(knowledge, parse_type(kind), things[name])
            for name, kind in types.items()
        }

    def _spec(self, name: str) -> QuestionSpec:
        found: QuestionSpec = self.entry.model.sets[name]
        return found

    def _asked(self, name: str) -> str:
        """What is asked for a fact, in words."""
        return self._spec(name).about or str(self.entry.model.about)

    def _explain(self, name: str) -> str:
        """A question, and how to answer it, as a chat model is told."""
        form = self._forms[name]
        how = {
            YES_NO: "true or false",
            PROBABILITY: "the probability of a yes, a number from 0 to 1",
            CHOICE: "one of the options below",
            SCORE: "one of the levels below, the lowest first",
            VALUE: a(form.type),
        }[form.kind]
        lines = [f"- {name} ({how}): {self._asked(name)}"]
        lines += [
            f"  - {one}: {when}" if when else f"  - {one}" for one, when in self._criteria(name)
        ]
        return "\n".join(lines)

    def _criteria(self, name: str) -> Iterator[tuple[str, str]]:
        """What there is to choose, and when; of a yes and a no, those that the file explains."""
        form = self._forms[name]
        says_all = form.kind in (CHOICE, SCORE)
        return ((one, when) for one, when in form.options.items() if says_all or when)

    def _schemas(self, *, accepts: bool = False) -> dict[str, object]:
        """The JSON Schema of each value; ``accepts``: of what is taken, levels as numbers, too."""
        found: dict[str, object] = {}
        for name, form in self._forms.items():
            if form.kind in (CHOICE, SCORE):
                found[name] = {"type": "string", "enum": list(form.options)}
                if accepts and form.kind == SCORE:
                    found[name] = {"anyOf": [{"type": "number"}, {"type": "string"}]}
            elif form.kind == PROBABILITY:
                found[name] = {"type": "number"}
            else:
                found[name] = json_schema(form.type)
        return found

    def _typed(self, name: str) -> dict[str, Any]:
        """A question for a decision model."""
        form = self._forms[name]
        of = f" ({', '.join(self.about)})" if self.about else ""
        asked = f"{self._asked(name).rstrip('.?')}{of}"
        criteria = [*self._criteria(name)]
        if form.kind == CHOICE:
            return {"type": "choice", "instructions": asked, "criteria": dict(criteria)}
        if form.kind == SCORE:
            levels = [f"{one}: {when}" if when else one for one, when in criteria]
            return {"type": "score", "instructions": asked, "criteria": levels}
        says = [f"{one.capitalize()}: {when}" for one, when in criteria]
        return {"type": "noul", "instructions": " ".join([f"{asked}?", *says])}

    # Answers

    def normalize(self, data: dict[str, Any]) -> dict[str, Any]:
        """Yes and no, and the names of levels, as the values that they stand for."""
        forms = self._forms
        return {n: forms[n].spelled(value) if n in forms else value for n, value in data.items()}

    def read_typed(self, answers: Answers, question: Question) -> tuple[dict[str, Any], Sureness]:
        """The values in the answers of a decision model, as sure as the least sure of them."""
        values: dict[str, Any] = {}
        sure: list[float] = []
        chances: dict[str, float] = {}
        for name, form in self._forms.items():
            prefix = "" if len(self._forms) == 1 else f"{name}."
            if form.kind == CHOICE:
                values[name], found = read_choice(answers, question, name)
                sure.append(found.confidence or 0.0)
                chances |= {f"{prefix}{n}": p for n, p in (found.probabilities or {}).items()}
            elif form.kind == SCORE:
                values[name] = _read_score(answers, name, form)
                sure.append(share(answers.get(name, {}).get("confidence"), name))
            else:
                chance = read_noul(answers, name)
                chances[name] = chance
                sure.append(abs(2 * chance - 1))
                values[name] = self._answer_of(chance, name, form)
        return values, Sureness(min(sure), chances)

    def _answer_of(self, chance: float, name: str, form: Form) -> object:
        """What the probability of a yes says. Raises NotSure between the thresholds."""
        if form.kind == PROBABILITY:
            return round(chance, 4)
        limit = self._spec(name).threshold or EVEN
        if limit.no <= chance < limit.yes:
            raise NotSure(
                f"the probability {chance:.2f} of '{name}' is neither a yes (from {limit.yes:g}) "
                f"nor a no (below {limit.no:g})"
            )
        return chance >= limit.yes

    def parse(self, data: Given) -> dict[str, Any]:
        """The values of all facts, each of its type. Raises ValueError."""
        found = {name: form.spelled(data.get(name)) for name, form in self._forms.items()}
        names = names_of(self.runtime.view)
        for name, form in self._forms.items():
            why = form.refusal(found[name], names)
            if why is not None:
                raise ValueError(f"'{name}' is {data.get(name)!r}: {why}.")
        return {**found, REASONING: str(data.get(REASONING, ""))}

    def judge(self, parsed: dict[str, Any], by: str) -> None:
        """Raise EventRefused if it breaks a contract."""
        action = find_action(JUDGED)
        assert action is not None
        calls = [ActionCall(action, args) for args in self._taken(parsed, by)]
        broken = judge_all(self.runtime.contracts, calls, self._inner, (), by)
        if broken:
            raise EventRefused(" ".join(dict.fromkeys(one.tell for one in broken)))

    def _taken(self, parsed: Given, by: str) -> list[dict[str, object]]:
        """The arguments of the action that contracts see, for each fact."""
        same = {"judge": self.entry.name, "things": self.about, "by": by}
        return [{**same, "fact": name, "value": parsed[name]} for name in self._forms]

    def accept(self, parsed: dict[str, Any], by: str) -> Status:
        """SUCCESS: the facts are committed."""
        self._commit(parsed, by, self.sureness)
        return Status.SUCCESS

    def _commit(
        self, parsed: Given, by: str, sureness: Sureness = UNKNOWN, rule: int | None = None
    ) -> None:
        team, about, name = self.runtime.team, self.about, self.entry.name
        values = {name: parsed[name] for name in self._forms}
        judged = JudgeAnswered(
            self.path,
            name,
            about,
            values,
            by,
            self._sum,
            parsed.get(REASONING, ""),
            **sureness.rounded(),
        )
        events = [set_event(team, fact, about, value) for fact, value in values.items()]
        taken = tuple(
            ActionTaken(JUDGED, {"fact": fact, "things": about, "value": value}, rule)
            for fact, value in values.items()
        )
        record = Commit(
            self.KIND, (*events, judged), node=self.path, name=name, by=by, actions=taken
        )
        self.runtime.world.emit(record, self.path)
        self.by = by
        if (known := self._known) is not None:
            self._set_timers(known)

    # Rules

    def rules_pass_on(self) -> str:
        """Whether no rule holds."""
        return "no rule holds" if self._by_rules()[0] is None else ""

    def rules_answer(self) -> dict[str, Any] | None:
        """What the first rule that holds answers."""
        return self._by_rules()[0]

    def _by_rules(self) -> tuple[dict[str, Any] | None, int | None]:
        """The answer of the first rule that holds, and its number."""
        for number, (when, answer) in enumerate(self._rules, 1):
            if when.evaluate(self._inner):
                found = resolve(dict(answer), self._inner)
                assert isinstance(found, dict)
                return {name: name_of(value) or value for name, value in found.items()}, number
        return None, None

    def offline(self, because: str) -> Status:
        """Answer by the first rule that holds; FAILURE, and nothing is known, if none does."""
        self._look()
        answer, rule = self._by_rules()
        try:
            if answer is None:
                raise ValueError(because or "no rule holds")
            parsed = self.parse(answer)
            self.judge(parsed, OFFLINE)
        except (EventRefused, ValueError) as error:
            self._forget()
            self._why = f"{self._key}: {error}"
            if because:
                self._unanswered_sum = self._sum
                self._pause.set(self.runtime.clock.now() + PAUSE)
            raise NodeError(self._why) from error
        self._commit(parsed, OFFLINE, rule=rule)
        return Status.SUCCESS

    # Cases and recorded runs

    @staticmethod
    def first_things(entry: AnyEntry, runtime: Runtime) -> dict[str, str]:
        """A thing for each name under `for`, where an example names none."""
        view = runtime.view
        found = {}
        for name, kind in entry.model.for_.items():
            fitting = view.types.fitting(view.things, parse_type(kind))
            found[name] = fitting[0] if fitting else name
        return found

    @classmethod
    def for_case(cls, entry: AnyEntry, around: NodeContext) -> JudgeQuestion:
        """About the thing of the case, and with what it says is seen of it."""
        given = {}
        with suppress(UndefinedName):
            given = {name: around.scope.lookup(name) for name in entry.model.sees}
        things = {**cls.first_things(entry, around.runtime), **around.args}
        node = cls(entry.name, around.runtime, around.scope, entry, things)
        node._given = given
        return node

    @classmethod
    def decision_in(cls, record: Record) -> RecordedDecision | None:
        """The values that were committed."""
        commit = record.event
        if not isinstance(commit, Commit) or commit.purpose != cls.KIND:
            return None
        made = next((event for event in commit.events if isinstance(event, JudgeAnswered)), None)
        return None if made is None else RecordedDecision(made.node, made.by, dict(made.answer))


def _read_score(answers: Answers, name: str, form: Form) -> float:
    """A level, as the model's mean of all levels. Raises ValueError."""
    score = answers.get(name, {}).get("score")
    if not isinstance(score, int | float) or not 0 <= score <= len(form.options) - 1:
        raise ValueError(f"it answers '{name}' by {score!r}, which is no level.")
    return round(score) if str(form.type) == "integer" else round(float(score), 4)
