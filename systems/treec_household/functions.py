"""Functions of expressions about a household; each takes the team as its first argument.

They read the facts that the robot knows, and nothing else.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from typing import Any

Team = Any
"""The engine's team, which treec does not export: here only its facts and its scene are read."""


def thing_of(
    team: Team,
    kind: object,
    taken: object = (),
    landmark: object = None,
    whole: object = None,
    name: object = None,
) -> str | None:
    """A thing of a class, or the one that is named.

    Of several: a piece of ``whole``, if that is given; one that is not `taken`; one at a landmark
    of that class; in the hand, in reach, known; the scene's first. None if there is none, and for
    a piece that has not been cut.
    """
    if name is not None:
        return str(name)
    facts = _Facts(team)
    of = [thing for thing in facts.of_class(str(kind)) if not _is_uncut(facts, thing)]
    if whole is not None:
        of = [thing for thing in of if facts.get("cut_from", thing) == str(whole)]
    of = [thing for thing in of if not facts.get("sliced", thing)] or of
    if whole is not None:
        of = [thing for thing in of if thing not in _names(taken)]
    near = None if landmark is None else str(landmark)

    def rank(thing: str) -> tuple[bool, ...]:
        at = facts.chain(thing)
        return (
            thing in _names(taken),
            near is not None and near not in at and near not in map(facts.kind, at),
            facts.get("at", thing) not in facts.robots,
            not facts.get("in_reach", thing),
            not facts.get("located", thing),
        )

    return min(of, key=rank, default=None)


def on_it(team: Team, thing: object) -> str | None:
    """The first thing that is on or in a thing; None if nothing is."""
    facts = _Facts(team)
    return next((o for o in facts.things if facts.get("at", o) == str(thing)), None)


def room_in(team: Team, thing: object) -> float:
    """How many more things find room in or on a thing."""
    facts = _Facts(team)
    holds = facts.get("room", str(thing))
    there = sum(facts.get("at", other) == str(thing) for other in facts.things)
    return (float(holds) if isinstance(holds, int | float) else 0.0) - there


def heater(team: Team, item: object) -> str | None:
    """What cooks a thing here: the toaster for bread, else a microwave, else a burner."""
    facts = _Facts(team)
    if facts.get("toasts", str(item)):
        return thing_of(team, "Toaster")
    at = facts.chain(str(item))
    on = next((thing for thing in at[1:] if facts.get("heats", thing)), None)
    return on or thing_of(team, "Microwave") or thing_of(team, "StoveBurner")


def switch_of(team: Team, thing: object) -> str | None:
    """What turns a thing on: the knob of a burner, the tap of a basin, else the thing itself."""
    if thing is None:
        return None
    facts = _Facts(team)
    for other in facts.things:
        if facts.get("controls", other) == str(thing):
            return other
    by_class = {"StoveBurner": "StoveKnob", "SinkBasin": "Faucet"}
    kind = by_class.get(facts.kind(str(thing)))
    return (thing_of(team, kind) if kind else None) or str(thing)


def check_attribute(team: Team, thing: object, attribute: object, value: object) -> bool:
    """Whether an attribute of a thing, as TEACh names it, has a value, as far as is known."""
    facts, name = _Facts(team), str(thing)
    match str(attribute):
        case "supported_by" | "parentReceptacles":
            wanted = str(value)
            above = facts.chain(name)[1:]
            return wanted in above or wanted in map(facts.kind, above)
        case "fillLiquid":
            return facts.get("filled", name) == value
        case "filled":
            return bool(facts.get("filled", name)) == value
        case "holding":
            return (facts.get("at", name) in facts.robots) == value
        case "clean":
            return (not facts.get("dirty", name)) == value
    fact = {"open": "opened", "toggled": "running", "toasted": "cooked"}.get(
        str(attribute), str(attribute)
    )
    return bool(facts.get(fact, name)) == value


class _Facts:
    """The facts of one moment."""

    def __init__(self, team: Team) -> None:
        self._facts = team.world.facts
        self._view = team.knowledge.view
        self.things: Collection[str] = self._view.objects
        self.robots = self._view.robots

    def get(self, fact: str, thing: str) -> object:
        value = self._facts.get(fact, (thing,))
        return None if value is None or value.source == "unknown" else value.value

    def kind(self, thing: str) -> str:
        spec = self._view.objects.get(thing)
        return "" if spec is None else spec.type

    def of_class(self, kind: str) -> Iterator[str]:
        types = self._view.types
        return (t for t, spec in self._view.objects.items() if types.is_a(spec.type, kind))

    def chain(self, thing: str) -> list[str]:
        path = [thing]
        while (at := self.get("at", path[-1])) is not None and at not in path:
            path.append(str(at))
        return path


def _is_uncut(facts: _Facts, thing: str) -> bool:
    return facts.get("cut_from", thing) is not None and facts.get("at", thing) is None


def _names(taken: object) -> tuple[str, ...]:
    return tuple(map(str, taken)) if isinstance(taken, list | tuple) else ()
