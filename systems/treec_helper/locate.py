"""Where a request's things are likely to be: what a dialogue says of it, and what was answered.

HELPER's Locator (section 3.2.3) asks a model; without one, what people say ("the knife is in the
fridge") is read by rules. What is said of a class is a fact of its things, which the search of the
household looks at first, before its common-sense priors.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable
from typing import TYPE_CHECKING

from treec.source.diagnostics import unknown
from treec_helper.functions import thing_classes as classes_of_types
from treec_helper.mentions import mentions

if TYPE_CHECKING:
    from treec.team.team import Team
    from treec.world.events import Event

_GOAL = re.compile(
    r"\b(?:put|place|serve|bring|set|move|pour|add|drop|needs?|should|must|toast|fit)\b"
)
"""Words that say where a thing is to go, not where it is."""
MOST = 3
"""Places that are told of one class, as in the paper."""
_TURN = re.compile(r"<\w+>")
_IN = re.compile(
    r"\b(?:in|inside|on|on top of|under|beside|by|near|next to|at) (?:the |a |an |your |my )?"
)


def expect_near(team: Team, object_class: str, places: list[str]) -> Iterable[Event]:
    """Expect the things of a class near things of other classes, the most likely first."""
    from treec.world.events import EventRefused, FactSet

    types = team.knowledge.view.types
    known = classes_of_types(types)
    for name in (object_class, *places):
        if name not in known:
            raise EventRefused(unknown("class", name, known))
    if not 1 <= len(places) <= MOST:
        raise EventRefused(f"places: one to {MOST} are right, not {len(places)}")
    value = ", ".join(places)
    for thing, spec in team.knowledge.view.objects.items():
        if spec.type == object_class:
            yield FactSet("expected", (thing,), value, "told")


def thing_classes(team: Team) -> list[str]:
    """The classes of things of the household."""
    return classes_of_types(team.knowledge.view.types)


def unseen_classes(team: Team, dialogue: object) -> list[str]:
    """The classes that a dialogue names, and of which the robot has seen nothing."""
    view, facts = team.knowledge.view, team.world.facts
    named = {one.kind for one in mentions(str(dialogue), thing_classes(team)) if one.kind}
    seen = set()
    for thing, spec in view.objects.items():
        found = facts.get("located", (thing,))
        if found is not None and found.value and found.source != "unknown":
            seen.add(spec.type)
    there = {spec.type for spec in view.objects.values()}
    return sorted((named & there) - seen)


def hinted_places(team: Team, dialogue: object) -> list[dict[str, object]]:
    """What a dialogue says of where things are: classes, and the classes of their places."""
    return [
        {"object_class": kind, "places": places[:MOST]}
        for kind, places in hints(str(dialogue), thing_classes(team)).items()
    ]


def hints(dialogue: str, kinds: Collection[str]) -> dict[str, list[str]]:
    """The places that a dialogue gives for classes of things, in its order.

    "The knife is in the fridge" names both in one sentence; "Where is the knife? In the sink"
    takes the thing from the turn before.
    """
    found: dict[str, list[str]] = {}
    last: str | None = None
    for sentence in _sentences(dialogue):
        place = None if _GOAL.search(sentence.lower()) else _IN.search(sentence.lower())
        things = mentions(sentence[: place.start()] if place else sentence, kinds)
        thing = things[-1].kind if things else last
        if place is not None and thing is not None:
            of = mentions(sentence[place.end() :], kinds)
            if of and of[0].kind != thing and of[0].kind not in found.get(thing, []):
                found.setdefault(thing, []).append(of[0].kind)
        if things:
            last = things[-1].kind
    return {kind: places for kind, places in found.items() if kind in kinds}


def _sentences(dialogue: str) -> list[str]:
    turns = (turn.strip() for turn in _TURN.split(dialogue))
    return [part for turn in turns for part in re.split(r"[.?!;]\s*", turn) if part]
