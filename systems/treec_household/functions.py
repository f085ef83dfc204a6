"""Functions of expressions about a household; each takes the team as its first argument.

They read the facts that the robot knows, and nothing else.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from typing import Any

from treec_household.actions import CONTROLS

Team = Any
"""The engine's team, which treec does not export: here only its facts and its scene are read."""


def thing_of(
    team: Team,
    kind: object,
    taken: object = (),
    landmark: object = None,
    whole: object = None,
    name: object = None,
    attributes: object = None,
    skills: object = (),
) -> str | None:
    """A thing of a class, or the one that is named.

    Of several: a piece of ``whole``, if that is given; one that is not `taken`; one at a landmark
    of that class; one known to be clean, if ``attributes`` say so, or toasted (not yet toasted, if
    one of the program's ``skills`` makes it so); in the hand, in reach, known; the scene's first.
    None if there is none, and for a piece that has not been cut. A sink is its basin, where it has
    no name.
    """
    if name is not None:
        return str(name)
    facts = HouseholdFacts(team)
    called = str(kind)
    of = [thing for thing in facts.of_class(called) if not _is_uncut(facts, thing)]
    of = of or [thing for other in same_class(called) for thing in facts.of_class(other)]
    if whole is not None:
        of = [thing for thing in of if facts.get("cut_from", thing) == str(whole)]
    of = [thing for thing in of if not facts.get("sliced", thing)] or of
    if whole is not None:
        of = [thing for thing in of if thing not in _names(taken)]
    near = None if landmark is None else str(landmark)
    wanted = [str(one) for one in attributes] if isinstance(attributes, Collection) else []
    cooks = isinstance(skills, Collection) and not _COOKING.isdisjoint(skills)
    states = [one for one in wanted if one == "clean" or not cooks]
    makes = [one for one in wanted if one != "clean" and cooks and whole is None]

    def rank(thing: str) -> tuple[bool, ...]:
        at = facts.chain(thing)
        return (
            thing in _names(taken),
            whole is not None and _is_used(facts, thing),
            near is not None and near not in at and near not in map(facts.kind, at),
            any(not check_attribute(team, thing, state, True) for state in states),
            any(check_attribute(team, thing, state, True) for state in makes),
            facts.get("at", thing) not in facts.robots,
            not facts.get("in_reach", thing),
            not facts.get("located", thing),
        )

    return min(of, key=rank, default=None)


_BASINS = {"Sink": "SinkBasin", "Bathtub": "BathtubBasin"}
_COOKING = frozenset(("cook", "toast", "toggle_on"))
"""Skills by which a program makes things cooked itself."""


def same_class(kind: str) -> list[str]:
    """What else a class is called, where a scene has only that: a sink is its basin."""
    return [b if kind == a else a for a, b in _BASINS.items() if kind in (a, b)]


def on_it(team: Team, thing: object) -> str | None:
    """The first thing that is on or in a thing; None if nothing is."""
    facts = HouseholdFacts(team)
    return next((o for o in facts.things if facts.get("at", o) == str(thing)), None)


def one_inside(team: Team, thing: object, fact: object) -> str | None:
    """The first thing on or in a thing, at whatever depth, of which a fact holds; None if none."""
    facts = HouseholdFacts(team)
    name = str(thing)
    return next(
        (
            o
            for o in facts.things
            if o != name and facts.get(str(fact), o) and name in facts.chain(o)
        ),
        None,
    )


def in_a_sink(team: Team, thing: object) -> bool:
    """Whether a thing stands in a basin, or on something that does."""
    facts = HouseholdFacts(team)
    return any(facts.get("drains", holder) for holder in facts.chain(str(thing))[1:])


def exposed_to(team: Team, switch: object) -> str | None:
    """What stands on a burner that a switch turns on, and is no cookware; None if nothing is."""
    facts = HouseholdFacts(team)
    burners = [b for b in turned_by(facts, str(switch)) if facts.get("heats", b) == "flame"]
    return next(
        (o for o in facts.things if facts.get("at", o) in burners and not facts.get("cookware", o)),
        None,
    )


def burnt_by(team: Team, skill: object, args: object) -> str | None:
    """What would be heated by a skill with these arguments and does not stand it; else None.

    A toaster takes slices of bread; a microwave, and a burner's pot or pan, food and dishes. Metal
    in a microwave, and what stands on a burner itself, are other rules'.
    """
    given = args if isinstance(args, Mapping) else {}
    facts = HouseholdFacts(team)
    if str(skill) == "place":
        chain = facts.chain(str(given.get("target")))
        heaters = [one for one in chain if facts.get("heats", one)]
        there = {str(given.get("item"))}
    else:
        switched = turned_by(facts, str(given.get("thing")))
        heaters, there = [one for one in switched if facts.get("heats", one)], set(switched)
    moved = [one for one in facts.things if there.intersection(facts.chain(one))]
    for heater in heaters[:1]:
        way = facts.get("heats", heater)
        for one in moved:
            if one not in heaters and not _stands_heat(facts, one, str(way)):
                return one
    return None


def _stands_heat(facts: HouseholdFacts, thing: str, way: str) -> bool:
    if (facts.get("bursts", thing) and way == "oven") or facts.get("melts", thing):
        return False
    if facts.get("metal", thing):
        return True  # as far as heat goes
    if way == "toaster":
        return bool(facts.get("toasts", thing))
    is_dish = facts.get("washes", thing) and (facts.get("room", thing) or facts.get("fills", thing))
    return bool(is_dish or facts.get("food", thing) or facts.get("cookware", thing))


def ignited(team: Team, skill: object, args: object) -> str | None:
    """What a candle would set on fire by a skill with these arguments, or is shut in; else None."""
    given = args if isinstance(args, Mapping) else {}
    facts = HouseholdFacts(team)
    thing = str(given.get("item" if str(skill) == "place" else "thing"))
    if str(skill) == "toggle_on":
        is_lit, around = bool(facts.get("ignites", thing)), facts.chain(thing)[1:]
    else:
        lit = (one for one in facts.things if facts.get("ignites", one))
        is_lit = any(facts.get("running", one) and thing in facts.chain(one) for one in lit)
        around = facts.chain(str(given.get("target"))) if str(skill) == "place" else [thing]
    burning = (one for one in around if facts.get("burns", one) or facts.get("encloses", one))
    return next(burning, None) if is_lit else None


def wetted(team: Team, skill: object, args: object) -> str | None:
    """What runs on electricity and would get wet by a skill with these arguments; else None."""
    given = args if isinstance(args, Mapping) else {}
    item, target, switch = (given.get(name) for name in ("item", "target", "thing"))
    facts = HouseholdFacts(team)

    def electric(thing: object) -> str | None:
        return str(thing) if thing is not None and facts.get("electric", str(thing)) else None

    if str(skill) == "toggle_on":
        basins = [b for b in turned_by(facts, str(switch)) if facts.get("drains", b)]
        return next(filter(None, (one_inside(team, basin, "electric") for basin in basins)), None)
    if str(skill) == "pour":
        return electric(target) or one_inside(team, target, "electric")
    is_wet = facts.get("filled", str(target)) or any(
        facts.get("drains", holder) for holder in facts.chain(str(target))
    )
    if is_wet:
        return electric(item) or one_inside(team, item, "electric")
    is_dry = facts.get("encloses", str(target)) or facts.get("brews", str(target))
    return electric(target) if facts.get("filled", str(item)) and not is_dry else None


def turned_by(facts: HouseholdFacts, switch: str) -> list[str]:
    """What a switch turns on: what it controls, all of its kind if that is not said, or itself."""
    controlled = facts.get("controls", switch)
    if controlled is not None:
        return [str(controlled)]
    kinds = CONTROLS.get(facts.kind(switch))
    return [switch] if kinds is None else [o for o in facts.things if facts.kind(o) in kinds]


def living_among(team: Team, args: object) -> str | None:
    """The person or the pet among the arguments of a skill, or on one of them; None without one."""
    view = team.knowledge.view
    facts = HouseholdFacts(team)
    pets = {pet: facts.chain(pet) for pet in facts.of_class("Pet")}
    for name, value in args.items() if isinstance(args, Mapping) else ():
        agent = None if name == "agent" or value is None else team.agent(value)
        pet = next((pet for pet, chain in pets.items() if str(value) in chain), None)
        if pet is not None:
            return pet
        if agent is not None and agent.name not in view.robots:
            return str(agent.name)
    return None


def pet_at(team: Team, thing: object) -> str | None:
    """The pet that is on or in a thing, or what it turns on; None without one."""
    facts = HouseholdFacts(team)
    there = {str(thing), *turned_by(facts, str(thing))}
    pets = facts.of_class("Pet")
    return next((pet for pet in pets if there.intersection(facts.chain(pet))), None)


def spare(team: Team, thing: object) -> str | None:
    """What may be moved off a full thing: one that no step of this request has moved.

    What is ready in a machine, cooked or full of coffee, may be taken out of it; nothing is moved
    out of a fridge. None if there is nothing.
    """
    facts = HouseholdFacts(team)
    if facts.kind(str(thing)) == "Fridge":
        return None
    begun = max((facts.since("begun", robot) for robot in facts.robots), default=0.0)
    there = [o for o in facts.things if facts.get("at", o) == str(thing)]
    ready = "cooked" if facts.get("heats", str(thing)) else "filled"
    is_machine = facts.get("heats", str(thing)) or facts.get("brews", str(thing))
    done = [o for o in there if is_machine and facts.get(ready, o)]
    return next((o for o in there if facts.since("at", o) <= begun or o in done), None)


def room_in(team: Team, thing: object) -> float:
    """How many more things find room in or on a thing."""
    facts = HouseholdFacts(team)
    holds = facts.get("room", str(thing))
    there = sum(facts.get("at", other) == str(thing) for other in facts.things)
    return (float(holds) if isinstance(holds, int | float) else 0.0) - there


def heater(team: Team, item: object) -> str | None:
    """What cooks a thing here: the toaster for bread, else a microwave, else a burner."""
    facts = HouseholdFacts(team)
    if facts.get("toasts", str(item)):
        return thing_of(team, "Toaster")
    at = facts.chain(str(item))
    on = next((thing for thing in at[1:] if facts.get("heats", thing)), None)
    return on or thing_of(team, "Microwave") or thing_of(team, "StoveBurner")


def switch_of(team: Team, thing: object) -> str | None:
    """What turns a thing on: the knob of a burner, the tap of a basin, else the thing itself."""
    if thing is None:
        return None
    facts = HouseholdFacts(team)
    for other in facts.things:
        if facts.get("controls", other) == str(thing):
            return other
    by_class = {"StoveBurner": "StoveKnob", "SinkBasin": "Faucet"}
    kind = by_class.get(facts.kind(str(thing)))
    return (thing_of(team, kind) if kind else None) or str(thing)


def check_attribute(team: Team, thing: object, attribute: object, value: object) -> bool:
    """Whether an attribute of a thing, as TEACh names it, has a value.

    Of what has not been found, and is not cut up, nothing holds: not that it is clean or shut.
    """
    facts, name = HouseholdFacts(team), str(thing)
    if not facts.get("located", name) and not facts.get("sliced", name):
        return False
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


class HouseholdFacts:
    """The facts of one moment."""

    def __init__(self, team: Team) -> None:
        self._facts = team.world.facts
        self._view = team.knowledge.view
        self.things: Collection[str] = self._view.objects
        self.robots = self._view.robots

    def get(self, fact: str, thing: str) -> object:
        """The value of a fact of a thing; None if it is not known."""
        value = self._facts.get(fact, (thing,))
        return None if value is None or value.source == "unknown" else value.value

    def since(self, fact: str, thing: str) -> float:
        """When a fact was set; 0 if it never was."""
        value = self._facts.get(fact, (thing,))
        return 0.0 if value is None else float(value.since)

    def kind(self, thing: str) -> str:
        """The type of a thing; empty if there is no such thing."""
        spec = self._view.objects.get(thing)
        return "" if spec is None else spec.type

    def place(self, thing: str) -> tuple[float, float] | None:
        """Where a thing stands on the floor plan (m), as its scene says; else None."""
        spec = self._view.objects.get(thing)
        return None if spec is None or spec.pose is None else (spec.pose[0], spec.pose[1])

    def of_class(self, kind: str) -> Iterator[str]:
        """The things of a type, and of those that are one."""
        types = self._view.types
        return (t for t, spec in self._view.objects.items() if types.is_a(spec.type, kind))

    def chain(self, thing: str) -> list[str]:
        """A thing, what it stands on or in, what that does, and so on."""
        path = [thing]
        while (at := self.get("at", path[-1])) is not None and at not in path:
            path.append(str(at))
        return path


def _is_used(facts: HouseholdFacts, thing: str) -> bool:
    """Whether something was done with a piece already: a second slice is another one."""
    on = facts.get("at", thing)
    return bool(facts.get("cooked", thing)) or (on is not None and bool(facts.get("at", str(on))))


def _is_uncut(facts: HouseholdFacts, thing: str) -> bool:
    return facts.get("cut_from", thing) is not None and facts.get("at", thing) is None


def _names(taken: object) -> tuple[str, ...]:
    return tuple(map(str, taken)) if isinstance(taken, list | tuple) else ()
