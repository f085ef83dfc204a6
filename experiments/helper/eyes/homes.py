"""Random furnished homes, with things in random states: none is a scene of the library."""

from __future__ import annotations

import math
import random
from collections.abc import Mapping
from typing import Any

from treec_household.actions import Actions, Refused
from treec_household.embodied.bodies import kind_of, kinds
from treec_household.embodied.home import Home
from treec_household.embodied.layout import HomeTooFull
from treec_household.embodied.simulator import PITCHES, Senses, Simulator
from treec_household.state import HouseholdState

ROBOT = "robot"
_OFTEN = ("CounterTop", "DiningTable", "Fridge", "SinkBasin", "Faucet", "Microwave", "Toaster")
_KITCHEN = (*_OFTEN, "CoffeeMachine", "GarbageCan", "Chair")
_MANY = {"Drawer": 6, "Cabinet": 6, "CounterTop": 2, "Chair": 4, "StoveBurner": 4, "StoveKnob": 4}
_THINGS = 45
"""Things that can be moved, in a home."""


def random_home(seed: int, types: Mapping[str, Mapping[str, Any]]) -> Simulator:
    """A robot in a home; ``types`` are what things of each class afford, by fact."""
    for attempt in range(50):
        rng = random.Random(f"home {seed} {attempt}")
        state = _furniture(rng, types)
        fixtures = dict(state.kinds)
        names = dict(state.kinds)
        state.kinds = names
        _things(rng, state, fixtures, types)
        try:
            home = Home(state, fixtures, seed, {})
        except HomeTooFull:
            continue
        actions = _Free(state)
        return Simulator(home, actions, Senses(), seed)
    raise HomeTooFull(f"no home of seed {seed} can be furnished")


class _Free(Actions):
    """Actions without distances: these are judged by the picture."""

    def _touch(self, thing: str) -> None:
        if not self.state.exists(thing):
            raise Refused(f"not found: {thing} is nowhere")


def _furniture(rng: random.Random, types: Mapping[str, Mapping[str, Any]]) -> HouseholdState:
    fixed = [name for name, kind in kinds().items() if kind.stands and name in types]
    chosen = [name for name in _KITCHEN if rng.random() < 0.8]
    chosen += rng.sample(fixed, rng.randint(6, 12))
    names: dict[str, str] = {}
    for kind in dict.fromkeys([*chosen, *rng.sample(("Drawer", "Cabinet", "StoveBurner"), 2)]):
        for number in range(rng.randint(1, _MANY.get(kind, 1))):
            names[f"{kind}_{number + 1}"] = kind
    if "StoveBurner" in names.values():
        names |= {f"StoveKnob_{n}": "StoveKnob" for n in range(1, 5)}
    names["Floor_1"] = "Floor"
    state = HouseholdState(ROBOT, names)
    _afford(state, names, types)
    for name in names:
        if state.get("opens", name) and rng.random() < 0.5:
            state.set("opened", name, True)
        open_closet = state.get("encloses", name) and state.get("opened", name)
        if state.get("turns_on", name) and rng.random() < 0.4 and not open_closet:
            state.set("running", name, True)
        if state.get("drains", name) and rng.random() < 0.4:
            state.set("running", name, True)
        if state.get("fills", name) and rng.random() < 0.5:
            state.set("filled", name, "water")
    return state


def _things(
    rng: random.Random,
    state: HouseholdState,
    fixtures: Mapping[str, str],
    types: Mapping[str, Mapping[str, Any]],
) -> None:
    movable = [name for name, kind in kinds().items() if not kind.stands and name in types]
    state.positions = dict.fromkeys(fixtures, (0.0, 0.0))
    new: dict[str, str] = {}
    for _ in range(_THINGS):
        kind = rng.choice(movable)
        if kind in ("Dog", "Cat"):
            continue
        new[f"{kind}_{sum(k == kind for k in new.values()) + 1}"] = kind
    assert isinstance(state.kinds, dict)
    state.kinds.update(new)
    _afford(state, new, types)
    holders = [n for n in fixtures if state.get("room", n) and n != "Floor_1"]
    vessels = [n for n in new if state.get("room", n)]
    for name in new:
        size = max(kind_of(new[name]).size)
        where = vessels if vessels and rng.random() < 0.15 and size < 0.2 else holders
        fits = [
            h
            for h in where
            if h != name
            and max(kind_of(state.kinds[h], fixed=h in fixtures).size) > size
            and state.number("room", h) > len(state.contents(h))
            and name not in state.chain(h)
        ]
        if not fits:
            continue
        state.set("at", name, rng.choice(fits))
        if state.get("washes", name) and rng.random() < 0.5:
            state.set("dirty", name, True)
        if state.get("fills", name) and rng.random() < 0.5:
            state.set("filled", name, rng.choice(("water", "coffee")))
        if state.get("cooks", name) and rng.random() < 0.5:
            state.set("cooked", name, True)
        if state.get("turns_on", name) and rng.random() < 0.4:
            state.set("running", name, True)
        if state.get("opens", name) and rng.random() < 0.4:
            state.set("opened", name, True)


def _afford(
    state: HouseholdState, names: Mapping[str, str], types: Mapping[str, Mapping[str, Any]]
) -> None:
    for name, kind in names.items():
        for fact, value in types[kind].items():
            state.set(fact, name, value)


def stand_before(sim: Simulator, name: str, rng: random.Random, far: tuple[float, float]) -> bool:
    """Stand so far (m) from a thing and look towards it; false if there is no free place."""
    pose = sim.home.pose(name)
    if pose is None:
        return False
    for _ in range(25):
        away, angle = rng.uniform(*far), rng.uniform(0, 2 * math.pi)
        x, y = pose.p[0] + away * math.cos(angle), pose.p[1] + away * math.sin(angle)
        rooms = sim.home.plan.rooms
        inside = any(x0 < x < x1 and y0 < y < y1 for x0, y0, x1, y1 in rooms)
        if inside and not sim.home.is_blocked(x, y):
            break
    else:
        return False
    sim.x, sim.y = x, y
    sim.quarter = round(math.atan2(pose.p[1] - y, pose.p[0] - x) / (math.pi / 2)) % 4
    down = math.degrees(math.atan2(0.9 - pose.p[2], away))
    near = sorted(PITCHES, key=lambda one: abs(one - down))
    sim.pitch = near[0] if rng.random() < 0.75 else near[1]
    sim.home.state.robot_at = (x, y)
    return True
