"""Condition that never holds, or always does.

Two parts of `a and b` contradict each other, or one of the two parts of `a or b` always holds: by
equality with different values, by bounds, by `not`, or since a text has few values.

Wrong:

    when: status(agent) == 'Idle' and status(agent) == 'Interrupted'
    until: battery(agent) < 25 and battery(agent) > 30

Right:

    when: status(agent) == 'Idle' or status(agent) == 'Interrupted'
    until: battery(agent) < 25
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from jinja2 import nodes

from treec.check.conditions import Key, key_of, split
from treec.check.names import TypeEnvironment
from treec.check.texts import ParsedText, parsed_texts
from treec.check.type_checker import infer
from treec.files.types import Named, without_none
from treec.files.view import View
from treec.source.diagnostics import Diagnostic
from treec.source.grammar import start, walk

CODE = "TC216"
_INVERSE = {"eq": "ne", "ne": "eq", "lt": "gteq", "gteq": "lt", "gt": "lteq", "lteq": "gt"}
_INVERSE |= {"in": "notin", "notin": "in"}
_TURNED = {"eq": "eq", "ne": "ne", "lt": "gt", "gt": "lt", "lteq": "gteq", "gteq": "lteq"}
_MAY_CONTRADICT = re.compile(r"\b(?:and|or)\b|[<>].*[<>]")
"""A text without a chain of conditions need not be walked."""
_NEXT = re.compile(r"\s(?:and|or)\s")
_END = re.compile(r"(?:\s|\(|\b(?:and|or|not)\b)*\Z")


@dataclass(frozen=True)
class _Demand:
    """What a part of a condition demands of one expression: ``battery(agent) < 25``."""

    of: nodes.Node
    key: Key
    relation: str
    value: object
    at: int

    @property
    def inverse(self) -> _Demand:
        """The demand that holds where this one does not."""
        if self.relation == "is":
            return _Demand(self.of, self.key, "is", not self.value, self.at)
        return _Demand(self.of, self.key, _INVERSE[self.relation], self.value, self.at)


def check(view: View) -> Iterator[Diagnostic]:
    """Report conditions with two parts of which both, or neither, can hold."""
    for text in parsed_texts(view):
        if text.text is None or not _MAY_CONTRADICT.search(str(text.place.value)):
            continue
        inner: set[int] = set()  # parts of chains that were judged
        for node, _ in walk(tuple(text.text.ast)):
            if isinstance(node, nodes.And | nodes.Or):
                inner.update(id(s) for s in (node.left, node.right) if type(s) is type(node))
                if id(node) not in inner:
                    yield from _judge(text, node)
            elif isinstance(node, nodes.Compare) and len(node.ops) > 1:
                yield from _judge(text, node)


def _judge(text: ParsedText, node: nodes.And | nodes.Or | nodes.Compare) -> Iterator[Diagnostic]:
    either = isinstance(node, nodes.Or)
    demands: list[_Demand] = []
    parts = [node] if isinstance(node, nodes.Compare) else list(split(node, type(node)))
    for part in parts:
        for demand in _demands(part, either):
            demands.append(demand.inverse if either else demand)
            earlier = [d for d in demands if d.key == demand.key]
            if len(earlier) > 1 and _is_empty(earlier, text):
                yield _problem(text, parts, earlier, either)
                return


def _demands(node: nodes.Node, either: bool) -> list[_Demand]:
    """What a part demands; of a chain `20 < x < 30` in an `or`, nothing."""
    if isinstance(node, nodes.Not):
        inner = _demands(node.node, either)
        return [demand.inverse for demand in inner] if len(inner) == 1 else []
    if not isinstance(node, nodes.Compare):
        return [_Demand(node, key_of(node), "is", True, start(node))]
    found = []
    left = node.expr
    for operand in node.ops:
        right, relation = operand.expr, operand.op
        value = _constant(right)
        if value is not None and relation in _INVERSE:
            found.append(_Demand(left, key_of(left), relation, value[0], start(left)))
        elif relation in _TURNED and (value := _constant(left)) is not None:
            demand = _Demand(right, key_of(right), _TURNED[relation], value[0], start(left))
            found.append(demand)
        else:
            found.append(_Demand(node, key_of(node), "is", True, start(node)))
        left = right
    return found if len(found) == 1 or not either else []


def _constant(node: nodes.Node) -> tuple[object] | None:
    if isinstance(node, nodes.Const):
        return (node.value,)
    items = node.items if isinstance(node, nodes.List | nodes.Tuple) else []
    values = tuple(item.value for item in items if isinstance(item, nodes.Const))
    return (values,) if items and len(values) == len(items) else None


def _is_empty(demands: Sequence[_Demand], text: ParsedText) -> bool:
    """Whether no value meets all demands."""
    truths = {demand.value for demand in demands if demand.relation == "is"}
    if len(truths) > 1:
        return True
    values = [d for d in demands if d.relation != "is"]
    bounds = [d for d in values if d.relation in ("lt", "lteq", "gt", "gteq")]
    numbers = [d.value for d in bounds if isinstance(d.value, int | float)]
    if len(numbers) < len(bounds):
        return False
    allowed = _allowed(values, text.env)
    if allowed is not None:
        return not any(_meets(value, values) for value in allowed)
    if not bounds:
        return False
    sides = list(zip(bounds, numbers, strict=True))
    low = max((number for d, number in sides if d.relation[0] == "g"), default=None)
    high = min((number for d, number in sides if d.relation[0] == "l"), default=None)
    if low is None or high is None or low < high:
        return False
    return low > high or not (_meets(low, bounds) and _meets(high, bounds))


def _allowed(demands: Sequence[_Demand], env: TypeEnvironment) -> Sequence[object] | None:
    """The values of which one must be meant; None if they are not known."""
    for demand in demands:
        if demand.relation == "eq":
            return (demand.value,)
        if demand.relation == "in" and isinstance(demand.value, tuple):
            return demand.value
    if len(demands) < 2 or not all(demand.relation in ("ne", "notin") for demand in demands):
        return None
    type_ = infer(demands[0].of, env)
    if type_ is None or without_none(type_) != type_ or not isinstance(type_, Named):
        return None
    return env.choices(type_.name)


def _meets(value: object, demands: Sequence[_Demand]) -> bool:
    for demand in demands:
        other = demand.value
        match demand.relation:
            case "eq" if value != other:
                return False
            case "ne" if value == other:
                return False
            case "in" if isinstance(other, tuple) and value not in other:
                return False
            case "notin" if isinstance(other, tuple) and value in other:
                return False
            case "lt" | "lteq" | "gt" | "gteq" as relation:
                if not isinstance(value, int | float) or not isinstance(other, int | float):
                    continue
                less = value < other if relation in ("lt", "gteq") else value <= other
                if less is not (relation in ("lt", "lteq")):
                    return False
    return True


def _problem(
    text: ParsedText, parts: Sequence[nodes.Node], demands: Sequence[_Demand], either: bool
) -> Diagnostic:
    written = str(text.place.value)
    starts = sorted(start(part) for part in parts)

    def part_at(at: int) -> str:
        begin = max(start for start in starts if start <= at)
        end = min((start for start in starts if start > at), default=len(written))
        part = _NEXT.split(_END.sub("", written[begin:end]))[0].strip()
        while part.endswith(")") and part.count(")") > part.count("("):
            part = part[:-1].rstrip()
        return part

    *others, last = dict.fromkeys(part_at(demand.at) for demand in demands)
    if either:
        message = f"this always holds: {' or '.join([*others, last])}"
    else:
        message = f"this never holds: {' and '.join([*others, last])}"
    at = demands[-1].at
    return text.place.problem(CODE, message, offset=at, length=len(part_at(at)))
