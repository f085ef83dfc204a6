"""Contracts: what every answer is judged by before it is committed, and what must come to hold.

A contract over actions names those it judges and the arguments it binds; its `require` is an
expression over them and the world. An answer is judged as a whole: one broken contract refuses
all of it, with the contract's own words as the reason.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from treec.files.entry import Entry
from treec.files.systems import ContractFile
from treec.files.types import ANY, ListOf, Named, Type
from treec.source.expression import Expression
from treec.source.scope import MappingScope, Scope
from treec.source.template import TextTemplate
from treec.team.actions import ActionCall, find_action
from treec.team.entities import Act

_HEAD = re.compile(r"\s*([A-Za-z_]\w*)\s*(?:\(([^()]*)\))?\s*")


@dataclass(frozen=True)
class Head:
    """What a contract's `each` names: an action, and the arguments it binds."""

    action: str
    args: tuple[str, ...]


def parse_head(text: str) -> Head:
    """Read ``assign(agent, subtasks)``. Raises ValueError."""
    found = _HEAD.fullmatch(text)
    if found is None:
        raise ValueError(f"{text!r} is no action with its arguments: assign(agent, because)")
    args = [arg.strip() for arg in (found.group(2) or "").split(",") if arg.strip()]
    for arg in args:
        if not re.fullmatch(r"[A-Za-z_]\w*", arg):
            raise ValueError(f"{arg!r} is no argument's name")
    return Head(found.group(1), tuple(args))


@dataclass(frozen=True)
class BrokenContract:
    """A contract that an answer breaks, and what is said about it."""

    contract: str
    action: str
    tell: str
    about: str
    """The promise itself, for people."""


ANSWER = "answer"
"""The head that judges an answer as a whole: `answer(actions, acts)`, its actions in order, each
with `name` and `args`, and the acts that it settles."""

_ANSWER: Mapping[str, Type] = {"actions": ListOf(ANY), "acts": ListOf(Named("Act"))}


def head_parameters(action: str) -> Mapping[str, Type] | None:
    """What a contract's head may bind of an action, with types; None for no action at all."""
    if action == ANSWER:
        return _ANSWER
    found = find_action(action)
    return None if found is None else {p.name: p.type for p in found.parameters}


def told_actions(calls: Sequence[ActionCall]) -> tuple[Mapping[str, object], ...]:
    """The actions of an answer as expressions see them."""
    return tuple({"name": call.action.name, "args": dict(call.args)} for call in calls)


class Contract:
    """A contract made ready to judge."""

    def __init__(self, entry: Entry[ContractFile]) -> None:
        self.entry = entry
        self.name = entry.name
        self.heads = {head.action: head for head in map(parse_head, entry.model.each)}
        self._when = Expression.parse(entry.model.when)
        self._require = Expression.parse(entry.model.require or "true")
        default = "{{ action }} breaks the contract " + entry.name + "."
        self._tell = TextTemplate.parse(entry.model.tell or default)

    def judge(
        self, action: str, args: Mapping[str, object], shown: str, scope: Scope
    ) -> BrokenContract | None:
        """What the contract has against an action; None when it has nothing."""
        head = self.heads.get(action)
        if head is None:
            return None
        names: dict[str, object] = {name: args.get(name) for name in head.args}
        names["action"] = shown
        inner = MappingScope(names, parent=scope)
        if not self._when.evaluate(inner) or self._require.evaluate(inner):
            return None
        tell = self._tell.render(inner).strip()
        about = " ".join((self.entry.model.about or tell).split())
        return BrokenContract(self.name, action, tell, about)


def judge_all(
    contracts: Iterable[Contract],
    calls: Sequence[ActionCall],
    scope: Scope,
    acts: Sequence[Act] = (),
) -> list[BrokenContract]:
    """Everything that the contracts have against an answer; ``acts`` are those it settles."""
    actions = told_actions(calls)
    judged = [(call.action.name, call.args, str(call)) for call in calls]
    whole = {"actions": actions, "acts": tuple(acts)}
    judged.append((ANSWER, whole, ", ".join(map(str, calls)) or "no action"))
    inner = MappingScope({"answer": actions}, parent=scope)
    return [
        broken
        for name, args, shown in judged
        for contract in contracts
        if (broken := contract.judge(name, args, shown, inner)) is not None
    ]
