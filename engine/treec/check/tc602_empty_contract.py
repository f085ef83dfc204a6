"""Contract that promises nothing, or what cannot be kept.

A contract constrains actions (`each` and `require`) or the run (`eventually`). One that does
neither can never be broken; nor can one whose `require` holds whenever its `when` does. If the two
never hold together it forbids all to which it applies: then write `require: false`. Two contracts
on one action contradict each other if nothing satisfies both where one applies; a warning, if that
is so only where both do, or if one is broken only where the other is, too. A contract contradicts a
skill if it is broken wherever all of the skill's `before` holds.

Wrong:

    contract: ask_first
    about: Nobody gets work unless the user asked or agreed.
    each: assign(agent, because)
    ---
    contract: charged
    about: Robots drive with charged batteries only.
    each: skill(agent, skill)
    when: skill == 'drive' and battery(agent) < 20
    require: battery(agent) > 30

Right:

    contract: ask_first
    about: Nobody gets work unless the user asked or agreed.
    each: assign(agent, because)
    require: because in acts.request
    ---
    contract: charged
    about: Robots drive with charged batteries only.
    each: skill(agent, skill)
    when: skill == 'drive'
    require: battery(agent) > 30
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from copy import copy
from typing import cast

from jinja2 import nodes

from treec.check.base import all_entries, entries, places
from treec.check.conditions import (
    Condition,
    condition,
    conflict,
    is_precondition,
    never_together,
)
from treec.check.scopes import heads
from treec.check.texts import ParsedText, meanings, texts_of
from treec.files.entry import AnyEntry
from treec.files.systems import ContractFile
from treec.files.view import View
from treec.frozen import frozen
from treec.source.diagnostics import Diagnostic
from treec.source.errors import LocatedError
from treec.source.expression import Expression
from treec.source.grammar import start
from treec.team.contracts import SKILL

CODE = "TC602"


@frozen(eq=False)
class _Contract:
    """Where a contract on actions applies, unless it always does, and what it requires there."""

    entry: AnyEntry
    actions: frozenset[str]
    applies: tuple[Condition, ...]
    requires: Condition

    @property
    def forbids(self) -> bool:
        """Whether it allows nothing where it applies."""
        return _never((self.requires,))

    @property
    def broken(self) -> tuple[Condition, ...]:
        """What holds where it is broken."""
        return (*self.applies, self.requires._replace(truth=False))

    @property
    def unbroken(self) -> Iterator[Condition]:
        """Of what one holds where it is not broken."""
        yield from (one._replace(truth=False) for one in self.applies)
        yield self.requires

    def implies(self, other: _Contract) -> bool:
        """Whether it is broken wherever another one is."""
        covers = self.actions >= other.actions
        return covers and all(map(_never, ((*other.broken, one) for one in self.unbroken)))


def check(view: View) -> Iterator[Diagnostic]:
    """Report contracts without `each` or without `require`, empty ones, and contradictions."""
    for entry in entries(view, "contract"):
        yield from _is_empty(entry)
    if view.system is None:
        own = any(entries(view, "contract", "skill"))  # the others are judged in their systems
        yield from _contradictions(view) if own else ()
        return
    key = (check, meanings(view, "contract", "skill"), view.system.model.preconditions)
    if key not in view.library.results:
        view.library.results[key] = list(_contradictions(view))
    yield from cast("list[Diagnostic]", view.library.results[key])


def _contradictions(view: View) -> Iterator[Diagnostic]:
    sound: list[_Contract] = []
    skills = list(_conditional(view))
    for contract in filter(None, (_read(view, e) for e in all_entries(view, "contract"))):
        problem = _alone(contract) or next(filter(None, (_pair(o, contract) for o in sound)), None)
        if problem is not None:
            yield problem
        else:
            sound.append(contract)
            yield from _skills(contract, skills)


def _conditional(view: View) -> Iterator[tuple[AnyEntry, tuple[Condition, ...]]]:
    """Yield the skills that may begin only where their `before` holds, with these conditions."""
    if view.system is None or view.system.model.preconditions != "ignore":
        for skill in all_entries(view, "skill"):
            texts = (t for t in texts_of(view).get(skill, ()) if is_precondition(t.place))
            if before := tuple(condition(text) for text in texts if text.text):
                yield skill, before


def _skills(
    contract: _Contract, skills: Iterable[tuple[AnyEntry, tuple[Condition, ...]]]
) -> Iterator[Diagnostic]:
    """Report skills that can never begin, since a contract is broken where their `before` holds."""
    if SKILL not in contract.actions or contract.forbids:
        return
    for skill, before in skills:
        called = (one._replace(node=_called(one.node, skill)) for one in contract.unbroken)
        if not all(_never((*before, last := one)) for one in called) or _never(before):
            continue
        if demands := conflict((*before, last)):
            help = f"'{skill.name}' can never begin; to forbid it: 'require: false'"
            yield never_together(CODE, demands, help)
            return


def _called(node: nodes.Node, skill: AnyEntry) -> nodes.Node:
    """A contract's condition as it is for calls of one skill: its name, and its arguments."""
    if isinstance(node, nodes.Name):
        is_skill = node.name == "skill"
        return nodes.Const(skill.name, lineno=node.lineno) if is_skill else node
    match node:
        case (
            nodes.Getattr(node=nodes.Name(name="args"), attr=name)
            | nodes.Getitem(node=nodes.Name(name="args"), arg=nodes.Const(value=str() as name))
        ) if name in skill.model.args:
            return nodes.Name(name, "load", lineno=start(node))
    new = node
    for field, value in node.iter_fields():
        if isinstance(value, nodes.Node):
            changed: object = _called(value, skill)
        elif isinstance(value, list):
            changed = [_called(v, skill) if isinstance(v, nodes.Node) else v for v in value]
        else:
            continue
        if changed is not value and changed != value:
            new = copy(node) if new is node else new
            setattr(new, field, changed)
    match new:
        case nodes.Compare(
            expr=nodes.Const(value=one), ops=[nodes.Operand(op=relation, expr=other)]
        ):
            known = [
                item.value for item in getattr(other, "items", [other]) if type(item) is nodes.Const
            ]
            if relation in ("eq", "in", "ne", "notin") and known:
                holds = (one in known) is (relation in ("eq", "in"))
                return nodes.Const(holds, lineno=start(node))
    return new


def _read(view: View, entry: AnyEntry) -> _Contract | None:
    """A contract on actions; None of another, or if TC216 or TC201 report what it says."""
    contract: ContractFile = entry.model
    found: dict[str, Condition] = {}
    for place in places(entry):
        if place.loc in (("when",), ("require",)):
            try:
                parsed = Expression.parse(str(place.value))
            except LocatedError:
                return None
            found[place.field] = condition(ParsedText(view, place, parsed, None, ()))
    applies, requires = tuple(found[key] for key in found if key == "when"), found.get("require")
    if not contract.each or requires is None or _never(applies):
        return None
    if conflict((requires,)) or conflict((requires._replace(truth=False),)):
        return None
    return _Contract(entry, frozenset(h.action for h in heads(contract.each)), applies, requires)


def _never(conditions: Iterable[Condition]) -> bool:
    return conflict(conditions) is not None


def _alone(contract: _Contract) -> Diagnostic | None:
    """What is wrong with a contract by itself."""
    if demands := conflict((*contract.applies, contract.requires)):
        return never_together(CODE, demands, "to forbid what 'when' says: 'require: false'")
    if not _never(contract.broken):
        return None
    where = " where 'when' does" if contract.applies else ""
    message = f"this contract can never be broken: 'require' always holds{where}"
    return contract.requires.text.place.problem(CODE, message)


def _pair(one: _Contract, other: _Contract) -> Diagnostic | None:
    """What is wrong with a contract beside an earlier one."""
    if not one.actions & other.actions or _never((*one.applies, *other.applies)):
        return None
    pairs = ((one, other), (other, one))
    for a, b in pairs:
        if a.implies(b):
            span = a.entry.span("contract")
            where = "" if span.path == b.entry.path else f"{span.path}:"
            message = "this contract adds nothing: where it is broken, so is "
            message += f"'{a.entry.name}' ({where or 'line '}{span.line})"
            return Diagnostic(CODE, "warning", b.entry.span("contract"), message)
    help = f"where both apply, nothing satisfies '{one.entry.name}' and '{other.entry.name}'"
    demands = conflict((*one.applies, *other.applies, one.requires, other.requires))
    for a, b in pairs:
        allowed = (*a.applies, a.requires)
        if not a.forbids and all(_never((*allowed, escape)) for escape in b.unbroken):
            demands = demands or conflict((*allowed, *b.unbroken))
            return never_together(CODE, demands, help) if demands else None
    return never_together(CODE, demands, help, "warning") if demands else None


def _is_empty(entry: AnyEntry) -> Iterator[Diagnostic]:
    contract: ContractFile = entry.model
    if contract.each and contract.require is None:
        message = "this contract names actions but requires nothing of them"
        span = entry.span("each", key=True)
        help = "add 'require: …', the condition that each must satisfy"
    elif contract.require is not None and not contract.each:
        message = "this contract has a requirement but names no action"
        span = entry.span("require", key=True)
        help = "add 'each: …', the actions it applies to: assign(agent, because)"
    elif not contract.each and contract.eventually is None:
        message = "this contract promises nothing"
        span = entry.span("contract")
        help = "add 'each' and 'require', or 'eventually'"
    else:
        return
    yield Diagnostic(CODE, "error", span, message, help)
