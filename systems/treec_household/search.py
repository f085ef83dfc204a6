"""Where to look for a thing: the likely places first, and of equally likely ones the nearest.

How likely a class of thing is to be at a class of place stands in `likely_places.yaml`; what was
said of a thing (the fact `expected`) comes before that.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping
from functools import cache
from pathlib import Path

import yaml

from treec_household.state import HouseholdState

UNLISTED = 0.02
"""The likelihood of a place that is not listed for a thing."""
TOLD = 2.0
"""The likelihood of a place near which a thing is said to be; of the next one half of it."""
HALF = 4.0
"""Metres at which a place counts half of one beside the robot."""


@cache
def likely_places() -> Mapping[str, Mapping[str, float]]:
    """How likely each class of thing is at each class of place, from 0 to 1."""
    text = (Path(__file__).parent / "likely_places.yaml").read_text("utf-8")
    likelihoods: Mapping[str, Mapping[str, float]] = yaml.safe_load(text)
    return likelihoods


def random_places(seed: int) -> Callable[[HouseholdState, str], list[str]]:
    """An order of places that knows nothing, drawn anew for each search: what an ablation needs."""
    drawn = random.Random(seed)

    def places(state: HouseholdState, thing: str) -> list[str]:
        shuffled = sorted(name for name in state.positions if state.number("room", name))
        drawn.shuffle(shuffled)
        return shuffled

    return places


def places_to_look(state: HouseholdState, thing: str) -> list[str]:
    """The places of a household in the order in which to look for a thing."""
    likely = likely_places()
    by_kind = dict(likely.get(state.kinds[thing], likely["Thing"]))
    expected_kinds = str(state.get("expected", thing) or "").split(", ")
    for number, kind in enumerate(filter(None, expected_kinds)):
        for one in (kind, f"{kind}Basin"):  # people say sink
            by_kind[one] = max(TOLD / 2**number, by_kind.get(one, 0.0))
    near = [
        state.position(name)
        for name, kind in state.kinds.items()
        if kind == expected_kinds[0] and not state.number("room", name)
    ]

    def score(place: str) -> float:
        chance = by_kind.get(state.kinds[place], UNLISTED)
        if state.positions[place] in near:  # "next to the toaster": at the same place
            chance = max(chance, TOLD / 2)
        return chance / (1 + state.distance(place) / HALF)

    places = [name for name in state.positions if state.number("room", name)]
    return sorted(places, key=lambda place: (-score(place), place))
