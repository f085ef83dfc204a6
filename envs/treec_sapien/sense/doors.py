"""Doors, lids and drawers: open or shut, and how far."""

from __future__ import annotations

from typing import TYPE_CHECKING

from treec import Sensor
from treec_sapien.sense.unsensed import UNSENSED, SensorSilence

if TYPE_CHECKING:
    from treec_sapien.environment import SapienKitchen


def opened(kitchen: SapienKitchen, sensor: Sensor, door: str) -> bool | SensorSilence:
    """Whether a door is open: beyond the position that its body declares."""
    where = kitchen.joint_of(door)
    if where is None:
        return UNSENSED
    built, joint = where
    return built.position(joint) >= built.body.opened.get(joint, built.body.joint(joint).limits[1])


def opening(kitchen: SapienKitchen, door: str) -> float | None:
    """Return how far a door is open as a fraction of its travel; None for other things."""
    where = kitchen.joint_of(door)
    if where is None:
        return None
    built, joint = where
    low, high = built.body.joint(joint).limits
    return (built.position(joint) - low) / (high - low)
