"""Appliances as small declared machines: switched by their controls, acting on what is in them.

Physical: pressing the button, turning the knob, whether the door is shut. Declared: that the things
inside become heated, toasted or washed while it runs.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from treec_sapien.bodies.spec import ApplianceControl
from treec_sapien.sense.location import contents

if TYPE_CHECKING:
    from treec_sapien.environment import SapienKitchen

MAKES = {
    "microwave": "heated",
    "toaster": "toasted",
    "dishwasher": "washed",
    "juicer": "juiced",
    "stove": "cooked",
    "faucet": "filled",
    "blender": "blended",
}
"""What each kind of appliance does to things."""

TAKES = 3.0
"""Seconds a thing must have been in a running appliance for that."""

EVERY = 6
"""Control steps between two checks of what is inside."""


@dataclass
class Machine:
    """One appliance; ``where`` holds the things it acts on (for a faucet, its sink)."""

    name: str
    where: str
    makes: str
    controls: tuple[ApplianceControl, ...]
    doors: tuple[str, ...]
    running: bool = False
    down: dict[str, bool] = field(default_factory=dict)
    """Control → whether it was pressed or turned on at the last check."""
    seconds: dict[str, float] = field(default_factory=dict)
    """Thing → how long it has been inside while the appliance ran."""

    def shut(self, kitchen: SapienKitchen) -> bool:
        """Whether none of its doors is open."""
        built = kitchen.bodies[self.name]
        return all(built.position(door) < built.body.opened[door] for door in self.doors)

    def look(self, kitchen: SapienKitchen) -> None:
        """Handle controls operated since the last call; stop when a door was opened."""
        built = kitchen.bodies[self.name]
        if not self.running and built.articulation.root.sleeping:
            return
        shut = self.shut(kitchen)
        for control in self.controls:
            on = built.position(control.joint) >= control.on
            if control.kind == "turn":
                self.running = on and shut
            elif on and not self.down.get(control.name, False) and shut:
                self.running = not self.running
            self.down[control.name] = on
        self.running = self.running and shut
        if self.running and kitchen.ticks % EVERY == 0:
            for item in contents(kitchen, self.where):
                self.seconds[item] = self.seconds.get(item, 0.0) + EVERY / 60

    def finished_items(self) -> list[str]:
        """Return the things that it has finished."""
        return [item for item, seconds in self.seconds.items() if seconds >= TAKES]


def machines_of(kitchen: SapienKitchen) -> dict[str, Machine]:
    """Return the appliances of a kitchen: bodies with controls."""
    machines = {}
    for name, built in kitchen.bodies.items():
        body = built.body
        if body.controls:
            switched = {control.joint for control in body.controls}
            doors = tuple(joint for joint in body.opened if joint not in switched)
            where = str(kitchen.setup.objects[name].get("basin", name))
            makes = MAKES.get(body.kind, "treated")
            machines[name] = Machine(name, where, makes, body.controls, doors)
    return machines


def treatments(kitchen: SapienKitchen, item: str) -> list[str]:
    """Return what appliances have done to a thing: heated, washed, …"""
    return sorted({m.makes for m in kitchen.machines.values() if item in m.finished_items()})
