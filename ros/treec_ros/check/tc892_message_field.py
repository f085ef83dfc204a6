"""Field that a message of ROS 2 does not have, or value of another type.

The fields of `goal`, `request`, `message` and `stop` are those of the interface that `type` names,
at any depth. (Fields that `feedback`, `result` and `response` read are checked like those of any
expression: TC205.)

Wrong, where the goal of test_msgs/action/Fibonacci has the field `order`:

    runs:
      ros: {action: /fibonacci, type: test_msgs/action/Fibonacci, goal: {ordr: 5}}

Right:

    runs:
      ros: {action: /fibonacci, type: test_msgs/action/Fibonacci, goal: {order: 5}}
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from treec.check.base import FieldPlace, Loc
from treec.check.environments import environment
from treec.check.names import TypeEnvironment
from treec.check.type_checker import infer
from treec.files.types import ANY, BOOL, INTEGER, NUMBER, TEXT, ListOf, Named, Type, a, type_of
from treec.files.view import View
from treec.source.diagnostics import Diagnostic, suggestion
from treec.source.errors import LocatedError
from treec.source.expression import Expression
from treec.source.values import is_bound, is_computed
from treec_ros.bound import Bound, bound
from treec_ros.definitions import Interfaces, MessageField, Section
from treec_ros.files import RosSkill

CODE = "TC892"
PARTS = {"goal": "goal", "request": "request", "message": "message", "stop": "message"}


def check(view: View) -> Iterator[Diagnostic]:
    """Report unknown fields, and values of the wrong type."""
    definitions = Interfaces.of(view)
    for one in bound(view):
        for key, part in PARTS.items():
            section = definitions.section(one.model.type, part)
            value = getattr(one.model, key, None)
            if section is not None and isinstance(one.model, RosSkill) and value:
                judge = _Judge(view, one, definitions, key)
                yield from judge.mapping(value, section, one.model.type, (key,))


class _Judge:
    def __init__(self, view: View, one: Bound, definitions: Interfaces, key: str) -> None:
        self.view, self.one, self.definitions, self.key = view, one, definitions, key

    def problem(
        self, loc: Loc, message: str, help: str | None = None, key: bool = False
    ) -> Diagnostic:
        span = self.one.entry.span(*self.one.loc, *loc, key=key)
        return Diagnostic(CODE, "error", span, message, help)

    def mapping(self, value: object, section: Section, of: str, loc: Loc) -> Iterator[Diagnostic]:
        """Judge the fields of a message of a type."""
        if is_bound(value):
            return
        if not isinstance(value, Mapping):
            yield self.problem(loc, f"'{loc[-1]}' is a message, {of}: write its fields")
            return
        for name, item in value.items():
            here = (*loc, name)
            field = section.get(name)
            if field is None or field.is_constant:
                known = [it.name for it in section.values() if not it.is_constant]
                message = f"unknown field '{name}' of {of}"
                yield self.problem(here, message, suggestion(str(name), known, "fields"), key=True)
            elif field.is_list and isinstance(item, list):
                for index, each in enumerate(item):
                    yield from self.value(each, field, (*here, index))
            elif field.is_list and not is_bound(item):
                yield self.problem(here, f"'{name}' is a list")
            else:
                yield from self.value(item, field, here, whole=field.is_list)

    def value(
        self, value: object, field: MessageField, loc: Loc, whole: bool = False
    ) -> Iterator[Diagnostic]:
        """Judge a value of a field, or of an item of its list."""
        inner = self.definitions.sections(field.type)
        if inner is not None and not is_bound(value):
            if value != "now" or field.type != "builtin_interfaces/msg/Time":
                yield from self.mapping(value, inner[0], field.type, loc)
            return
        kind = self.definitions.type_of(field)
        expected = kind if whole or not isinstance(kind, ListOf) else kind.item
        given = self._type(value, loc)
        if given is not None and not _fits(given, expected):
            yield self.problem(
                loc, f"'{field.name}' is {a(expected)} ({field.type}), not {a(given)}"
            )

    def _type(self, value: object, loc: Loc) -> Type | None:
        if not is_computed(value):
            return None if is_bound(value) else type_of(value)
        try:
            return infer(Expression.parse(str(value)[1:].lstrip()).ast[0], self._env(loc))
        except LocatedError:
            return None  # reported by TC201

    def _env(self, loc: Loc) -> TypeEnvironment:
        place = FieldPlace(
            self.one.entry, (*self.one.loc, *loc), "value", None, self.one.model, self.key
        )
        return environment(self.view, place)


def _fits(given: Type, expected: Type) -> bool:
    """Whether a value of a type may be given; doubt counts as yes."""
    if isinstance(given, ListOf) != isinstance(expected, ListOf):
        return not isinstance(given, Named) or given.name == "any" or str(expected) == "any"
    if isinstance(given, ListOf) and isinstance(expected, ListOf):
        return _fits(given.item, expected.item)
    if expected in (NUMBER, INTEGER):
        return not isinstance(given, Named) or given in (NUMBER, INTEGER, ANY)
    if expected == TEXT:
        return given not in (NUMBER, INTEGER, BOOL)
    return not (expected == BOOL and given in (NUMBER, INTEGER, TEXT))
