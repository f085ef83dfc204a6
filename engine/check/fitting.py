"""Whether a value or a type fits where another type is asked for, as far as files can tell."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from weakref import WeakKeyDictionary

from treec.check.broken import known_but_broken
from treec.check.compare import can_be_equal
from treec.check.fields import options, without_none
from treec.check.finding import a
from treec.check.names import Environment, world
from treec.files.types import PLAIN, ListOf, Named, OneOf, Type
from treec.files.view import View
from treec.source.diagnostics import did_you_mean

_MADE_WHILE_RUNNING = ("Subtask", "Proposal", "Act", "Utterance")
SHOWN = 6
"""How many names a help line lists."""
LONGEST_CIRCLE = 10

_broken: WeakKeyDictionary[View, frozenset[tuple[str, str]]] = WeakKeyDictionary()


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


def circle_in_words(names: Sequence[str], between: str) -> str:
    """A circle, its first name at both ends: 'a' needs 'b' needs 'a'; the middle of a long one."""
    shown = [f"'{name}'" for name in names]
    if len(shown) > LONGEST_CIRCLE:
        shown = [*shown[: LONGEST_CIRCLE // 2], "…", *shown[-2:]]
    return f" {between} ".join(shown)


def suggestion(name: str, known: Iterable[str], what: str) -> str:
    """The nearest known name, or which names there are."""
    names = tuple(known)
    near = _nearest(name, names)
    return f"did you mean '{near}'?" if near else f"{what}: {listed(names)}"


@lru_cache(maxsize=256)
def _nearest(name: str, names: tuple[str, ...]) -> str | None:
    """Kept, since one missing file can be missed in a thousand places."""
    return did_you_mean(name, names)


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
    if any(_fits(view, option, value) for option in options(kind)):
        return None
    kind = without_none(kind)
    names = [option for option in options(kind) if isinstance(option, Named)]
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
    return Misfit(f"{_described(value)} is not {a(kind)}", _example(kind))


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
        return value in known or (kind_of_file, value) in broken(view)
    own = view.thing_type(value)
    if own is not None:
        return view.types.is_a(own, name) or not view.types.known(own)
    return not world(view).things_whole


def broken(view: View) -> frozenset[tuple[str, str]]:
    """(kind, name) of what files declare that could not be read; looked for once for each view."""
    found = _broken.get(view)
    if found is None:
        found = _broken[view] = frozenset(known_but_broken(view.library))
    return found


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
        case Named("number" | "integer"):
            return "write a number"
        case ListOf():
            return "write a list: [a, b]"
    return None
