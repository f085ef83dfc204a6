"""Posture of things: upright, fallen over, tipped so far that they spill."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from treec import Sensor
from treec_sapien.sense.unsensed import UNSENSED, SensorSilence

if TYPE_CHECKING:
    from treec_sapien.environment import SapienKitchen

UPRIGHT = 20.0
"""Largest lean (degrees) of an upright thing."""

SPILLS = 60.0
"""Lean (degrees) from which an open vessel spills. Declared: there is no liquid."""


def lean(kitchen: SapienKitchen, item: str) -> float:
    """Return how far a body leans from its built orientation, in degrees: 0 upright, 90 lying."""
    _, x, y, _ = (float(part) for part in kitchen.bodies[item].links["body"].entity.pose.q)
    return math.degrees(math.acos(min(1.0, max(-1.0, 1.0 - 2.0 * (x * x + y * y)))))


def upright(kitchen: SapienKitchen, sensor: Sensor, item: str) -> bool | SensorSilence:
    """Whether an item stands upright."""
    return lean(kitchen, item) <= UPRIGHT if kitchen.is_free(item) else UNSENSED


def spilled(kitchen: SapienKitchen, sensor: Sensor, item: str) -> bool | SensorSilence:
    """Whether an item tipped over since the run began while nobody was pouring."""
    return item in kitchen.spilled if kitchen.is_free(item) else UNSENSED


def spilling_vessels(kitchen: SapienKitchen) -> set[str]:
    """Return the vessels that are tipped over now and that nobody pours from on purpose."""
    return {
        name
        for name in kitchen.vessels
        if not kitchen.bodies[name].links["body"].is_sleeping  # sleeping bodies do not fall over
        and lean(kitchen, name) >= SPILLS
        and name not in kitchen.pouring
    }
