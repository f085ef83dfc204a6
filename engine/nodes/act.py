"""`do`: an action, that is high-level actions judged as a whole and committed as one record.

The actions come from `always`, else from whoever answers, else from the `offline` rules. Every
contract of the system judges them; one broken contract refuses all.

SUCCESS: they are committed, or there was nothing to do.

FAILURE: they were finally refused: by a contract, or because one of them cannot be. The feedback
message is the reason; of a broken contract it is the promise, in its file's own words.

RUNNING: an answer is awaited, or asked for again with the reason it was refused.

Memory: the request in flight, within one round.

Halting: the request is cancelled; nothing is committed. When there are new words from the user,
the request in flight is dropped, and all is asked with them; after any other change an answer's
arguments and the contracts are checked on today's world.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from py_trees.behaviour import Behaviour
from py_trees.common import Status

from treec.files.entry import Entry
from treec.files.prompts import ActionFile, DoRule
from treec.files.types import Named, json_schema
from treec.nodes.ahead import Prepared
from treec.nodes.asking import (
    Asking,
    Question,
    answer_json,
    closed,
    messages,
    parse_answer,
)
from treec.nodes.commit import check_disjoint, commit
from treec.nodes.events import AnswerRefused
from treec.nodes.leaf import WorldLeaf
from treec.nodes.observation import Observation, observe
from treec.nodes.runtime import NodeError, Runtime
from treec.source.expression import Expression
from treec.source.scope import MappingScope, Scope
from treec.source.template import Template
from treec.source.values import resolve
from treec.team.actions import Call, HighLevelAction, bind, find_action
from treec.team.entities import Acts
from treec.world.events import Refused


@dataclass(frozen=True)
class Refusal:
    """Why an answer was refused: for whoever gave it, and for the people it would have touched."""

    reason: str
    people: str


class Action(WorldLeaf):
    """Carries out an action file."""

    def __init__(
        self,
        name: str,
        runtime: Runtime,
        scope: Scope,
        entry: Entry[ActionFile],
        args: Mapping[str, object],
    ) -> None:
        super().__init__(name, runtime, scope)
        self.entry = entry
        self.args = args
        self.by = ""
        self._asking: Asking | None = None
        self._prepared = Prepared()
        self._texts = {n: Template.parse(t) for n, t in entry.model.acknowledge.items()}

    def work(self) -> Status:
        """Find out what to do, and do it."""
        scope = self._inner_scope()
        seen = observe(self.entry.model.sees, scope)
        try:
            if self._asking is not None:
                return self._look_at_answer(seen, scope)
            calls = self._by_rules(self.entry.model.always, scope)
            if calls:
                self._prepared.drop()
                return self._finish(calls, "always", seen, scope)
            if self.runtime.asker is not None:
                return self._ask(seen, scope)
            return self._offline(seen, scope)
        except Refused as error:
            return self._refuse(Refusal(error.reason, error.reason))

    def terminate(self, new_status: Status) -> None:
        """Close the request when stopped from above."""
        if self._asking is not None:
            self._asking.cancel()
            self._asking = None

    def _inner_scope(self) -> Scope:
        if not self.args:
            return self.scope
        given = resolve(dict(self.args), self.scope)
        assert isinstance(given, dict)
        return MappingScope(given, parent=self.scope)

    def _by_rules(self, rules: Sequence[DoRule], scope: Scope) -> list[Call]:
        calls: list[Call] = []
        for rule in rules:
            for inner in self._rounds(rule, scope):
                if Expression.parse(rule.when).evaluate(inner):
                    calls.extend(self._call(item, inner) for item in rule.do)
        return calls

    def _rounds(self, rule: DoRule, scope: Scope) -> list[Scope]:
        if rule.for_ is None:
            return [scope]
        name, _, items = rule.for_.partition(" in ")
        values = Expression.parse(items).evaluate(scope)
        if not isinstance(values, list | tuple):
            raise NodeError(f"{self.entry.name}: '{items.strip()}' is no list")
        return [MappingScope({name.strip(): value}, parent=scope) for value in values]

    def _call(self, item: object, scope: Scope) -> Call:
        name, given = split_call(item)
        action = find_action(name)
        if isinstance(given, str) and action is not None and _is_text(action):
            given = Template.parse(given).render(scope)
        elif isinstance(given, Mapping) and action is not None:
            given = {
                key: Template.parse(value).render(scope)
                if isinstance(value, str) and _takes_text(action, key) and "{" in value
                else resolve(value, scope)
                for key, value in given.items()
            }
        else:
            given = resolve(given, scope)
        return bind(self.runtime.team, name, given)

    def _offline(self, seen: Observation, scope: Scope) -> Status:
        self.by = "offline"
        return self._finish(self._by_rules(self.entry.model.offline, scope), "offline", seen, scope)

    def _finish(self, calls: Sequence[Call], by: str, seen: Observation, scope: Scope) -> Status:
        refusal = self._commit(calls, by, seen, scope)
        return Status.SUCCESS if refusal is None else self._refuse(refusal)

    def _commit(
        self, calls: Sequence[Call], by: str, seen: Observation, scope: Scope
    ) -> Refusal | None:
        """Commit the calls; why not, when that is refused."""
        self.by = by
        settles = self._settled(seen)
        try:
            check_disjoint(calls)
            broken = commit(
                self.runtime,
                self.path,
                self.entry.name,
                by,
                calls,
                scope=scope,
                settles=settles,
                acknowledge=self._texts,
            )
        except Refused as error:
            return Refusal(error.reason, error.reason)
        if not broken:
            return None
        promises = dict.fromkeys(one.about for one in broken)
        return Refusal(" ".join(one.tell for one in broken), " ".join(promises))

    def _settled(self, seen: Observation) -> list[str]:
        """The acts that the commit deals with: of those it saw, the kinds that it answers."""
        answers = self.entry.model.answers
        if "acts" not in seen.values and answers is None:
            return []
        acts = seen.values.get("acts", self.runtime.team.now.acts)
        assert isinstance(acts, Acts)
        return [act.id for act in acts if answers is None or act.kind in answers]

    def _refuse(self, refusal: Refusal) -> Status:
        self.feedback_message = refusal.people
        self.runtime.world.emit(AnswerRefused(self.path, self.by, refusal.reason), self.path)
        return Status.FAILURE

    def ask_ahead(self) -> Iterable[Behaviour]:
        """Ask what it would ask if it were ticked now."""
        if self._asking is not None or self.runtime.asker is None:
            return ()
        scope = self._inner_scope()
        if not self._by_rules(self.entry.model.always, scope):
            seen = observe(self.entry.model.sees, scope)
            self._prepared.put(Asking(*self._question(seen, scope), ahead=True))
        return ()

    def drop_ahead(self) -> None:
        """Close what was asked ahead."""
        self._prepared.drop()

    def _ask(self, seen: Observation, scope: Scope) -> Status:
        question = self._question(seen, scope)
        self._asking = self._prepared.take(*question[3:]) or Asking(*question)
        return self._look_at_answer(seen, scope)  # one that was asked ahead may be there

    def _question(self, seen: Observation, scope: Scope) -> Question:
        model = self.entry.model
        actions = [found for name in model.may if (found := find_action(name))]
        extra = {"actions": [f"{action.signature}: {action.about}" for action in actions]}
        schema = answer_schema(actions)
        prompt = messages(self.runtime, self.entry, scope, extra, answer_json)
        return self.runtime, self.entry, self.path, prompt, schema, seen

    def _look_at_answer(self, now: Observation, scope: Scope) -> Status:
        assert self._asking is not None
        asking = self._asking
        if asking.overtaken:
            asking.cancel()
            self._asking = None
            return self.work()
        result = asking.take()
        if result is None:
            return Status.RUNNING
        if isinstance(result, Exception):
            asking.failed(result)
            self._asking = None
            return self._offline(now, scope)
        try:
            calls = self._valid(parse_answer(result))
            refusal = self._commit(calls, result.by, asking.observation, scope)
        except (ValueError, Refused) as error:
            refusal = Refusal(str(error), str(error))
        if refusal is None:
            asking.accepted(result)
            self._asking = None
            return Status.SUCCESS
        if asking.again(result, refusal.reason):
            return Status.RUNNING
        self._asking = None
        return self._refuse(refusal)

    def _valid(self, data: Mapping[str, Any]) -> list[Call]:
        actions = data.get("actions")
        if not isinstance(actions, list):
            raise ValueError("'actions' must be a list.")
        calls = []
        for item in actions:
            try:
                name, given = split_call(item)
            except NodeError as error:
                raise ValueError(str(error)) from None
            if name not in self.entry.model.may:
                may = ", ".join(self.entry.model.may)
                raise ValueError(f"'{name}' is not among what it may do: {may}.")
            calls.append(bind(self.runtime.team, name, given))
        return calls


def split_call(item: object) -> tuple[str, object]:
    """An action as written: its name and what it is given. Raises NodeError."""
    if isinstance(item, str):
        return item, None
    if isinstance(item, Mapping) and len(item) == 1:
        ((name, given),) = item.items()
        return str(name), given
    raise NodeError(f"an action is a name, or a name with its arguments, not {item!r}")


def _is_text(action: HighLevelAction) -> bool:
    return bool(action.parameters) and action.parameters[0].type == Named("text")


def _takes_text(action: HighLevelAction, name: str) -> bool:
    return any(p.name == name and p.type == Named("text") for p in action.parameters)


def answer_schema(actions: Sequence[HighLevelAction]) -> dict[str, object]:
    """The JSON Schema of an action's answer, from the signatures of what it may do."""
    options: list[dict[str, object]] = []
    for action in actions:
        properties = {p.name: json_schema(p.type) for p in action.parameters}
        required = [p.name for p in action.parameters if p.required]
        options.append(closed({action.name: closed(properties, required)}))
    told = {"type": "array", "items": {"anyOf": options}}
    return closed({"reasoning": {"type": "string"}, "actions": told})
