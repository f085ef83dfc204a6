"""Contracts: conditions that every answer must meet before it is committed.

A contract lists the actions it applies to and the arguments it binds; its `require` is an
expression over these and the world. An answer is judged as a whole: one broken contract refuses all
of it, with the contract's `tell` as the reason, which a person whose order it was hears, too. A
contract on `skill` is a condition that every
skill must meet when it begins and as long as it runs.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING

from treec.files.entry import Entry
from treec.files.systems import ContractFile
from treec.files.types import ANY, ListOf, Named, Type
from treec.frozen import frozen
from treec.source.expression import Expression
from treec.source.scope import MappingScope, Scope
from treec.source.template import TextTemplate
from treec.team.actions import ActionCall, find_action

if TYPE_CHECKING:
    from treec.team.entities import Act

_HEAD = re.compile(r"\s*([A-Za-z_]\w*)\s*(?:\(([^()]*)\))?\s*")


@frozen(slots=False)
class Head:
    """An item of a contract's `each`: an action and the arguments it binds."""

    action: str
    args: tuple[str, ...]


def parse_head(text: str) -> Head:
    """Read ``assign(agent, subtasks)``. Raises ValueError."""
    found = _HEAD.fullmatch(text)
    if found is None:
        raise ValueError(f"{text!r} is not an action with its arguments: assign(agent, because)")
    args = [arg.strip() for arg in (found.group(2) or "").split(",") if arg.strip()]
    for arg in args:
        if not re.fullmatch(r"[A-Za-z_]\w*", arg):
            raise ValueError(f"{arg!r} is not an argument's name")
    return Head(found.group(1), tuple(args))


@frozen(slots=False)
class BrokenContract:
    """A contract that an answer breaks, and the message about it."""

    contract: str
    action: str
    """The action's name."""
    tell: str
    words: str
    """Why, for people: the contract's `tell` without calls in it, else its `about`."""


ANSWER = "answer"
"""The head for an answer as a whole, `answer(actions, acts)`.

Each action has `name`, `args` and `by` (who answered); acts are those that the answer settles.
"""

SKILL = "skill"
"""The head for every skill while it runs, `skill(agent, skill, args, subtask)`.

`skill` is its name, `args` its arguments by name, `subtask` the one that it is done for, or none.
"""

_ANSWER: Mapping[str, Type] = {"actions": ListOf(ANY), "acts": ListOf(Named("Act"))}
_SKILL: Mapping[str, Type] = {
    "agent": Named("Agent"),
    "skill": Named("text"),
    "args": ANY,
    "subtask": ANY,
}


def head_parameters(action: str) -> Mapping[str, Type] | None:
    """Types of the arguments of an action that a head may bind; None for an unknown action."""
    if action == ANSWER:
        return _ANSWER
    if action == SKILL:
        return _SKILL
    found = find_action(action)
    return None if found is None else {p.name: p.type for p in found.parameters}


def actions_as_data(calls: Sequence[ActionCall], by: str = "") -> tuple[Mapping[str, object], ...]:
    """The actions of an answer as data for expressions."""
    return tuple({"name": c.action.name, "args": dict(c.args), "by": by} for c in calls)


class Contract:
    """A contract with its expressions parsed."""

    def __init__(self, entry: Entry[ContractFile]) -> None:
        self.entry = entry
        self.name = entry.name
        self.heads = {head.action: head for head in map(parse_head, entry.model.each)}
        self._when = Expression.parse(entry.model.when)
        self._require = Expression.parse(entry.model.require or "true")
        default = "{{ action }} breaks the contract " + entry.name + "."
        self._tell = TextTemplate.parse(entry.model.tell or default)

    def judge(
        self, action: str, args: Mapping[str, object], text: str, scope: Scope
    ) -> BrokenContract | None:
        """How an action breaks the contract; None if it does not."""
        head = self.heads.get(action)
        if head is None:
            return None
        names: dict[str, object] = {name: args.get(name) for name in head.args}
        inner = MappingScope({**names, "action": text}, parent=scope)
        if not self._when.evaluate(inner) or self._require.evaluate(inner):
            return None
        tell = self._tell.render(inner).strip()
        spoken = self._tell.render(MappingScope({**names, "action": "that"}, parent=scope))
        words = spoken if self.entry.model.tell else self.entry.model.about or spoken
        return BrokenContract(self.name, action, tell, " ".join(words.split()))


def judge_all(
    contracts: Iterable[Contract],
    calls: Sequence[ActionCall],
    scope: Scope,
    acts: Sequence[Act] = (),
    by: str = "",
) -> list[BrokenContract]:
    """All contracts that an answer breaks; ``acts`` are those it settles, ``by`` who answered."""
    actions = actions_as_data(calls, by)
    judgements = [(call.action.name, call.args, str(call)) for call in calls]
    whole = {"actions": actions, "acts": tuple(acts)}
    judgements.append((ANSWER, whole, ", ".join(map(str, calls)) or "no action"))
    inner = MappingScope({"answer": actions}, parent=scope)
    return [
        broken
        for name, args, text in judgements
        for contract in contracts
        if (broken := contract.judge(name, args, text, inner)) is not None
    ]
