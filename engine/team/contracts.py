"""Contracts: what every answer is judged by before it is committed, and what must come to hold.

A contract over actions names those it judges and the arguments it binds; its `require` is an
expression over them and the world. An answer is judged as a whole: one broken contract refuses
all of it, with the contract's own words as the reason.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from engine.files.entry import Entry
from engine.files.systems import ContractFile
from engine.source.expression import Expression
from engine.source.scope import MappingScope, Scope
from engine.source.template import Template
from engine.team.actions import Call

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
class Broken:
    """A contract that an answer breaks, and what is said about it."""

    contract: str
    action: str
    tell: str


class Contract:
    """A contract made ready to judge."""

    def __init__(self, entry: Entry[ContractFile]) -> None:
        self.entry = entry
        self.name = entry.name
        self.heads = {head.action: head for head in map(parse_head, entry.model.each)}
        self._when = Expression.parse(entry.model.when)
        self._require = Expression.parse(entry.model.require or "true")
        default = "{{ action }} breaks the contract " + entry.name + "."
        self._tell = Template.parse(entry.model.tell or default)

    def judge(self, call: Call, scope: Scope) -> Broken | None:
        """What the contract has against an action; None when it has nothing."""
        head = self.heads.get(call.action.name)
        if head is None:
            return None
        names: dict[str, object] = {name: call.args.get(name) for name in head.args}
        names["action"] = str(call)
        inner = MappingScope(names, parent=scope)
        if not self._when.evaluate(inner) or self._require.evaluate(inner):
            return None
        return Broken(self.name, call.action.name, self._tell.render(inner).strip())


def judge_all(contracts: Iterable[Contract], calls: Sequence[Call], scope: Scope) -> list[Broken]:
    """Everything that the contracts have against an answer."""
    return [
        broken
        for call in calls
        for contract in contracts
        if (broken := contract.judge(call, scope)) is not None
    ]
