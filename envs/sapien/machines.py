"""Appliances as small declared machines: switched by their controls, working on what is in them.

What is physical: the button is pressed, the knob is turned, the door is shut or not. What is
declared: that the things inside become hot, toasted, washed while it runs.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from treec.envs.bodies.spec import ApplianceControl
from treec.envs.sapien.sense.location import inside

if TYPE_CHECKING:
    from treec.envs.sapien.environment import SapienKitchen

MAKES = {
    "microwave": "heated",
    "toaster": "toasted",
    "dishwasher": "washed",
    "juicer": "juiced",
    "stove": "cooked",
    "faucet": "filled",
    "blender": "blended",
}
"""What becomes of things in a kind of appliance."""

TAKES = 3.0
"""Seconds that a thing must have been in a running appliance until that is so."""

EVERY = 6
"""Control steps between two looks at what is inside."""


@dataclass
class Machine:
    """One appliance: ``where`` are the things that it works on (a faucet's are in its sink)."""

    name: str
    where: str
    makes: str
    controls: tuple[ApplianceControl, ...]
    doors: tuple[str, ...]
    running: bool = False
    down: dict[str, bool] = field(default_factory=dict)
    """Control → whether it was pressed or turned on at the last look."""
    seconds: dict[str, float] = field(default_factory=dict)
    """Thing → how long it has been in it while it ran."""

    def shut(self, kitchen: SapienKitchen) -> bool:
        """Whether all of its doors are less than open."""
        built = kitchen.bodies[self.name]
        return all(built.position(door) < built.body.opened[door] for door in self.doors)

    def look(self, kitchen: SapienKitchen) -> None:
        """See what has been switched since the last look; stop when a door has been opened."""
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
            for item in inside(kitchen, self.where):
                self.seconds[item] = self.seconds.get(item, 0.0) + EVERY / 60

    def done(self) -> list[str]:
        """The things that it has made what it makes of things."""
        return [item for item, seconds in self.seconds.items() if seconds >= TAKES]


def machines_of(kitchen: SapienKitchen) -> dict[str, Machine]:
    """The appliances of a kitchen: bodies with controls."""
    found = {}
    for name, built in kitchen.bodies.items():
        body = built.body
        if body.controls:
            switched = {control.joint for control in body.controls}
            doors = tuple(joint for joint in body.opened if joint not in switched)
            where = str(kitchen.setup.objects[name].get("basin", name))
            makes = MAKES.get(body.kind, "treated")
            found[name] = Machine(name, where, makes, body.controls, doors)
    return found


def treated(kitchen: SapienKitchen, item: str) -> list[str]:
    """What appliances have made of a thing: heated, washed, …"""
    return sorted({m.makes for m in kitchen.machines.values() if item in m.done()})
