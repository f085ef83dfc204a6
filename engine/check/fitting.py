"""Whether a value or a type fits where another type is asked for, as far as files can tell."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from engine.check.broken import known_but_broken
from engine.check.compare import can_be_equal
from engine.check.fields import without_none
from engine.check.finding import a
from engine.check.names import Environment
from engine.files.types import PLAIN, ListOf, Named, OneOf, Type
from engine.files.view import View
from engine.source.diagnostics import did_you_mean

_MADE_WHILE_RUNNING = ("Subtask", "Proposal", "Act", "Utterance")
SHOWN = 6
"""How many names a help line lists."""


@dataclass(frozen=True, slots=True)
class Misfit:
    """Why a value does not fit, and what would."""

    message: str
    help: str | None = None


def listed(names: Iterable[str], empty: str = "there are none") -> str:
    """Names for a help line, the first few of them."""
    found = list(names)
    if not found:
        return empty
    shown = ", ".join(found[:SHOWN])
    return f"{shown}, …" if len(found) > SHOWN else shown


def suggestion(name: str, known: Iterable[str], what: str) -> str:
    """The nearest known name, or which names there are."""
    names = list(known)
    near = did_you_mean(name, names)
    return f"did you mean '{near}'?" if near else f"{what}: {listed(names)}"


def things_of(view: View, kind: Type) -> list[str]:
    """Objects and agents whose type fits."""
    things = {name: spec.type for name, spec in view.objects.items()}
    things.update({name: spec.is_ for name, spec in view.agents.items()})
    return [name for name, own in things.items() if view.types.fits(Named(own), kind)]


def could_be(env: Environment, given: Type, wanted: Type) -> bool:
    """Whether an argument of one type can be of another: false only where that is certain.

    A text may be the name of a thing; what may be none is judged by what else it may be.
    """
    return can_be_equal(env, without_none(given), without_none(wanted))


def misfit(view: View, kind: Type, value: object) -> Misfit | None:
    """Why plain data cannot stand for a value of a type; None where it can, or nobody can tell."""
    options = kind.options if isinstance(kind, OneOf) else (kind,)
    if any(_fits(view, option, value) for option in options):
        return None
    names = [option for option in options if isinstance(option, Named)]
    if isinstance(value, str) and any(_is_thing(option.name) for option in names):
        own = view.thing_type(value)
        if own is not None:
            return Misfit(f"'{value}' is {a(Named(own))}, and {a(kind)} is asked for here")
        known = things_of(view, kind)
        return Misfit(f"'{value}' is no {kind} of the scene", suggestion(value, known, "there are"))
    if isinstance(value, str) and names == [Named("Task")]:
        return Misfit(f"there is no task '{value}'", suggestion(value, view.all("task"), "tasks"))
    if isinstance(value, str) and names == [Named("Recipe")]:
        help = suggestion(value, view.all("recipe"), "recipes")
        return Misfit(f"there is no recipe '{value}'", help)
    return Misfit(f"{_described(value)} is no {kind}", _example(kind))


def _fits(view: View, kind: Type, value: object) -> bool:
    if isinstance(kind, ListOf):
        return isinstance(value, list) and all(
            misfit(view, kind.item, item) is None for item in value
        )
    if isinstance(kind, OneOf):
        return misfit(view, kind, value) is None
    name = kind.name
    match name:
        case "any":
            return True
        case "none":
            return value is None
        case "text":
            return isinstance(value, str)
        case "bool":
            return isinstance(value, bool)
        case "integer":
            return isinstance(value, int) and not isinstance(value, bool)
        case "number":
            return isinstance(value, int | float) and not isinstance(value, bool)
        case "mapping":
            return isinstance(value, dict)
    if not view.types.known(name):
        return True
    if not isinstance(value, str):
        return False
    if name in _MADE_WHILE_RUNNING or value.startswith("$"):
        return True
    if name in ("Task", "Recipe"):
        kind_of_file = name.lower()
        known = view.all(kind_of_file)
        return value in known or (kind_of_file, value) in known_but_broken(view.library)
    own = view.thing_type(value)
    if own is not None:
        return view.types.is_a(own, name) or not view.types.known(own)
    return not things_are_known(view)


def things_are_known(view: View) -> bool:
    """Whether a name that is no object and no agent of the view is certainly none."""
    broken = known_but_broken(view.library)
    return bool(view.scenes) and not any(kind in ("scene", "agent") for kind, _ in broken)


def _is_thing(name: str) -> bool:
    return name not in (*PLAIN, *_MADE_WHILE_RUNNING, "Task", "Recipe", "none")


def _described(value: object) -> str:
    if value is None:
        return "none"
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, list):
        return "a list"
    if isinstance(value, dict):
        return "a mapping"
    return f"'{value}'"


def _example(kind: Type) -> str | None:
    match kind:
        case Named("bool"):
            return "write true or false"
        case Named("number" | "integer"):
            return "write a number"
        case ListOf():
            return "write a list: [a, b]"
    return None
