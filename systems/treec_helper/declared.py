"""What a program says will be so, as goal conditions: the declared effects of its steps.

They are found before it runs, by its rehearsal; so are the `attributes` that it gives its things
("toasted") and what it states at its end (`change_state`), which are a model's own conditions.
"""

from __future__ import annotations

from collections.abc import Iterator

from treec.files.view import View
from treec.program.steps import Literal, NameRef
from treec_helper.goals import GoalFact, GoalThing, RequestGoal
from treec_helper.rehearsal import Symbol, outcome
from treec_household.functions import same_class
from treec_program.api import Api
from treec_program.statements import Assign, Do, Items, Program, ProgramCall

_JUDGED = frozenset(("at", "cooked", "boiled", "sliced", "dirty", "filled", "opened", "running"))
"""Facts that are goals; being in reach or known is none."""
_ATTRIBUTES = {
    "toasted": ("cooked", True),
    "cooked": ("cooked", True),
    "boiled": ("boiled", True),
    "clean": ("dirty", False),
    "sliced": ("sliced", True),
}
_STATED = {**_ATTRIBUTES, "dirty": ("dirty", True), "open": ("opened", True)}
_STATED["toggled"] = ("running", True)


def declared(program: Program, api: Api, view: View) -> RequestGoal:
    """The goal conditions of a program that passed its check."""
    things: dict[str, GoalThing] = {}
    conditions: dict[GoalFact, None] = {}

    def name_of(symbol: Symbol) -> str:
        if symbol.name not in things:
            is_scene = symbol.name in view.objects
            pieces = {s.pieces.type for s in view.type_specs.values() if s.pieces is not None}
            kinds = tuple(k for k in view.types.names if view.types.is_a(k, symbol.kind))
            kinds += tuple(same_class(symbol.kind))
            new = symbol.whole is not None and symbol.kind in pieces
            things[symbol.name] = GoalThing(kinds, symbol.name if is_scene else "", new)
        return symbol.name

    found = outcome(program, api, view)
    cut = {symbol.name for fact, symbol, value in found if fact == "sliced" and value}
    for fact, symbol, value in found:
        if fact == "at" and symbol.name in cut:
            continue  # its pieces may be anywhere
        if fact not in _JUDGED or value is None or view.types.is_a(symbol.kind, "Agent"):
            continue
        if fact == "at":
            if not isinstance(value, Symbol) or view.types.is_a(value.kind, "Agent"):
                continue
            conditions[GoalFact(fact, name_of(symbol), name_of(value))] = None
        elif fact != "filled" or value:
            conditions[GoalFact(fact, name_of(symbol), value)] = None
    for name, fact, value in _stated(program, api):
        if name in things:
            conditions[GoalFact(fact, name, value)] = None
    return RequestGoal(things, tuple(conditions))


def _stated(program: Program, api: Api) -> Iterator[tuple[str, str, object]]:
    """What is said of things: `attributes` of constructors, assertions at the end."""
    for statement in program:
        if isinstance(statement, Assign) and isinstance(statement.value, ProgramCall):
            for keyword in statement.value.kwargs:
                if keyword.name == "attributes" and isinstance(keyword.value, Items):
                    for item in keyword.value.items:
                        if isinstance(item, Literal) and item.value in _ATTRIBUTES:
                            yield (statement.name, *_ATTRIBUTES[str(item.value)])
    for statement in reversed(program):
        if not isinstance(statement, Do) or statement.call.name not in api.asserts:
            return
        on, args = statement.call.on, statement.call.args
        if isinstance(on, NameRef) and len(args) == 2:
            attribute, value = args
            if isinstance(attribute, Literal) and isinstance(value, Literal):
                found = _STATED.get(str(attribute.value))
                if found is not None and isinstance(value.value, bool):
                    fact, wanted = found
                    yield on.name, fact, wanted if value.value else not wanted
