"""Sensors of the household's facts in a kitchen with physics (see `treec_sapien.sense`)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from treec import Sensor
from treec_household.physical.liquids import liquids
from treec_household.physical.orders import machine_of
from treec_sapien.machines import treatments
from treec_sapien.sense.location import enclosing_regions
from treec_sapien.sense.unsensed import UNSENSED, SensorSilence

if TYPE_CHECKING:
    from treec_sapien.environment import SapienKitchen

_COOKED = frozenset({"heated", "toasted", "cooked"})
_WASHED = frozenset({"filled", "washed"})
"""What appliances do: a tap fills and washes what is below it."""


def located(kitchen: SapienKitchen, sensor: Sensor, thing: str) -> bool:
    """Whether the robot knows where a thing is: it sees all that is in the scene."""
    return thing in kitchen.setup.objects


def in_reach(kitchen: SapienKitchen, sensor: Sensor, thing: str) -> bool:
    """Whether a thing can be touched: the robot drives as part of each of its motions."""
    return thing in kitchen.setup.objects


def opened(kitchen: SapienKitchen, sensor: Sensor, thing: str) -> bool | SensorSilence:
    """Whether the door of a thing is open, beyond the position that its body declares."""
    doors = _doors(kitchen, thing)
    if not doors:
        return UNSENSED
    built = kitchen.bodies[thing]
    return any(built.position(joint) >= built.body.opened[joint] for joint in doors)


def behind(kitchen: SapienKitchen, sensor: Sensor, thing: str) -> str | SensorSilence | None:
    """The closed thing that a thing is in; none if it can be reached."""
    if not kitchen.is_free(thing):
        return UNSENSED
    for name, _ in enclosing_regions(kitchen, thing):
        if opened(kitchen, sensor, name) is False:
            return name
    return None


def running(kitchen: SapienKitchen, sensor: Sensor, thing: str) -> bool | SensorSilence:
    """Whether a thing, or what it turns on, runs."""
    machine = kitchen.machines.get(machine_of(kitchen, thing))
    return UNSENSED if machine is None else machine.running


def cooked(kitchen: SapienKitchen, sensor: Sensor, thing: str) -> bool | SensorSilence:
    """Whether an appliance has heated a thing that can be cooked."""
    cooks = any(e.fact == "cooks" and e.args == (thing,) and e.value for e in kitchen.setup.facts)
    if not kitchen.is_free(thing) or not cooks:
        return UNSENSED
    return bool(_COOKED.intersection(treatments(kitchen, thing))) or UNSENSED


def dirty(kitchen: SapienKitchen, sensor: Sensor, thing: str) -> bool | SensorSilence:
    """Whether a thing is dirty: not after water ran over it, else as the scene says."""
    washed = kitchen.is_free(thing) and _WASHED.intersection(treatments(kitchen, thing))
    return False if washed else UNSENSED


def filled(kitchen: SapienKitchen, sensor: Sensor, thing: str) -> str | SensorSilence | None:
    """What is in a vessel (declared): what was poured into it, or water from a tap."""
    if thing not in kitchen.vessels:
        return UNSENSED
    return liquids(kitchen).get(thing)


def _doors(kitchen: SapienKitchen, thing: str) -> list[str]:
    """The joints of a thing that count as doors: those with a position from which it is open."""
    built = kitchen.bodies.get(thing)
    if built is None:
        return []
    return [
        part.joint
        for part in built.body.parts
        if part.joint is not None and part.joint in built.body.opened
    ]
