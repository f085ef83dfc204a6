"""Switch appliances and taps: press buttons, turn knobs and levers."""

from __future__ import annotations

from treec_sapien.dual_kitchen.common import body, chance
from treec_sapien.motion.activity import Activity
from treec_sapien.motion.articulated import Travel, turn
from treec_sapien.motion.failure import MotionFailure
from treec_sapien.motion.press import Push, press_button
from treec_sapien.worker import Physical, PhysicalAct, Steps


class PressSwitch(Physical):
    """The button or knob is physical; the effect of the running appliance is declared."""

    unless = "not reached"
    argument = "appliance"
    on = True

    def do(self, act: PhysicalAct) -> Steps:
        """Operate the appliance's first control."""
        yield from operate(act, self.argument, on=self.on)


def operate(
    act: PhysicalAct,
    argument: str,
    *,
    on: bool,
    push: Push | None = None,
    travel: Travel | None = None,
) -> Steps:
    """Operate the first control of the appliance that an argument names; see `press` and `turn`.

    Raises MotionFailure.
    """
    built, rng = body(act, argument), chance(act)
    if not built.body.controls:
        raise MotionFailure("not reached", f"{built.name} has no control")
    control = built.body.controls[0]
    handle = built.body.handle(control.handle)
    if control.kind == "press":
        assert handle.push is not None
        if act.kitchen.machines[built.name].running != on:
            where = (handle.link, handle.push, control.on)
            yield from press_button(act.arm, built, *where, rng, by=push)
        return
    low, high = built.body.joint(control.joint).limits
    to = min(high, 1.7 * control.on) if on else low
    enough = 1.05 * control.on if on else 0.5 * control.on
    yield from turn(act.arm, built, handle, to, rng, enough=enough, travel=travel)


class SwitchOn(PressSwitch):
    """Switch an appliance on."""


class SwitchOff(PressSwitch):
    """Switch an appliance off once its work is done."""

    on = False

    def do(self, act: PhysicalAct) -> Steps:
        """Wait until what is inside is done, then operate the control."""
        with act.motion.activities.during(Activity.APPLIANCE, act.hand.side):
            yield from act.wait(remaining_seconds(act, self.argument))
        yield from super().do(act)


class OpenTap(PressSwitch):
    """Turn a tap's lever to the front so that it runs. Water is declared, not simulated."""

    argument = "tap"


class CloseTap(SwitchOff):
    """Turn the lever back once the vessel below is full."""

    argument = "tap"


def remaining_seconds(act: PhysicalAct, argument: str) -> float:
    """Return the seconds until everything that an appliance works on is done."""
    from treec_sapien.machines import TAKES
    from treec_sapien.sense.location import contents

    machine = act.kitchen.machines.get(act.arg(argument))
    if machine is None or not machine.running:
        return 0.0
    treated = [machine.seconds.get(item, 0.0) for item in contents(act.kitchen, machine.where)]
    return max((TAKES + 0.2 - seconds for seconds in treated), default=0.0)
