"""Parses the effects and repairs of skills from their expressions.

An effect is an expression of one of four forms; what it sets is a fact:

    at(item) == agent       the fact's value (none: no value)
    hot(item)               true
    not hot(item)           false

A condition of `before` may have a repair, which is a call of a skill: `go_to(agent, at(item))`.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import lru_cache
from typing import NamedTuple

from jinja2 import nodes

from treec.frozen import frozen
from treec.source.errors import EvaluationError, EvaluationProblem, LocatedError
from treec.source.expression import Expression
from treec.source.objects import describe, name_of

Evaluate = Callable[[str], object]
"""Evaluates an expression given as text."""

_PART = re.compile(r"'(?:[^'\\]|\\.)*'|\"(?:[^\"\\]|\\.)*\"|\w+|.", re.DOTALL)
_FORMS = "write fact(args) == value, fact(args) or not fact(args)"


class EffectError(LocatedError):
    """An expression that is not a valid effect or repair, or whose value cannot be set."""


@frozen
class ExpressionPart:
    """A part of an expression, and its offset."""

    text: str
    offset: int

    def value(self, evaluate: Evaluate) -> object:
        """Return its value; errors have offsets in the whole expression."""
        try:
            return evaluate(self.text)
        except LocatedError as error:
            raise EvaluationError(
                error.message, self.offset + error.offset, error.length, error.help
            ) from None
        except EvaluationProblem as problem:
            raise EvaluationError(
                problem.message, self.offset, len(self.text), problem.help
            ) from None


@frozen
class CallSpec:
    """A call: its name, offset, and arguments as expressions."""

    name: str
    parts: tuple[ExpressionPart, ...]
    offset: int

    @property
    def args(self) -> tuple[str, ...]:
        """The texts of the arguments."""
        return tuple(part.text for part in self.parts)


@frozen
class EffectSpec:
    """A fact and the value it gets; `wanted` is None for a fact that is true or false."""

    call: CallSpec
    wanted: ExpressionPart | None
    negated: bool

    @property
    def fact(self) -> str:
        """The fact's name."""
        return self.call.name

    @property
    def offset(self) -> int:
        """Where the fact's name stands."""
        return self.call.offset

    @property
    def args(self) -> tuple[str, ...]:
        """The texts of the fact's arguments."""
        return self.call.args

    @property
    def value(self) -> str | None:
        """The text of the value it gets."""
        return None if self.wanted is None else self.wanted.text


class GroundedEffect(NamedTuple):
    """A fact of things that are known by name, and its value."""

    fact: str
    args: tuple[str, ...]
    value: str | int | float | bool | None


@lru_cache(maxsize=4096)
def parse_effect(text: str) -> EffectSpec:
    """Parse an effect. Raises `EffectError`, and `SourceError` for an invalid expression."""
    tree = _tree(text)
    negated = isinstance(tree, nodes.Not)
    inner = tree.node if isinstance(tree, nodes.Not) else tree
    valued = isinstance(inner, nodes.Compare) and not negated
    left = inner.expr if isinstance(inner, nodes.Compare) and valued else inner
    if not _plain_call(left):
        raise _no_effect(text, tree)
    assert isinstance(left, nodes.Call)
    call, rest = _call(text, left)
    if not valued:
        if text[rest:].strip():
            raise EffectError("this fact stands in brackets", *_whole(text), help=_FORMS)
        return EffectSpec(call, None, negated)
    assert isinstance(inner, nodes.Compare)
    rest += len(text[rest:]) - len(text[rest:].lstrip())
    if len(inner.ops) != 1 or inner.ops[0].op != "eq" or not text.startswith("==", rest):
        operator = re.compile(r"[=!<>]+|not\s+in|\w+|.").match(text, rest)
        length = len(operator[0]) if operator else 1
        raise EffectError("an effect sets a fact with one '=='", rest, length, _FORMS)
    return EffectSpec(call, _part(text, rest + 2, len(text)), False)


def find_effect(text: str) -> EffectSpec | None:
    """The effect that a text is; None for another text, which is reported where it stands."""
    try:
        return parse_effect(text)
    except LocatedError:
        return None


@lru_cache(maxsize=4096)
def parse_repair(text: str) -> CallSpec:
    """Parse a repair. Raises `EffectError`, and `SourceError` for an invalid expression."""
    help = "write the skill's name and its arguments: go_to(agent, at(item))"
    return _one_call(text, "a repair is a skill's call", help)


def parse_need(text: str) -> CallSpec:
    """Parse a value of `needs:`. Raises like `parse_repair`."""
    help = "write the provider's name and its arguments: localize(item)"
    return _one_call(text, "a need is a provider's call", help)


def _one_call(text: str, message: str, help: str) -> CallSpec:
    tree = _tree(text)
    if not _plain_call(tree):
        raise EffectError(message, *_whole(text), help=help)
    assert isinstance(tree, nodes.Call)
    call, rest = _call(text, tree)
    if text[rest:].strip():
        raise EffectError(message, *_whole(text), help=help)
    return call


@lru_cache(maxsize=4096)
def conjuncts(text: str) -> tuple[ExpressionPart, ...]:
    """The parts of a condition that must all hold: of `a and b`, both.

    Raises `SourceError` for an invalid expression.
    """
    parts: list[ExpressionPart] = []
    depth, begin = 0, 0
    if isinstance(_tree(text), nodes.And):
        for match in _PART.finditer(text):
            depth += (match[0] in "([{") - (match[0] in ")]}")
            if depth == 0 and match[0] == "and":
                parts.append(_part(text, begin, match.start()))
                begin = match.end()
    return (*parts, _part(text, begin, len(text)))


def ground(spec: EffectSpec, evaluate: Evaluate) -> GroundedEffect:
    """Return the fact with its arguments and value, things by their names.

    Raises `EffectError` for an argument that is not a thing or a value that is not plain, and
    `EvaluationError` for what cannot be evaluated; both have positions in the effect's text.
    """
    args = tuple(_thing(spec, part, evaluate) for part in spec.call.parts)
    if spec.wanted is None:
        return GroundedEffect(spec.fact, args, not spec.negated)
    value = spec.wanted.value(evaluate)
    name = name_of(value)
    if name is not None:
        return GroundedEffect(spec.fact, args, name)
    if value is None or isinstance(value, str | int | float):
        return GroundedEffect(spec.fact, args, value)
    message = f"{describe(value)} cannot be the value of a fact"
    raise EffectError(message, spec.wanted.offset, len(spec.wanted.text))


def _thing(spec: EffectSpec, part: ExpressionPart, evaluate: Evaluate) -> str:
    value = part.value(evaluate)
    name = _name(value)
    if name is None:
        message = f"'{part.text}' is {describe(value)}: a fact is about things"
        if value is None:
            unknown = _with_names(part.text, evaluate)
            message = f"{unknown} is not known, so '{spec.fact}({part.text})' has no argument"
        raise EffectError(message, part.offset, len(part.text))
    return name


def _name(value: object) -> str | None:
    return value if isinstance(value, str) else name_of(value)


def _with_names(text: str, evaluate: Evaluate) -> str:
    """A fact's call with the names of its things; any other expression unchanged."""
    try:
        call = parse_effect(text).call
        return f"{call.name}({', '.join(_name(evaluate(arg)) or arg for arg in call.args)})"
    except (LocatedError, EvaluationProblem):
        return text


def _tree(text: str) -> nodes.Node:
    return Expression.parse(text).ast[0]


def _plain_call(node: nodes.Node) -> bool:
    """Say whether this is a call of a name, with positional arguments alone."""
    return (
        isinstance(node, nodes.Call)
        and isinstance(node.node, nodes.Name)
        and not (node.kwargs or node.dyn_args or node.dyn_kwargs)
    )


def _no_effect(text: str, tree: nodes.Node) -> EffectError:
    help = _FORMS
    if isinstance(tree, nodes.And):
        help = "write every effect as an item of its own"
    elif isinstance(tree, nodes.Or):
        help = "an effect is certain: it cannot be one of two"
    elif isinstance(tree, nodes.Name):
        help = f"write {tree.name}(…), or not {tree.name}(…)"
    elif isinstance(tree, nodes.Not) and isinstance(tree.node, nodes.Compare):
        help = "for a fact without a value any more write == none"
    return EffectError("this expression is not an effect", *_whole(text), help=help)


def _whole(text: str) -> tuple[int, int]:
    stripped = text.strip()
    return text.find(stripped), max(1, len(stripped))


def _call(text: str, call: nodes.Call) -> tuple[CallSpec, int]:
    """Return a call with its arguments' texts, and the offset behind it.

    Jinja's tree has start positions only, so the text, which is known to be valid, is searched for
    commas and brackets.
    """
    assert isinstance(call.node, nodes.Name)
    opening = text.index("(", call.node.lineno)
    parts: list[ExpressionPart] = []
    depth, begin = 0, opening + 1
    for match in _PART.finditer(text, opening):
        token, at = match[0], match.start()
        if token in "([{":
            depth += 1
        elif token in ")]}":
            depth -= 1
        closes = depth == 0
        if closes or (token == "," and depth == 1):
            if text[begin:at].strip():  # nothing stands behind a last comma
                parts.append(_part(text, begin, at))
            begin = at + 1
        if closes:
            break
    return CallSpec(call.node.name, tuple(parts), call.node.lineno), begin


def _part(text: str, begin: int, end: int) -> ExpressionPart:
    part = text[begin:end]
    return ExpressionPart(part.strip(), begin + len(part) - len(part.lstrip()))
