"""Type-checks comparisons: types that are never equal, texts that are not names."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable

from jinja2 import nodes

from treec.check.fields import RECIPE_NAME, SKILL_NAME, TASK_NAME
from treec.check.finding import Finding
from treec.check.names import TypeEnvironment
from treec.check.unreadable import unreadable_names
from treec.files.types import ANY, BOOL, TEXT, ListOf, Named, Type, a, options, without_none
from treec.source.diagnostics import did_you_mean, suggestion
from treec.source.errors import suggest
from treec.source.grammar import offset

_EQUAL = frozenset({"eq", "ne"})
_LIBRARY = {"Task": "task", "Recipe": "recipe", SKILL_NAME.name: "skill"}
_LIBRARY |= {TASK_NAME.name: "task", RECIPE_NAME.name: "recipe"}
"""Kinds of files, by the type whose values they define."""
_FEW = 8
"""At most so many names are listed in a help."""


class Walk(ABC):
    """Walks one text in an environment and collects findings."""

    def __init__(self, env: TypeEnvironment, length: Callable[[int], int] = lambda at: 1) -> None:
        """``length`` gives the length of the token at an offset."""
        self.env = env
        self.length = length
        self.found: list[Finding] = []

    def note(
        self, code: str, at: int, message: str, help: str | None = None, length: int = 0
    ) -> None:
        """Add a finding."""
        self.found.append(Finding(code, at, length or self.length(at), message, help))

    @abstractmethod
    def expression(self, node: nodes.Node) -> Type:
        """Return the type of an expression, ``any`` if unknown."""


class Comparisons(Walk):
    """The part of the type checker for comparisons."""

    def compare(self, node: nodes.Compare) -> Type:
        """Note each comparison whose sides can never be equal, or have no order."""
        left = node.expr
        for operand in node.ops:
            self._pair(left, operand.op, operand.expr)
            left = operand.expr
        return BOOL

    def _pair(self, left: nodes.Node, operation: str, right: nodes.Node) -> None:
        if operation in ("in", "notin"):
            self._check_membership(left, right)
            return
        one, other = self.operand(left, right), self.operand(right, left)
        if operation in _EQUAL:
            if self.constant(left, other) or self.constant(right, one):
                return
            if not self.env.types.can_be_equal(one, other):
                self.never(left, one, other, "equal to")
        elif not can_be_ordered(one, other):
            self.never(left, one, other, "more or less than")

    def _check_membership(self, left: nodes.Node, right: nodes.Node) -> None:
        one, other = self.expression(left), self.expression(right)
        if isinstance(right, nodes.List | nodes.Tuple):
            for item in right.items:
                self.constant(item, one)
        if not isinstance(other, ListOf):
            return
        if not self.constant(left, other.item) and not self.env.types.can_be_equal(one, other.item):
            self.never(left, one, other, "in")

    def operand(self, node: nodes.Node, other: nodes.Node) -> Type:
        """Return the type of one side; an unknown name compared with a fact's value is TC212."""
        if isinstance(node, nodes.Name) and isinstance(other, nodes.Call):
            fact = self.env.facts.get(getattr(other.node, "name", ""))
            if fact is not None and self.bare_thing(node, fact.gives):
                return ANY
        return self.expression(node)

    def bare_thing(self, node: nodes.Name, expected: Type) -> bool:
        """Whether an unquoted name should be a thing but is unknown, which is noted."""
        name, env = node.name, self.env
        if env.type_of(name) is not None or name in env.partly:
            return False
        if name in env.facts or name in env.functions:
            return False
        if not any(env.types.is_thing(option) for option in options(expected)):
            return False
        if env.things_whole:
            self.no_thing(name, expected, node.lineno)
        return True

    def no_thing(self, name: str, expected: Type, at: int) -> None:
        """Note that a name is not a thing of the scene."""
        env = self.env
        near = did_you_mean(name, (*env.things_of(expected), *env.local)) or did_you_mean(
            name.replace("_", " "), env.things
        )
        help = f"did you mean '{near}'?" if near else null_help(name)
        if help is None and (known := env.things_of(expected)) and len(known) <= _FEW:
            help = f"things: {', '.join(known)}"
        self.note("TC212", at, f"unknown thing '{name}'", help)

    def constant(self, node: nodes.Node, expected: Type) -> bool:
        """Check a quoted text against the type wanted there; True when nothing is left to check."""
        if not isinstance(node, nodes.Const) or not isinstance(node.value, str):
            return False
        value, at, env = node.value, offset(node), self.env
        expected = without_none(expected)
        kinds = [option for option in options(expected) if isinstance(option, Named)]
        names = [kind.name for kind in kinds]
        if not kinds or ANY in kinds or TEXT in kinds or not all(map(env.types.has, names)):
            return False
        choices = [env.choices(name) for name in names]
        if None not in choices:
            return self._choice(value, [c for words in choices for c in words or ()], expected, at)
        if len(names) == 1 and names[0] in _LIBRARY:
            return self._file(value, _LIBRARY[names[0]], at)
        if not all(map(env.types.is_thing, kinds)) or not env.things_whole:
            return False
        own = env.things.get(value)
        if own is None:
            self.no_thing(value, expected, at)
        elif not env.types.can_be_equal(own, expected):
            self.note("TC213", at, f"'{value}' is {a(own)}, not {a(expected)}")
        return True

    def _choice(self, value: str, known: list[str], expected: Type, at: int) -> bool:
        if value not in known:
            help = suggestion(value, known, "expected one of")
            self.note("TC213", at, f"'{value}' is never {a(expected)}", help)
        return True

    def _file(self, value: str, kind: str, at: int) -> bool:
        view, known = self.env.view, self.env.view.all(kind)
        unread = (kind, value) in unreadable_names(view.library)
        if view.find(kind, value) is None and not unread:
            self.note("TC213", at, f"unknown {kind} '{value}'", suggest(value, known))
        return True

    def never(self, node: nodes.Node, one: Type, other: Type, how: str) -> None:
        """Note a comparison that can never hold."""
        counted = isinstance(one, ListOf) and str(other) in ("integer", "number")
        help = "for the number of items write … | length" if counted else None
        self.note("TC213", offset(node), f"{a(one)} is never {how} {a(other)}", help)


def null_help(name: str) -> str | None:
    """Help for the names that other languages have for `none`."""
    return "write 'none'" if name.lower() in ("null", "nil") else None


def can_be_ordered(one: Type, other: Type) -> bool:
    """Whether values of two types can be compared by ``<``: numbers, or texts."""
    return any(_has_order(first, second) for first in options(one) for second in options(other))


def _has_order(one: Type, other: Type) -> bool:
    if ANY in (one, other):
        return True
    numbers = {"number", "integer"}
    if not isinstance(one, Named) or not isinstance(other, Named):
        return False
    if one.name in numbers or other.name in numbers:
        return one.name in numbers and other.name in numbers
    return not {one.name, other.name} & {"none", "bool", "mapping", "Acts"}
