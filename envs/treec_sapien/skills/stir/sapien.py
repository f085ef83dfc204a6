"""Stir what is in a container with a tool, in SAPIEN.

Physical: the tool's far end is lowered into the container and moved in circles, to and fro.
Declared: the contents, and that they are stirred. Where the run has a forecast of a person, the arm
makes room for their hand (:mod:`.reactive`).
"""

from __future__ import annotations

from dataclasses import replace
from functools import partial

import numpy as np

from treec_sapien.build import BuiltBody
from treec_sapien.manipulation import body, chance, held_body, in_tool
from treec_sapien.motion.base import ReachWish
from treec_sapien.motion.failure import MotionFailure
from treec_sapien.motion.frames import Array, compose, inverse
from treec_sapien.motion.grasp import go_to_one
from treec_sapien.motion.reach import ReachRow, through
from treec_sapien.person.outlook import PersonOutlook
from treec_sapien.sense.location import box
from treec_sapien.skills.stir.reactive import Overtaken, PotSpace, ReactiveStirring, away_from
from treec_sapien.worker import Physical, PhysicalAct, Steps

ROUNDS = 3  # odd, so that it ends where the way out begins
DEPTH = 0.02
"""Height (m) of the tool's end above the container's floor."""

_PLANS = 5  # times that it is planned, since somebody pushes the container about
_PACE = 0.8
_SIDES = 3.0  # cost of a metre towards a person
_PIECES = 10  # of a circle
_HEADINGS = 12
_SLOPES = (1.0, 1.2, 0.8)  # pitch of the tool (rad)
_UP = np.array([0.0, 0.0, 0.14])


class Stir(Physical):
    """Worker of `stir`."""

    unless = "dropped"
    rounds = ROUNDS

    def do(self, act: PhysicalAct) -> Steps:
        """Move the tool in circles inside the container."""
        built = held_body(act, act.arg("tool"))
        body(act, act.arg("container"))
        arm, rng = act.arm, chance(act)
        try:
            for left in reversed(range(_PLANS)):
                try:
                    yield from self._stir(act, built, rng)
                    break
                except Overtaken:
                    arm.motion.base.release(arm)
                    if not left:
                        raise MotionFailure("blocked", "the container is pushed about") from None
            if not arm.grips(built.entity):
                arm.detach()
                raise MotionFailure("dropped", "the tool while stirring")
            yield from arm.rest(rng)
        finally:
            arm.motion.base.release(arm)

    def _stir(self, act: PhysicalAct, built: BuiltBody, rng: np.random.Generator) -> Steps:
        """Go to the container and stir there. Raises Overtaken where it has been pushed away."""
        arm, touch = act.arm, body(act, act.arg("container")).entity
        ways = circles(act, built, act.arg("container"))
        if (person := act.watched()) is not None:
            middle, _ = _pool(act, act.arg("container"))
            ways = [_on_own_side(way, middle, person.outlook) for way in ways]
        (options,) = yield from arm.motion.base.ask(rng, ReachWish(arm, ways, touch))
        solution = yield from go_to_one(arm, options, rng)
        if person is not None:
            space = partial(space_of, act)
            stirring = ReactiveStirring(act, arm, solution, space, touch, rng)
            yield from arm.while_holding(stirring.run(self.rounds, _PACE))
            return
        yield from arm.along(solution, 0, touch=touch)
        for number in range(self.rounds):  # to and fro
            go = arm.back if number % 2 else arm.along
            yield from go(solution, 1, touch=touch, pace=_PACE)
        yield from arm.along(solution, 2, touch=touch)


def circles(act: PhysicalAct, tool: BuiltBody, container: str) -> list[ReachRow]:
    """Return ways to stir: above, in at the circle's edge, once around, and out."""
    middle, radius = _pool(act, container)
    reach, end = _ends(act, tool)
    tool_in_body = inverse(in_tool(act, tool))
    spare = max(radius - _thickness(tool) - 0.012, 0.008)
    out = []
    for slope in _SLOPES:
        for heading in range(_HEADINGS):
            angle = 2 * np.pi * heading / _HEADINGS
            level = np.array([np.cos(angle), np.sin(angle), 0.0])
            down = np.cos(slope) * level - np.sin(slope) * np.array([0.0, 0.0, 1.0])
            for turned in _rotations_onto(reach, down):
                ring = []
                for piece in range(_PIECES + 1):
                    around = 2 * np.pi * piece / _PIECES
                    tip = middle + spare * np.array([np.cos(around), np.sin(around), 0.0])
                    ring.append(compose(turned, tip - turned @ end) @ tool_in_body)
                above = compose(turned, middle + _UP - turned @ end) @ tool_in_body
                out.append(_round(above, ring))
    return out


def _on_own_side(way: ReachRow, middle: Array, outlook: PersonOutlook) -> ReachRow:
    """The same with a higher cost the more the hand is on the person's side of the container."""
    hand = way.way[way.marks[1] : way.marks[2], :3, 3].mean(axis=0)
    return replace(way, cost=-_SIDES * float((hand - middle)[:2] @ away_from(outlook, middle)))


def _round(above: Array, ring: list[Array]) -> ReachRow:
    whole = through([above, ring[0], *ring[1:], above], [8, *([1] * (len(ring) - 1)), 8])
    last = len(whole.way) - 1
    return ReachRow(whole.way, (0, 8, last - 8, last), 1, "stir")


def space_of(act: PhysicalAct) -> PotSpace:
    """Return the space of the container that is stirred."""
    low, high = box(act.kitchen, act.arg("container"))
    middle, radius = _pool(act, act.arg("container"))
    return PotSpace(middle[:2], radius, float(low[2]), float(high[2]))


def _pool(act: PhysicalAct, container: str) -> tuple[Array, float]:
    """The middle of the container's floor, raised by DEPTH, and the radius of the space there."""
    low, high = box(act.kitchen, container)
    rooms = [(r, pose) for r, pose in act.kitchen.regions_of(container) if r.kind == "in"]
    if not rooms:
        middle = (low + high) / 2
        return np.array([*middle[:2], high[2] + DEPTH]), float(np.min((high - low)[:2])) / 4
    region, pose = rooms[0]
    floor = np.array(pose.apply((region.p[0], region.p[1], region.floor)))
    return floor + np.array([0.0, 0.0, DEPTH]), float(min(region.half_size[:2]))


def _ends(act: PhysicalAct, tool: BuiltBody) -> tuple[Array, Array]:
    """The tool's long axis towards its far end (unit vector) and that end, in its body's frame."""
    low, high = _own_box(tool)
    long = int(np.argmax(high - low))
    hand = np.linalg.inv(in_tool(act, tool))[:3, 3]
    middle = (low + high) / 2
    sign = 1.0 if hand[long] < middle[long] else -1.0
    axis = sign * np.eye(3)[long]
    end = middle + axis * (high - low)[long] / 2
    return axis, end


def _thickness(tool: BuiltBody) -> float:
    low, high = _own_box(tool)
    return float(np.sort(high - low)[1]) / 2


def _own_box(tool: BuiltBody) -> tuple[Array, Array]:
    corners = []
    for link in tool.body.links:
        for shape in link.shapes:
            size = np.array(
                shape.half_size
                if shape.kind == "box"
                else (shape.radius,) * 2 + (shape.half_length,)
            )
            corners += [np.array(shape.p) - size, np.array(shape.p) + size]
    return np.min(corners, axis=0), np.max(corners, axis=0)


def _rotations_onto(axis: Array, direction: Array) -> list[Array]:
    """Rotations that bring ``axis`` to ``direction``, with the body's z nearly up or down."""
    out = []
    for sign in (1.0, -1.0):
        third = sign * np.array([0.0, 0.0, 1.0])
        third = third - (third @ direction) * direction
        third /= np.linalg.norm(third)
        own = np.eye(3)[2]
        second, other = np.cross(third, direction), np.cross(own, axis)
        out.append(
            np.stack([direction, second, third], axis=1) @ np.stack([axis, other, own], axis=1).T
        )
    return out
