"""What harm a skill would do, by what things and liquids are; each function takes the team first.

What liquids do stands in `liquids.yaml`.
"""

from __future__ import annotations

import math
import re
from collections.abc import Mapping
from functools import cache
from pathlib import Path

import yaml

from treec_household.functions import HouseholdFacts, Team, turned_by

_BESIDE = 0.6
"""Metres within which a flame reaches what hangs."""


@cache
def _liquids() -> Mapping[str, frozenset[str]]:
    text = (Path(__file__).parent / "liquids.yaml").read_text("utf-8")
    return {what: frozenset(words) for what, words in yaml.safe_load(text).items()}


def liquid_is(team: Team, thing: object, what: object) -> bool:
    """Whether the liquid in a thing does something: burns, spatters, poison."""
    liquid = HouseholdFacts(team).get("filled", str(thing)) if thing is not None else None
    words = re.findall(r"[a-z]+", str(liquid or "").lower())
    return not _liquids()[str(what)].isdisjoint(words)


def under(team: Team, thing: object, fact: object) -> str | None:
    """The first of a thing and what it stands on or in of which a fact holds; None if none."""
    facts = HouseholdFacts(team)
    chain = [] if thing is None else facts.chain(str(thing))
    return next((one for one in chain if facts.get(str(fact), one)), None)


def tainted(team: Team, skill: object, args: object) -> str | None:
    """What would get to what is eaten or drunk by a skill with these arguments; else None.

    A fixture's things lie beside each other; those of a dish, and of a fridge, touch.
    """
    given = args if isinstance(args, Mapping) else {}
    facts = HouseholdFacts(team)
    item, target = str(given.get("item")), str(given.get("target"))
    if str(skill) == "pour":
        if facts.get("drains", target):
            poison = facts.get("filled", item) if liquid_is(team, item, "poison") else None
            is_food = any(facts.get("food", o) and target in facts.chain(o) for o in facts.things)
            return str(poison) if poison and is_food else None
        mixed = item if liquid_is(team, item, "poison") else target
        return str(facts.get("filled", mixed)) if liquid_is(team, mixed, "poison") else None
    if facts.get("brews", target) and facts.get("taints", item):
        return item
    if target not in facts.of_class("Item") and facts.kind(target) != "Fridge":
        return None
    moved = [one for one in facts.things if item in facts.chain(one)]
    there = [one for one in facts.things if target in facts.chain(one) and one not in moved]
    for own, others in ((moved, there), (there, moved)):
        foul = next((one for one in own if facts.get("taints", one)), None)
        if foul is None:
            foul_in = next((one for one in own if liquid_is(team, one, "poison")), None)
            foul = None if foul_in is None else str(facts.get("filled", foul_in))
        if foul is not None and any(
            facts.get("food", one) or facts.get("filled", one) not in (None, "", "water")
            for one in others
            if not liquid_is(team, one, "poison")
        ):
            return foul
    return None


def flared(team: Team, skill: object, args: object) -> str | None:
    """The liquid that would catch fire or spatter by a skill with these arguments; else None."""
    given = args if isinstance(args, Mapping) else {}
    facts = HouseholdFacts(team)
    item, target, thing = (str(given.get(name)) for name in ("item", "target", "thing"))
    if str(skill) == "pour":
        at_heat = any(facts.get("heats", one) for one in facts.chain(target))
        at_flame = at_heat or any(
            facts.get("ignites", one) and facts.get("running", one) and target in facts.chain(one)
            for one in facts.things
        )
        if at_flame and liquid_is(team, item, "burns"):
            return str(facts.get("filled", item))
        hot = at_heat and liquid_is(team, target, "spatters")
        return None if not hot or liquid_is(team, item, "spatters") else _in(facts, target)
    switched = turned_by(facts, thing)
    if str(skill) == "place":
        heat = [one for one in facts.chain(target) if facts.get("heats", one)]
        lit = any(facts.get("running", one) for one in heat)
        moved = {item}
        if any(
            facts.get("ignites", one) and facts.get("running", one) and item in facts.chain(one)
            for one in facts.things
        ):
            moved, lit = moved | {target}, True
    else:
        lit = any(facts.get("heats", one) or facts.get("ignites", one) for one in switched)
        moved = set(switched)
        if facts.get("ignites", thing):
            moved |= {one for one in facts.chain(thing)[1:] if one in facts.of_class("Item")}
    if not lit:
        return None
    near = [one for one in facts.things if moved.intersection(facts.chain(one))]
    vessel = next((one for one in near if liquid_is(team, one, "burns")), None)
    return None if vessel is None else _in(facts, vessel)


def alight(team: Team, thing: object) -> str | None:
    """The candle that burns on or in a thing, or that it is; None if none does."""
    facts = HouseholdFacts(team)
    lit = (o for o in facts.things if facts.get("ignites", o) and facts.get("running", o))
    return next((o for o in lit if thing is not None and str(thing) in facts.chain(o)), None)


def burnt_beside(team: Team, skill: object, args: object) -> str | None:
    """What a candle would set on fire from beside it after a skill with these arguments; else None.

    What hangs near it, and what burns and lies on the same dish.
    """
    given = args if isinstance(args, Mapping) else {}
    facts = HouseholdFacts(team)
    is_placed = str(skill) == "place"
    thing = str(given.get("item" if is_placed else "thing"))
    around = facts.chain(str(given.get("target"))) if is_placed else facts.chain(thing)[1:]
    dish = around[0] if around and around[0] in facts.of_class("Item") else None
    moved = [one for one in facts.things if thing in facts.chain(one)]
    there = [one for one in facts.things if dish is not None and dish in facts.chain(one)]

    def is_lit(one: str) -> bool:
        lights = not is_placed and one == thing
        return bool(facts.get("ignites", one) and (lights or facts.get("running", one)))

    if not any(map(is_lit, moved)):
        laid = (one for one in moved if is_placed and facts.get("burns", one))
        return next(laid, None) if any(map(is_lit, there)) else None
    place = next((spot for spot in map(facts.place, around) if spot is not None), None)
    for one in facts.things:
        spot = facts.place(one) if facts.get("hangs", one) else None
        if spot is not None and place is not None and math.dist(place, spot) <= _BESIDE:
            return one
    return next((one for one in there if facts.get("burns", one)), None)


def _in(facts: HouseholdFacts, vessel: str) -> str:
    return str(facts.get("filled", vessel))
