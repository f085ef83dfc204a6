"""Positions for the fixtures of a scene that gives none: along the walls of one room.

What belongs together stands together: a tap at its basin, knobs at their burners, drawers and
cabinets at a counter. Everything else is in the middle of the room. The order depends on the seed
alone. Distances therefore mean something only in comparison with others in the same plan.
"""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence

from treec_household.state import Position

SPACING = 1.2
"""Metres between two places at a wall."""
PER_PLACE = 4
"""How many cabinets and drawers share a place at a wall."""

_CORE = (
    ("SinkBasin", "Sink", "Faucet"),
    ("StoveBurner", "StoveKnob"),
)
_STORAGE = ("Cabinet", "Drawer", "Shelf")
_MIDDLE = (
    "Floor",
    "DiningTable",
    "CoffeeTable",
    "Chair",
    "Stool",
    "Sofa",
    "ArmChair",
    "Ottoman",
    "Bed",
    "SideTable",
    "Desk",
)


def plan_floor(fixtures: Mapping[str, str], seed: int) -> dict[str, Position]:
    """A position for each fixture, by name; ``fixtures`` are their classes."""
    rng = random.Random(f"floor plan {seed}")
    places: list[list[str]] = []
    rest = dict(fixtures)
    for core in _CORE:
        group = [name for name, kind in rest.items() if kind in core]
        if group:
            places.append(group)
        for name in group:
            del rest[name]
    middle = [name for name, kind in rest.items() if kind in _MIDDLE]
    storage = [name for name, kind in rest.items() if kind in _STORAGE]
    single = [name for name in rest if name not in middle and name not in storage]
    places += [[name] for name in single]
    places += [storage[i : i + PER_PLACE] for i in range(0, len(storage), PER_PLACE)]
    rng.shuffle(places)
    rng.shuffle(middle)
    return {**_along_walls(places), **_in_the_middle(middle, len(places))}


def side(places: int) -> float:
    """Metres of a side of the square room that has so many places at its walls."""
    return max(3.0, SPACING * -(-places // 4))


def _along_walls(places: Sequence[Sequence[str]]) -> dict[str, Position]:
    length = side(len(places))
    positions: dict[str, Position] = {}
    for number, names in enumerate(places):
        wall, step = number % 4, (number // 4 + 0.5) * SPACING
        x, y = ((step, 0.0), (length, step), (length - step, length), (0.0, length - step))[wall]
        positions.update(dict.fromkeys(names, (round(x, 2), round(y, 2))))
    return positions


def _in_the_middle(names: Sequence[str], places: int) -> dict[str, Position]:
    if not names:
        return {}
    length, columns = side(places), max(1, round(len(names) ** 0.5))
    rows = -(-len(names) // columns)
    positions: dict[str, Position] = {}
    for number, name in enumerate(names):
        column, row = number % columns, number // columns
        x = length * (0.25 + 0.5 * (column + 0.5) / columns)
        y = length * (0.25 + 0.5 * (row + 0.5) / rows)
        positions[name] = (round(x, 2), round(y, 2))
    return positions
