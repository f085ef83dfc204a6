"""Failures predictable before any motion: fixed, does not fit, out of reach, would not rest there.

Asked with the effects that a skill promises and the present state. What is not predicted here may
still turn out to be impossible in planning.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from treec import Effect
from treec_sapien.bodies.fits import instability_reason
from treec_sapien.bodies.pose import Vector
from treec_sapien.bodies.reach import obstruction
from treec_sapien.sense.location import box

if TYPE_CHECKING:
    from treec_sapien.environment import SapienKitchen

_ABOVE = 0.06
"""Height (m) of a hand above a thing that it is over."""


def infeasibility(kitchen: SapienKitchen, effects: Iterable[Effect]) -> str:
    """Return the failure's name and why these effects cannot come about; empty if they may."""
    for effect in effects:
        if len(effect.args) != 1 or not isinstance(effect.value, str):
            continue
        about, value = effect.args[0], effect.value
        built = kitchen.bodies.get(about)
        if effect.fact == "at" and built is not None and (built.body.fixed or built.body.joints):
            return f"cannot be moved: {about} {'has joints' if built.body.joints else 'is fixed'}"
        if effect.fact == "at" and value in kitchen.hands:
            why = out_of_reach(kitchen, value, about)
            if why:
                return f"not reached: {about} by {value}, who {why}"
        elif effect.fact == "at":
            why = kitchen.misfit_reason(about, value)
            if why:
                return f"does not fit: {about} into {value}: {why}"
        elif effect.fact == "over" and about in kitchen.hands:
            why = out_of_reach(kitchen, about, value, above=True)
            if why:
                return f"not reached: {value} by {about}, who {why}"
        elif effect.fact == "stacked" and kitchen.is_free(about) and kitchen.is_free(value):
            why = instability_reason(kitchen.bodies[about].body, kitchen.bodies[value].body)
            if why:
                return f"does not lie there: {about} on {value}, which {why}"
    return ""


def out_of_reach(kitchen: SapienKitchen, agent: str, item: str, *, above: bool = False) -> str:
    """Return why an arm on a fixed base cannot take a thing, or move ``above`` it.

    Empty if it may, and for a robot that drives.
    """
    if not kitchen.is_free(item):
        return ""
    built = kitchen.bodies[item]
    points = {built.pose(grasp.link).apply(grasp.p) for grasp in built.body.grasps}
    if above:
        low, high = box(kitchen, item)
        x, y = (float(part) for part in (low + high)[:2] / 2)
        points = {(x, y, float(high[2]) + _ABOVE)}
    return out_of_ring(kitchen, kitchen.hands[agent].robot.name, points)


def out_of_ring(kitchen: SapienKitchen, robot: str, points: Iterable[Vector]) -> str:
    """Return why a robot on a fixed base reaches none of the points.

    Empty if it may, and for a robot that drives.
    """
    known = kitchen.robots[robot].description.reach
    if known is None or known.moves:
        return ""
    foot = kitchen.robot_pose(robot)
    reasons = [obstruction(known, foot, point, ()) for point in sorted(points)]
    if not reasons or any(reason is None for reason in reasons):
        return ""
    return min(reason for reason in reasons if reason)[1]
