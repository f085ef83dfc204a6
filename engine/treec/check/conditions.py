"""Static analysis of conditions: their parts, constants, and which can hold together.

A condition is a set of alternatives, each a set of demands. Demands of one expression contradict
each other by equality with different values, by bounds, by truth, or since a text has few values.
Names that the domain derives stand for their conditions. What is not known to contradict may hold.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from functools import lru_cache
from typing import TYPE_CHECKING, NamedTuple, cast

from jinja2 import nodes

from treec.check.base import Loc
from treec.check.type_checker import infer
from treec.files.types import Named, without_none
from treec.frozen import frozen
from treec.source.diagnostics import Diagnostic
from treec.source.errors import LocatedError
from treec.source.expression import Expression
from treec.source.grammar import brackets, start

if TYPE_CHECKING:
    from treec.check.base import FieldPlace
    from treec.check.texts import ParsedText

_INVERSE = {"eq": "ne", "ne": "eq", "lt": "gteq", "gteq": "lt", "gt": "lteq", "lteq": "gt"}
_INVERSE |= {"in": "notin", "notin": "in"}
_TURNED = {"eq": "eq", "ne": "ne", "lt": "gt", "gt": "lt", "lteq": "gteq", "gteq": "lteq"}
_BOUNDS = ("lt", "lteq", "gt", "gteq")
_ORDER = "order"
_ORDERS = ("lt", "eq", "gt", "none")
"""How two values may be: less, equal, more, or not to be compared."""
_LEAVES: dict[str, tuple[str, ...]] = {"lt": ("lt",), "eq": ("eq",), "gt": ("gt",)}
_LEAVES |= {_INVERSE[one]: tuple(o for o in _ORDERS if o != one) for one in ("lt", "eq", "gt")}
"""A relation → how two values of which it is true may be."""
MOST = 64
"""A part of a condition that makes more alternatives than this is taken to hold sometimes."""


def literal_value(text: str) -> object:
    """Return the value of a constant expression; None of another, or if it cannot be parsed."""
    try:
        expression = Expression.parse(text)
        return expression.constant_value() if expression.is_constant else None
    except LocatedError:
        return None


def split(node: nodes.Node, kind: type[nodes.BinExpr]) -> Iterable[nodes.Node]:
    """The parts of a chain of `or` or `and`, in their order."""
    stack = [node]
    while stack:
        part = stack.pop()
        if isinstance(part, kind):
            stack += [part.right, part.left]
        else:
            yield part


def key_of(value: object) -> str:
    """Return a text that is equal for equal expressions, wherever they stand."""
    if type(value) is nodes.Name:
        return f"Name {value.name}"
    if type(value) is nodes.Const:
        return f"Const {value.value!r}"
    if isinstance(value, nodes.Node):
        return f"{type(value).__name__}{[key_of(getattr(value, name)) for name in value.fields]}"
    if isinstance(value, list | tuple):
        return str([key_of(item) for item in value])
    return repr(value)


class Condition(NamedTuple):
    """What holds or, with ``truth`` false, does not: the syntax tree in a text."""

    text: ParsedText
    node: nodes.Node
    truth: bool = True


def condition(text: ParsedText, truth: bool = True) -> Condition:
    """Return the condition that a whole expression is."""
    assert text.text is not None
    return Condition(text, text.text.ast[0], truth)


def is_precondition(place: FieldPlace) -> bool:
    """Whether it is a condition of a skill's `before`: a repair is the value of such a key."""
    return place.loc[0] == "before" and (place.key or len(place.loc) == 2)


def by_place(texts: Iterable[ParsedText]) -> dict[Loc, ParsedText]:
    """Return the expressions among texts of an entry that could be parsed, by their places."""
    return {text.place.loc: text for text in texts if text.place.kind == "expression" and text.text}


@frozen(eq=False)
class Demand:
    """What a part of a condition demands of one expression: ``battery(agent) < 25``."""

    of: nodes.Node
    key: str
    relation: str
    value: object
    part: Condition

    @property
    def inverse(self) -> Demand:
        """The demand that holds where this one does not."""
        if self.relation == "is":
            return replace(self, value=not self.value)
        if self.key.startswith(_ORDER):
            left = cast("Sequence[str]", self.value)
            return replace(self, value=tuple(one for one in _ORDERS if one not in left))
        return replace(self, relation=_INVERSE[self.relation])

    @property
    def words(self) -> str:
        """The part of the condition as it is written."""
        written = str(self.part.text.place.value)
        begin = start(self.part.node)
        is_group = isinstance(self.part.node, nodes.And | nodes.Or)
        ends = (
            found.start()
            for found, depth in brackets(written, begin)
            if depth < 0 or (depth == 0 and not is_group and found[0][0].isspace())
        )
        words = written[begin : next(ends, len(written))].strip()
        return f"({words})" if is_group else words


def conflict(conditions: Iterable[Condition]) -> tuple[Demand, ...] | None:
    """The demands that keep conditions from holding together; None if they may.

    None are given if a constant keeps them from it.
    """
    every = tuple(conditions)
    possible, clashes = _narrow(_together(every[:-1]), every[-1:])
    return None if possible else clashes


_Together = tuple[list[tuple[Demand, ...]], tuple[Demand, ...]]
"""The sets of demands of which one is met where conditions hold, and those that clash."""


@lru_cache(maxsize=4096)
def _together(conditions: tuple[Condition, ...]) -> _Together:
    return _narrow(([()], ()), conditions)


def _narrow(known: _Together, conditions: Iterable[Condition]) -> _Together:
    """What is known where further conditions hold, too."""
    possible, clashes = known[0], dict.fromkeys(known[1])
    for text, node, truth in conditions if possible else ():
        for part in split(node, nodes.And if truth else nodes.Or):
            more = alternatives(Condition(text, part, truth))
            together = []
            for one in possible:
                for other in more:
                    clash = clashing(other, one)
                    if clash is None:
                        together.append((*one, *other))
                    else:
                        clashes |= dict.fromkeys(clash)
            if not together:
                return [], tuple(clashes) if more else ()
            if len(together) <= MOST:
                possible = together
    return possible, tuple(clashes)


@lru_cache(maxsize=4096)
def alternatives(here: Condition, part: Condition | None = None) -> list[tuple[Demand, ...]]:
    """The sets of demands of which one is met where a condition is met, which is in a part."""
    text, node, truth = here
    part = part or here
    if isinstance(node, nodes.Not):
        return alternatives(Condition(text, node.node, not truth), part)
    if isinstance(node, nodes.And | nodes.Or):
        inner = (Condition(text, one, truth) for one in split(node, type(node)))
        parts = [alternatives(one, part) for one in inner]
        if isinstance(node, nodes.Or) is truth:
            return [one for found in parts for one in found]
        product: list[tuple[Demand, ...]] = [()]
        for found in parts:
            product = [(*one, *other) for one in product for other in found]
            if len(product) > MOST:
                return [(Demand(node, key_of(node), "is", truth, part),)]
        return product
    if isinstance(node, nodes.Const):
        return [()] if bool(node.value) is truth else []
    if isinstance(node, nodes.Name) and (meant := _derived(text, node.name)) is not None:
        return alternatives(Condition(text, meant, truth), part)
    demands = list(_demands(text, node, part))
    return [tuple(demands)] if truth else [(demand.inverse,) for demand in demands]


def clear_cache() -> None:
    """Forget the texts of a check, and with them its views."""
    alternatives.cache_clear()
    _together.cache_clear()


def _derived(text: ParsedText, name: str) -> nodes.Node | None:
    """The condition of a name that the domain derives, if that uses no later one."""
    derived = text.view.derived
    if name not in derived or name in text.env.local:
        return None
    try:
        expression = Expression.parse(derived[name])
    except LocatedError:
        return None
    later = list(derived)[list(derived).index(name) :]
    return None if {free.name for free in expression.names} & {*later} else expression.ast[0]


def _demands(text: ParsedText, node: nodes.Node, part: Condition) -> Iterator[Demand]:
    if isinstance(node, nodes.Test) and node.name == "none":
        yield Demand(node.node, key_of(node.node), "eq", None, part)
        return
    if (kinds := _kinds(text, node)) is not None:
        of = cast("nodes.Call", node).args[0]
        yield Demand(node, f"type of {key_of(of)}", "in", kinds, part)
        return
    if not isinstance(node, nodes.Compare):
        yield Demand(node, key_of(node), "is", True, part)
        return
    left = node.expr
    for operand in node.ops:
        right, relation = operand.expr, operand.op
        value = _constant(text, right)
        if value is not None and relation in _INVERSE:
            yield Demand(left, key_of(left), relation, value[0], part)
        elif relation in _TURNED and (value := _constant(text, left)) is not None:
            yield Demand(right, key_of(right), _TURNED[relation], value[0], part)
        else:
            yield _pair(left, relation, right, part)
            for one, other in ((left, right), (right, left)) if relation == "eq" else ():
                if _is_thing(text, one):  # what is equal to a thing is not nothing
                    yield Demand(other, key_of(other), "is", True, part)
        left = right


def _pair(left: nodes.Node, relation: str, right: nodes.Node, part: Condition) -> Demand:
    """What a comparison of two expressions demands, in the same terms as its opposite."""
    pair = nodes.Compare(left, [nodes.Operand(relation, right)])
    sides = [key_of(left), key_of(right)]
    if relation in ("in", "notin"):
        return Demand(pair, f"in {sides}", "is", relation == "in", part)
    if sides[1] < sides[0]:
        relation, sides = _TURNED[relation], sides[::-1]
    return Demand(pair, f"{_ORDER} {sides}", "in", _LEAVES[relation], part)


def _is_thing(text: ParsedText, node: nodes.Node) -> bool:
    """Whether an expression is always a thing or an agent, which counts as true."""
    type_ = infer(node, text.env)
    return isinstance(type_, Named) and type_.name in text.view.types.parents


def _kinds(text: ParsedText, node: nodes.Node) -> tuple[str, ...] | None:
    """The types that a thing may have of which `is_a` is true; None for another expression."""
    match node:
        case nodes.Call(node=nodes.Name(name="is_a"), args=[_, nodes.Const(value=str() as kind)]):
            types = text.view.types
            return tuple(name for name in types.parents if kind in types.line(name)) or None
    return None


def _constant(text: ParsedText, node: nodes.Node) -> tuple[object] | None:
    if isinstance(node, nodes.Const):
        return (node.value,)
    if isinstance(node, nodes.Name) and node.name in text.view.things:
        env = text.env
        return None if node.name in env.local or node.name in env.names else (node.name,)
    items = node.items if isinstance(node, nodes.List | nodes.Tuple) else []
    values = [_constant(text, item) for item in items]
    known = tuple(value[0] for value in values if value is not None)
    return (known,) if items and len(known) == len(items) else None


def clashing(more: Sequence[Demand], known: Sequence[Demand] = ()) -> Sequence[Demand] | None:
    """Demands of one expression that no value meets, two if two suffice; None if there are none.

    Those that are ``known`` do not clash among themselves.
    """
    for number, demand in enumerate(more):
        before = [one for one in (*known, *more[:number]) if one.key == demand.key]
        if before and _is_empty(same := [*before, demand]):
            pairs = ([other, demand] for other in before)
            return next((pair for pair in pairs if _is_empty(pair)), same)
    return None


def _is_empty(demands: Sequence[Demand]) -> bool:
    """Whether no value meets all demands."""
    truths = [demand.value for demand in demands if demand.relation == "is"]
    if len(set(truths)) > 1 or len(truths) == len(demands):
        return len(set(truths)) > 1
    bounds = [d for d in demands if d.relation in _BOUNDS]
    numbers = [d.value for d in bounds if isinstance(d.value, int | float)]
    if len(numbers) < len(bounds):
        return False
    allowed = _allowed(demands)
    if allowed is not None:
        return not any(_meets(value, demands) for value in allowed)
    sides = list(zip(bounds, numbers, strict=True))
    low = max((number for d, number in sides if d.relation[0] == "g"), default=None)
    high = min((number for d, number in sides if d.relation[0] == "l"), default=None)
    if low is None or high is None or low < high:
        return False
    return low > high or not (_meets(low, bounds) and _meets(high, bounds))


def _allowed(demands: Sequence[Demand]) -> Sequence[object] | None:
    """The values of which one must be meant; None if they are not known."""
    for demand in demands:
        if demand.relation == "eq":
            return (demand.value,)
        if demand.relation == "in" and isinstance(demand.value, tuple):
            return demand.value
    if len(demands) < 2 or not all(demand.relation in ("ne", "notin") for demand in demands):
        return None
    env = demands[0].part.text.env
    type_ = infer(demands[0].of, env)
    if type_ is None or without_none(type_) != type_ or not isinstance(type_, Named):
        return None
    return env.choices(type_.name)


def _meets(value: object, demands: Sequence[Demand]) -> bool:
    for demand in demands:
        other = demand.value
        match demand.relation:
            case "is" if bool(value) is not other:
                return False
            case "eq" if not _equal(value, other):
                return False
            case "ne" if _equal(value, other):
                return False
            case "in" if isinstance(other, tuple) and value not in other:
                return False
            case "notin" if isinstance(other, tuple) and value in other:
                return False
            case "lt" | "lteq" | "gt" | "gteq" if value is None:
                return False
            case "lt" | "lteq" | "gt" | "gteq" as relation:
                if not isinstance(value, int | float) or not isinstance(other, int | float):
                    continue
                less = value < other if relation in ("lt", "gteq") else value <= other
                if less is not (relation in ("lt", "lteq")):
                    return False
    return True


def _equal(one: object, other: object) -> bool:
    return one == other and isinstance(one, bool) is isinstance(other, bool)


def never_together(
    code: str, demands: Sequence[Demand], help: str | None = None, severity: str = "error"
) -> Diagnostic:
    """A problem at the last of demands that contradict each other, with where the others are."""
    last = demands[-1].part
    place = last.text.place
    halves: dict[str, None] = {}
    for demand in demands:
        text, node, truth = demand.part
        span = text.place.span()
        where = f"line {span.line}" if span.path == place.entry.path else f"{span.path}:{span.line}"
        words = demand.words
        if not truth:
            words = f"not {words}" if isinstance(node, nodes.And | nodes.Or) else f"not ({words})"
        halves[words if text is last.text else f"{words} ({where})"] = None
    message = f"these never hold together: {' and '.join(halves)}"
    at, length = start(last.node), len(demands[-1].words)
    return place.problem(code, message, help, offset=at, length=length, severity=severity)
