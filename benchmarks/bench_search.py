"""Looking for things in the household: by likelihood and distance, and at random.

Every movable thing of the shipped scenes is looked for from the middle of the floor plan, in
ten placements each: `likely` draws its place by `likely_places.yaml` itself (what the priors can
gain where they are right), `anywhere` draws it evenly (what they cost where they are wrong). With
the recorded episodes (../shared/data/teach), each thing is where the recording has it, and what
the episode's dialogue says of it is known in the third order.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from copy import deepcopy
from pathlib import Path
from statistics import mean

from benchmarks.process import ROOT
from benchmarks.table import Cell, Table
from experiments.helper.carry_out import SYSTEM, TrialSettings, carry_out, episode_view
from experiments.helper.episodes import EpisodeError, read_episodes
from treec.api.find import find_system
from treec.files.library import load_library
from treec.files.view import View, in_scene
from treec_helper.functions import thing_classes
from treec_helper.locate import hints
from treec_household.environment import Household
from treec_household.search import UNLISTED, likely_places, places_to_look, random_places
from treec_household.state import HouseholdState

EPISODES = ROOT.parent / "shared" / "data" / "teach" / "episodes.jsonl"
SCENES = ("small_kitchen", "household_flat")
WITHIN = (1, 3, 5)
Order = Callable[[HouseholdState, str], list[str]]


def run(small: bool) -> list[Table]:
    """How far the robot walks, and whether the thing is found among the first places."""
    placements = 1 if small else 10
    tables = [_table("shipped scenes", _shipped(placements), ("priors", "random"))]
    if EPISODES.is_file():
        found = _recorded(EPISODES, 3 if small else None)
        tables.append(_table("recorded episodes", found, ("priors", "random", "told")))
    return tables


Trial = tuple[str, str, int, float]
"""Placement, order, number of the place at which the thing is (1 is the first), metres walked."""


def _table(name: str, trials: list[Trial], orders: tuple[str, ...]) -> Table:
    rows: list[tuple[Cell, ...]] = []
    for placed in dict.fromkeys(one[0] for one in trials):
        for order in orders:
            own = [one for one in trials if one[:2] == (placed, order)]
            found = [f"{100 * mean(one[2] <= n for one in own):.0f} %" for n in WITHIN]
            rows.append((placed, order, len(own), f"{mean(o[3] for o in own):.1f}", *found))
    return Table(
        f"looking for things: {name}",
        ("the thing is", "order", "searches", "walked, m", *(f"in {n} places" for n in WITHIN)),
        rows,
        (
            "priors: likely places, of equally likely ones the nearest; random: any order; told: "
            "priors, after what the dialogue says by rules. Each from the middle of the floor.",
        ),
    )


def _shipped(placements: int) -> list[Trial]:
    library, found = load_library(ROOT), []
    for scene in SCENES:
        view = View(library, in_scene(find_system(library, SYSTEM), scene))
        home = carry_out(view, "# nothing", TrialSettings(sight="partial")).home
        places = sorted(name for name in home.state.positions if home.state.number("room", name))
        for number in range(placements):
            drawn = random.Random(f"{scene} {number}")
            for thing in _movable(home, view):
                for placed in ("likely", "anywhere"):
                    weights = [_likely(home.state, thing, p, placed) for p in places]
                    place = drawn.choices(places, weights)[0]
                    for name, order in (
                        ("priors", places_to_look),
                        ("random", random_places(number)),
                    ):
                        found.append((placed, name, *_search(home.state, thing, place, order)))
    return found


def _likely(state: HouseholdState, thing: str, place: str, placed: str) -> float:
    if placed == "anywhere":
        return 1.0
    likely = likely_places()
    chances = likely.get(state.kinds[thing], likely["Thing"])
    return chances.get(state.kinds[place], UNLISTED)


def _recorded(file: Path, most: int | None) -> list[Trial]:
    library, found = load_library(ROOT), []
    for number, episode in enumerate(read_episodes(file)[:most]):
        try:
            view = episode_view(library, episode)
        except EpisodeError:
            continue
        home = carry_out(view, "# nothing", TrialSettings(sight="partial")).home
        told = hints(episode.dialogue, thing_classes(view.types))
        for thing in _movable(home, view):
            place = list(home.state.chain(thing))[-1]
            if home.state.kinds[thing] not in told or not home.state.number("room", place):
                continue
            knows = deepcopy(home.state)
            knows.set("expected", thing, ", ".join(told[home.state.kinds[thing]][:3]))
            for name, state, order in (
                ("priors", home.state, places_to_look),
                ("random", home.state, random_places(number)),
                ("told", knows, places_to_look),
            ):
                found.append(("as recorded", name, *_search(state, thing, place, order)))
    return found


def _movable(home: Household, view: View) -> Iterator[str]:
    for name, kind in home.state.kinds.items():
        if view.types.is_a(kind, "Item") and home.state.exists(name):
            yield name


def _search(state: HouseholdState, thing: str, place: str, order: Order) -> tuple[int, float]:
    """The number of the place at which a thing is, and the metres to it from place to place."""
    own = deepcopy(state)
    own.set("at", thing, place)
    walked = 0.0
    for number, name in enumerate(order(own, thing), 1):
        x, y = own.robot_at
        own.robot_at = own.positions[name]
        walked += abs(own.robot_at[0] - x) + abs(own.robot_at[1] - y)
        if name == place:
            return number, walked
    return len(own.positions), walked
