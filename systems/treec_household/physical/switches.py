"""Switch appliances, and wait until they have done their work."""

from __future__ import annotations

from treec_household.physical.orders import machine_of, with_args
from treec_sapien.dual_kitchen import controls
from treec_sapien.machines import TAKES
from treec_sapien.motion.failure import MotionFailure
from treec_sapien.sense.location import contents
from treec_sapien.worker import Physical, PhysicalAct, Steps


class TurnOn(Physical):
    """Press the button, or turn the knob, of an appliance."""

    unless = "not reached"

    def do(self, act: PhysicalAct) -> Steps:
        """Operate the first control of what the thing turns on."""
        thing = machine_of(act.kitchen, act.arg("thing"))
        yield from controls.SwitchOn().do(with_args(act, appliance=thing))


class TurnOff(Physical):
    """Switch an appliance off once its work is done."""

    unless = "not reached"

    def do(self, act: PhysicalAct) -> Steps:
        """Wait until what is inside is done, then operate the control."""
        thing = machine_of(act.kitchen, act.arg("thing"))
        yield from controls.SwitchOff().do(with_args(act, appliance=thing))


class WaitUntilDone(Physical):
    """Cook, toast, clean, fill: an appliance that runs does it; its effect is declared."""

    unless = "not done"

    def do(self, act: PhysicalAct) -> Steps:
        """Wait beside the running appliance that the thing is in. Raises MotionFailure."""
        item, kitchen = act.arg("item"), act.kitchen
        machine = next(
            (
                machine
                for machine in kitchen.machines.values()
                if machine.running and item in contents(kitchen, machine.where)
            ),
            None,
        )
        if machine is None:
            raise MotionFailure("not done", f"{item} is in nothing that runs")
        yield from act.wait(max(0.0, TAKES + 0.2 - machine.seconds.get(item, 0.0)))
