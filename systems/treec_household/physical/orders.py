"""The household's names for what the motions of the dual kitchen work on."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from treec_sapien.worker import PhysicalAct

if TYPE_CHECKING:
    from treec_sapien.environment import SapienKitchen


def with_args(act: PhysicalAct, **args: str) -> PhysicalAct:
    """The same act with further arguments, under the names that a motion reads."""
    return PhysicalAct(replace(act.order, args={**act.order.args, **args}), act.kitchen)


def machine_of(kitchen: SapienKitchen, thing: str) -> str:
    """The appliance that a thing is, or that it turns on: a knob's burner."""
    controlled = str(kitchen.setup.objects.get(thing, {}).get("controls", thing))
    return thing if thing in kitchen.machines else controlled
