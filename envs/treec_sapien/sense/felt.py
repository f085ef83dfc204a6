"""What a robot that sees with cameras feels of where things are, without the simulator's truth.

A run with `--see` whose localizer has a fact with a value, such as `at`, knows from looks where
things stand. Beside that a robot feels what its own fingers hold, and hears what falls down.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from treec import EnvironmentSetup, Sensor
from treec_sapien.sense.location import on_floor
from treec_sapien.sense.unsensed import UNSENSED

if TYPE_CHECKING:
    from treec_sapien.environment import SapienKitchen


def seen_fact(setup: EnvironmentSetup) -> str | None:
    """Return the fact that a run's cameras alone tell; None if they tell none with a value."""
    entry = setup.view.used("localizer") if setup.see and setup.view is not None else None
    name = None if entry is None else entry.model.fact
    spec = setup.view.facts.get(name or "") if setup.view is not None else None
    return name if spec is not None and spec.value is not None else None


def felt(kitchen: SapienKitchen, sensor: Sensor, item: str, *, true: Any) -> Any:
    """Return what is felt of where an item is; ``true`` is where the simulator has it.

    That is its holder, or that nobody knows: it has slipped out of a hand, or fallen. What an order
    that has just ended well says of it stands until it is seen.
    """
    if true is UNSENSED or true in kitchen.hands or on_floor(kitchen, item):
        return true
    if item in kitchen.promised or kitchen.setup.host is None:
        return UNSENSED
    try:
        believed = kitchen.setup.host.evaluate(f"{sensor.fact}(item)", {"item": item})
    except ValueError:
        return UNSENSED
    return None if str(believed) in kitchen.hands else UNSENSED
