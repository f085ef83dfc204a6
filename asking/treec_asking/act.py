"""The behaviour of the node `do`: an action (see :mod:`treec.nodes.leaves.do`)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from typing import Any

from py_trees.behaviour import Behaviour
from py_trees.common import Status

from treec.files.entry import Entry
from treec.files.prompts import ActionFile, DoRule
from treec.files.types import ListOf, Named
from treec.nodes.approval import NotAnswered
from treec.nodes.asked import OFFLINE
from treec.nodes.events import AnswerRefused, Overruled, Unsaid
from treec.nodes.node_place import TreeBuilder
from treec.nodes.observation import observe
from treec.nodes.place import BuildPlace
from treec.nodes.runtime import NodeError, Runtime
from treec.nodes.work_log import is_work
from treec.source.errors import EvaluationProblem, LocatedError
from treec.source.expression import Expression
from treec.source.scope import MappingScope, Scope
from treec.source.template import TextTemplate
from treec.source.values import resolve
from treec.team.actions import CLAIMS, MESSAGE, ActionCall, HighLevelAction, find_action
from treec.team.contracts import ANSWER, BrokenContract
from treec.team.entities import Acts
from treec.team.events import Said
from treec.team.reasons import is_code
from treec.team.sentences import sentence
from treec.world.events import Commit, EventRefused, encode
from treec.world.journal import Record
from treec.world.values import freeze, thaw
from treec_asking.answer_names import AnswerNames, ReasonNames, schema_of
from treec_asking.answer_schema import fit_answer, schema_errors
from treec_asking.asking import ONLY, AskingLeaf, RecordedDecision
from treec_asking.bind import bind
from treec_asking.commit import RULES, CheckedCalls, check, commit, for_each_agent, plain_args
from treec_asking.extract import find_object
from treec_asking.new_subtasks import find_subtask
from treec_asking.override_policy import REST
from treec_asking.prompt import Question, answer_json, messages, object_schema
from treec_asking.statements import explain_statements, speak, statement_schema
from treec_asking.understood import describe_acts, find_remedy

SAY = "say"
ASK = "ask"
"""The kind of acts that only words answer."""


class ActionBreaksContracts(EventRefused):
    """Actions that would break contracts; ``why`` is what their contracts say of it to people."""

    def __init__(self, message: str, why: str = "") -> None:
        super().__init__(message)
        self.why = why


class Action(AskingLeaf[list[ActionCall]]):
    """Executes an action file."""

    KIND = "action"
    UNORDERED = ("actions",)

    def __init__(
        self,
        name: str,
        runtime: Runtime,
        scope: Scope,
        entry: Entry[ActionFile],
        args: Mapping[str, object],
    ) -> None:
        super().__init__(name, runtime, scope, entry, args)
        self._inner = scope
        self._open: set[str] = set()
        self._reopened: set[str] = set()
        self._texts = {n: TextTemplate.parse(t) for n, t in entry.model.acknowledge.items()}

    @classmethod
    def as_option(
        cls,
        builder: TreeBuilder,
        entry: Entry[ActionFile],
        place: BuildPlace,
        path: str,
        args: Mapping[str, object],
    ) -> Behaviour:
        """The action in a tree."""
        action = cls(path, builder.runtime, place.frame, entry, args)
        return builder.option_ready(action, entry, path, dict(args), place)

    def work(self) -> Status:
        """Decide what to do, and commit it."""
        try:
            if self.exchange is not None:
                if not self.outdated(self.exchange):
                    return self.look(self.exchange)
                self.cancel()
            self._look()
            calls, by = self._certain()
            if not calls:
                return self.ask()
            self.drop_prepared()
            return self._finish(calls, by)
        except EventRefused as error:
            return self._refuse(error)
        except NotAnswered:
            return Status.RUNNING

    def _look(self) -> None:
        """Observe the world, with the arguments given by the tree."""
        self._inner = self._inner_scope()
        self.seen = observe(self.entry.model.sees, self._inner)

    def _inner_scope(self) -> Scope:
        if not self.args:
            return self.scope
        given = resolve(dict(self.args), self.scope)
        assert isinstance(given, dict)
        return MappingScope(given, parent=self.scope)

    # Rules

    def _by_rules(self, rules: Sequence[DoRule]) -> list[ActionCall]:
        calls: list[ActionCall] = []
        for number, rule in enumerate(rules, 1):
            for inner in self._rounds(rule):
                if Expression.parse(rule.when).evaluate(inner):
                    done = (self._call(item, inner) for item in rule.do)
                    calls.extend(replace(call, rule=number) for call in done)
        return calls

    def _certain(self) -> tuple[list[ActionCall], str]:
        """The calls for which no model is asked, and by what they are certain."""
        calls = self._by_rules(self.entry.model.always)
        if calls or not self.asks_if_needed:
            return calls, "always"
        return self._doing_nothing(), ONLY

    def _doing_nothing(self) -> list[ActionCall]:
        """The call of its action, if it has but one and that does nothing."""
        action = find_action(self.entry.model.may[0]) if len(self.entry.model.may) == 1 else None
        if action is None or action.parameters or list(action.run(self.runtime.team)):
            return []
        return [ActionCall(action, {})]

    def _rounds(self, rule: DoRule) -> list[Scope]:
        if rule.for_ is None:
            return [self._inner]
        name, items = rule.for_.name, rule.for_.items
        values = Expression.parse(items).evaluate(self._inner)
        if not isinstance(values, list | tuple):
            raise NodeError(f"{self.entry.name}: '{items}' is not a list")
        return [MappingScope({name: value}, parent=self._inner) for value in values]

    def _call(self, item: object, scope: Scope) -> ActionCall:
        name, given = split_call(item)
        action = find_action(name)
        if isinstance(given, str) and action is not None and _is_text(action):
            given = TextTemplate.parse(given).render(scope)
        elif isinstance(given, Mapping) and action is not None:
            given = {
                key: TextTemplate.parse(value).render(scope)
                if isinstance(value, str) and _takes_text(action, key) and "{" in value
                else resolve(value, scope)
                for key, value in given.items()
            }
        else:
            given = resolve(given, scope)
        return bind(self.runtime.team, name, given)

    def _finish(self, calls: Sequence[ActionCall], by: str) -> Status:
        self.by = by
        self._commit(self._check(calls, by))
        return Status.SUCCESS

    def _check(
        self, calls: Sequence[ActionCall], by: str, settles: Sequence[str] | None = None
    ) -> CheckedCalls:
        """The calls, checked. Raises EventRefused for what is impossible or breaks a contract."""
        calls = for_each_agent(self.runtime.team, calls)
        ids = self._settled_acts() if settles is None else settles
        checked = check(self.runtime, calls, by, scope=self._inner, settles=ids)
        _refuse_broken(checked.broken)
        return checked

    def _commit(self, checked: CheckedCalls) -> None:
        """Commit checked calls as one record. Raises EventRefused, also if somebody says no."""
        commit(
            self.runtime,
            self.path,
            self.entry.name,
            checked,
            scope=self._inner,
            acknowledge=self._texts,
        )

    def _settled_acts(self) -> list[str]:
        """The acts that the commit settles: those it saw, of the kinds that it answers."""
        answers = self.entry.model.answers
        if "acts" not in self.seen.values and answers is None:
            return []
        acts = self.seen.values.get("acts", self.runtime.team.now.acts)
        assert isinstance(acts, Acts)
        return [act.id for act in acts if answers is None or act.kind in answers]

    def _refuse(self, error: Exception) -> Status:
        """FAILURE; people hear why, or what was understood and that nothing has changed.

        What a contract says of a model's answer is for the model; of the rules' answer, which
        carries out what people said, it is for them.
        """
        refused = sentence(self.runtime.view, "refused")
        assert refused is not None
        if isinstance(error, ActionBreaksContracts) or is_code(str(error)):
            team, settled = self.runtime.team, set(self._settled_acts())
            acts = [act for act in team.now.acts if act.id in settled]
            why = getattr(error, "why", "") if self.by in RULES else ""
            values = {
                "heard": describe_acts(acts),
                "right": find_remedy(team, acts),
                "why": str(why).rstrip("."),
            }
            scope = MappingScope(values, parent=self._inner)
            self.feedback_message = refused.render(scope).strip()
        else:
            self.feedback_message = str(error)
        self.runtime.world.emit(AnswerRefused(self.path, self.by, str(error)), self.path)
        return Status.FAILURE

    # Asking

    @property
    def asks(self) -> bool:
        """Whether there is a model to ask, and something to tell it."""
        return super().asks and self.entry.model.instructions is not None

    def question(self) -> Question:
        """Ask which of its actions to take, with which arguments."""
        actions = [found for name in self.entry.model.may if (found := find_action(name))]
        extra = {"actions": [action.explain() for action in actions]}
        speaks = any(action.speaks for action in actions)
        how = explain_statements(self.runtime.team, self.entry.model.claims) if speaks else ""
        prompt = messages(self.runtime, self.entry, self._inner, extra, answer_json, how=how)
        accepts = self._schema(actions, accepts=True)
        return Question(prompt, self._schema(actions), self.seen, accepts)

    def _schema(
        self, actions: Sequence[HighLevelAction], *, accepts: bool = False
    ) -> dict[str, object]:
        """The schema of the answer: the signatures of the allowed actions, with known names.

        ``accepts``: whatever is said, since it is dropped if it cannot be said.
        """
        alternatives: list[dict[str, object]] = []
        for action in actions:
            names = ReasonNames(self.runtime.team, self.entry.model, self._inner, action)
            if action.speaks:
                only = self.entry.model.claims
                claims: dict[str, object] = {"type": "array"}
                if not accepts:
                    claims = statement_schema(self.runtime.team, names, only)
                properties: dict[str, object] = {CLAIMS: claims}
                properties |= {MESSAGE: {"type": "string"}} if accepts else {}
                required = [] if accepts else [CLAIMS]
            else:
                properties = {p.name: schema_of(p.type, names) for p in action.parameters}
                required = [p.name for p in action.parameters if p.required]
            alternatives.append(object_schema({action.name: object_schema(properties, required)}))
        items = {"type": "array", "items": {"anyOf": alternatives}}
        return object_schema({"reasoning": {"type": "string"}, "actions": items})

    def normalize(self, data: dict[str, Any]) -> dict[str, Any]:
        """Expand short forms: a bare name, a single first argument, one item for a list.

        A subtask in other words than its own gets its name.
        """
        actions = data.get("actions")
        if not isinstance(actions, list):
            return data
        names = AnswerNames(self.runtime.team, self.entry.model, self._inner)
        return {**data, "actions": [_with_names(_in_full(item), names) for item in actions]}

    def parse(self, data: Mapping[str, Any]) -> list[ActionCall]:
        """The actions, with their arguments bound to entities. Raises EventRefused."""
        return [bind(self.runtime.team, *split_call(item)) for item in data["actions"]]

    def judge(self, parsed: list[ActionCall], by: str) -> None:
        """Commit them if no contract is broken, or what the rules do instead. Raises EventRefused.

        The rules do it where a model does nothing and they do something, and where it insists on
        words only and they do more.
        """
        self.by = by
        self._inner = self._inner_scope()
        calls, unsaid = speak(self.runtime.team, parsed, self.entry.model.claims)
        ruled = self._rules_instead()
        less, much = self._weight(calls), self._weight(ruled)
        checked = self._check(calls, by, self._answered_acts(calls) if unsaid else None)
        if much and (not less or not self.override.stands(differs=less < much)):
            overruled = ", ".join(map(str, calls)) or "nothing"
            self.runtime.world.emit(Overruled(self.path, by, overruled), self.path)
            checked, self.by = self._check(ruled, OFFLINE), OFFLINE
        is_short = self.by == by and less < much
        leaves = is_short and less < 2 and bool(checked.settled)
        self.override.note(by_model=self.by == by, falls_short=is_short, leaves=leaves)
        self._commit(checked)
        if unsaid and self.by == by:
            self.runtime.world.emit(Unsaid(self.path, by, " ".join(unsaid)), self.path)

    def _answered_acts(self, calls: Sequence[ActionCall]) -> list[str]:
        """The acts that calls settle though not all was said.

        A question to which nothing was said stays open, once: the model is asked for that again.
        """
        settled = self._settled_acts()
        if any(call.action.speaks for call in calls):
            return settled
        asked = {act.id for act in self.runtime.team.now.acts if act.kind == ASK}
        self._open = (asked & {*settled}) - self._reopened
        self._reopened |= self._open
        return [id for id in settled if id not in self._open]

    def falls_short(self) -> float:
        """Whether the rules did more than the model, nothing came of it, and they still would."""
        if (rest := self.override.rest) or not self.override.falls_short:
            return rest
        return REST if self.override.led_nowhere and self.rules_weigh() else 0.0

    def rules_answer(self) -> dict[str, Any]:
        """What the `offline` rules do."""
        calls = self._by_rules(self.entry.model.offline)
        taken = [{"action": call.action.name, "args": plain_args(call)} for call in calls]
        return {"actions": [_answer_form(one) for one in taken]}

    def rules_weigh(self) -> int:
        """0 if the rules would do nothing now, 1 if they would say something, 2 for more."""
        with suppress(LocatedError, EvaluationProblem):  # reported when it is ticked
            self._inner = self._inner_scope()
        return min(2, self._weight(self._rules_instead()))

    def give_way(self) -> None:
        """Commit what the rules do; what people said is open again, for the nodes above."""
        world = self.runtime.world
        world.emit(Overruled(self.path, self.by, "words only"), self.path)
        is_open = self.override.take_up()
        self.override.give_way()
        if not is_open:
            self._look()
            with suppress(EventRefused, NotAnswered):  # then the rules do not help either
                self._finish(self._rules_instead(), OFFLINE)
        self.override.note(by_model=False)

    def _rules_instead(self) -> list[ActionCall]:
        """What the rules would do now; nothing if that cannot be told."""
        with suppress(LocatedError, EvaluationProblem, NodeError, EventRefused):
            return self._by_rules(self.entry.model.offline)
        return []

    def _weight(self, calls: Iterable[ActionCall]) -> int:
        """0 for calls that do nothing, 1 for those that say something, 2 propose, 3 more."""
        found = 0
        with suppress(EventRefused):  # reported when they are committed
            for call in calls:
                for event in call.action.run(self.runtime.team, **call.args):
                    words = 1 if isinstance(event, Said) else 2
                    found = max(found, 3 if is_work(event) else words)
        return found

    def accept(self, parsed: list[ActionCall], by: str) -> Status:
        """SUCCESS: they are committed."""
        if self._open:  # the next answer is to be another one
            self._open = set()
            self.drop_kept()
        return Status.SUCCESS

    def offline(self, because: str) -> Status:
        """Apply the `offline` rules to the world as it is now."""
        self._look()
        self.by = OFFLINE
        return self._finish(self._by_rules(self.entry.model.offline), OFFLINE)

    def fallback(self, error: Exception, because: str) -> Status:
        """Commit the actions of the last answer that are allowed; the rules answer for the rest.

        FAILURE if nothing came of it, or if there are acts of the user that neither answers.
        """
        some = self._commit_allowed()
        self._look()
        calls = self._by_rules(self.entry.model.offline)
        if calls:
            return self._finish(calls, OFFLINE)
        if some and not self._settled_acts():
            return Status.SUCCESS
        raise ActionBreaksContracts(str(error))

    def _commit_allowed(self) -> bool:
        """Commit each action of the last answer that its own reason allows; whether there was one.

        An action that gives a reason does not depend on the others.
        """
        assert self.last_answer is not None
        self.by = self.last_answer.by
        may = [a for n in self.entry.model.may if (a := find_action(n))]
        schema = self._schema(may, accepts=True)
        try:
            data = self.normalize(fit_answer(find_object(self.last_answer.text), schema))
            items = fit_answer(data, schema).get("actions")
        except ValueError:
            return False
        some = False
        for item in items if isinstance(items, list) else ():
            try:
                if schema_errors({"reasoning": "", "actions": [item]}, schema):
                    continue
                (call,) = self.parse({"actions": [item]})
                if call.args.get("because") is not None:
                    self._commit(self._check([call], self.last_answer.by, settles=()))
                    some = True
            except (ValueError, EventRefused):
                continue
        return some

    def ask_ahead(self) -> Iterable[Behaviour]:
        """Send the question it would ask if it were ticked now; it has no children."""
        if self.exchange is None and self.asks:
            self._look()
            if not self._certain()[0] and not self._doing_nothing():
                self.prepare()
        return ()

    # Recorded runs

    @classmethod
    def decision_in(cls, record: Record) -> RecordedDecision | None:
        """The committed actions, or why they were refused."""
        match record.event:
            case AnswerRefused(node, by, reason):
                return RecordedDecision(node, by, {"refused": reason})
            case Commit(cls.KIND, node=node, by=by, actions=actions):
                calls = [_answer_form(thaw(freeze(encode(one)))) for one in actions or ()]
                return RecordedDecision(node or "", by or "", {"actions": calls})
        return None

    def decision(self, records: Sequence[Record]) -> tuple[dict[str, Any] | None, str]:
        """No record means that it decided to do nothing."""
        found, by = super().decision(records)
        return {"actions": []} if found is None else found, by


def _refuse_broken(contracts: Sequence[BrokenContract]) -> None:
    if contracts:
        told = (one.words for one in contracts if one.action not in (ANSWER, SAY))
        tells = " ".join(one.tell for one in contracts)
        raise ActionBreaksContracts(tells, " ".join(dict.fromkeys(told)))


def split_call(item: object) -> tuple[str, object]:
    """An action in a file: its name and its arguments. Raises NodeError."""
    if isinstance(item, str):
        return item, None
    if isinstance(item, Mapping) and len(item) == 1:
        ((name, given),) = item.items()
        return str(name), given
    raise NodeError(f"an action is a name, or a name with its arguments, not {item!r}")


def _in_full(item: object) -> object:
    """An action in the form of the schema: arguments by name, lists as lists."""
    try:
        name, given = split_call(item)
    except NodeError:
        return item
    action = find_action(name)
    if action is None:
        return item
    if given is None:
        return {name: {}}
    if not isinstance(given, Mapping):
        given = {action.parameters[0].name: given} if action.parameters else {"": given}
    if action.speaks:
        return {name: _speech(given)}
    lists = {p.name for p in action.parameters if isinstance(p.type, ListOf)}
    return {
        name: {
            key: [value] if key in lists and not isinstance(value, list) else value
            for key, value in given.items()
        }
    }


def _speech(given: Mapping[str, object]) -> dict[str, object]:
    """What a model says, in the form of the schema: its claims, and whatever else it says."""
    claims = given.get(CLAIMS)
    words = [text for name, text in given.items() if name != CLAIMS and isinstance(text, str)]
    found = {CLAIMS: [claims] if isinstance(claims, Mapping) else claims}
    if not isinstance(found[CLAIMS], list):
        found = {}
    return {**found, MESSAGE: " ".join(words)}


def _answer_form(action_data: Any) -> dict[str, Any]:
    """A committed action in the form of an answer: arguments in order, acts by id."""
    action, given = find_action(action_data["action"]), action_data["args"]
    order = [p.name for p in action.parameters] if action is not None else sorted(given)
    args = {name: given[name] for name in order if name in given}
    if isinstance(args.get("because"), dict):
        args["because"] = args["because"].get("id")
    if isinstance(args.get(MESSAGE), str):
        args[MESSAGE] = " ".join(args[MESSAGE].split())
    return {action_data["action"]: args}


def _with_names(item: object, names: AnswerNames) -> object:
    """An action in full, its subtasks by the names that the schema lists."""
    if not isinstance(item, Mapping) or len(item) != 1:
        return item
    ((name, given),) = item.items()
    if not isinstance(given, Mapping):
        return item
    known = names.all_names("Subtask") or ()

    def by_name(value: object) -> object:
        if not isinstance(value, str) or value in known:
            return value
        found = find_subtask(names.team, value)
        return found.id if found is not None and found.id in known else value

    changed = {
        key: [*map(by_name, value)] if isinstance(value, list) else by_name(value)
        for key, value in given.items()
        if key in ("subtask", "subtasks")
    }
    return {name: {**given, **changed}}


def _is_text(action: HighLevelAction) -> bool:
    return bool(action.parameters) and action.parameters[0].type == Named("text")


def _takes_text(action: HighLevelAction, name: str) -> bool:
    return any(p.name == name and p.type == Named("text") for p in action.parameters)
