"""Doors, drawers, knobs and levers: a handle is held and moved along the joint's own arc.

Base pose, grasp and arm configuration are chosen so that the whole travel stays within the joints'
limits, with margin, before the hand sets out. While the planner tests a moment of the travel, the
door is shown where it will be then.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np

from treec_sapien.bodies.spec import BodyHandle, GraspPoint
from treec_sapien.motion.base import ReachWish
from treec_sapien.motion.failure import MotionFailure
from treec_sapien.motion.frames import Array, about, compose, matrix, translate
from treec_sapien.motion.grasp import reach_one
from treec_sapien.motion.reach import ReachRow, ReachSolution
from treec_sapien.motion.space import Space

if TYPE_CHECKING:
    from treec_sapien.build import BuiltBody
    from treec_sapien.motion.arm import Arm, Steps, Touch

_BEFORE = 0.09
_APPROACH = 7
_TRIES = 4
FALLS = 90
"""Control steps that a door may keep moving by itself."""

_PART = 0.55  # fractions of the travel for an arm that cannot do all of it at once
_STEP_TURN, _STEP_SLIDE = 0.05, 0.015
_Y, _X = np.array([0.0, 1.0, 0.0]), np.array([1.0, 0.0, 0.0])
_SLANTS = (
    *((_Y, angle) for angle in (0.0, 0.35, -0.35, 0.7, -0.7)),
    *((_X, angle) for angle in (0.5, -0.5, 0.9, -0.9, 1.2, -1.2)),
)
"""Slants of the hand at a bar: about the line along which the fingers close, or about the bar."""

_SLIPS = (0.0, 0.5, 1.0)
"""Fraction of a door's rotation taken between bar and fingers instead of at the wrist."""

_LEVER = 0.03  # a handle nearer (m) to its axis is a knob

_NARROW = 0.014  # clearance (m) of the hand around the bar of a flap
_FLAP_SLIPS = (1.0,)
_FLAPS = tuple((_X, sign * angle) for angle in (0.5, 0.9, 1.2, 2.1, 2.25) for sign in (1.0, -1.0))
"""Slants for a door hinged at the bottom, whose bar hangs below it when open."""


@dataclass(frozen=True)
class HandleHold:
    """How a hand holds a handle: the tool in the link's frame (4, 4), and the way that it goes.

    While a door turns, the bar turns between the fingers by the fraction ``slip``. ``width`` is
    what is between the fingers (m), ``enough`` the joint's position that suffices (rad or m).
    """

    local: Array
    slip: float
    width: float
    way: ReachRow
    enough: float = 0.0


Travel = Callable[[HandleHold, ReachSolution], "Steps[bool]"]
"""Moves a handle with the hand before it; whether the hand held it. The hand is open at the end."""


def at_position(built: BuiltBody, joint: str, position: float, link: str) -> Array:
    """Return a link's pose with one joint elsewhere, the body and its other joints as they are."""
    positions = {name: built.position(name) for name in built.joints}
    positions[joint] = position
    return np.asarray(matrix(built.pose()) @ matrix(built.body.at(positions)[link]))


def hold(
    built: BuiltBody,
    handle: BodyHandle,
    grasp: GraspPoint,
    to: float,
    axis: Array,
    slant: float,
    slip: float,
) -> HandleHold:
    """Return a hold and its row: before the handle, at it, along the travel, and away.

    The hand holds it rotated by ``slant`` about an axis of the tool; while a door turns, the bar
    rotates between the fingers by the fraction ``slip``.
    """
    local = matrix(grasp.pose) @ compose(about(axis, slant), np.zeros(3))
    cost = (0.02 if axis is _Y else 0.06) * abs(slant) + 0.1 * slip
    way = handle_row(built, handle, local, to, slip, name=grasp.name, cost=cost)
    return HandleHold(local, slip, grasp.width, way)


def handle_row(
    built: BuiltBody,
    handle: BodyHandle,
    local: Array,
    to: float,
    slip: float,
    *,
    name: str,
    cost: float,
    beside: Array | None = None,
) -> ReachRow:
    """Return the same for a tool at ``local`` (4, 4) on the link of which the handle is a part.

    It approaches straight, or via ``beside`` (3,), in metres along the tool's own axes.
    """
    joint = str(handle.joint)
    now = built.position(joint)
    about_joint = built.body.joint(joint)
    hinge = about_joint.kind == "hinge"
    half = max(2, int(np.ceil(abs(to - now) / (_STEP_TURN if hinge else _STEP_SLIDE) / 2)))
    stands = [now + (to - now) * i / (2 * half) for i in range(2 * half + 1)]
    hinge_axis = matrix(built.pose())[:3, :3] @ matrix(about_joint.pose)[:3, 0]
    tools = []
    for position in stands:
        tool = at_position(built, joint, position, handle.link) @ local
        if hinge and slip:
            tool[:3, :3] = about(hinge_axis, -slip * (position - now)) @ tool[:3, :3]
        tools.append(tool)
    sidles = beside is not None
    come = tools[0] if beside is None else translate(tools[0], own=beside)
    before = [
        translate(come, own=np.array([0.0, 0.0, -_BEFORE * (1 - i / (_APPROACH - sidles))]))
        for i in range(_APPROACH)
    ]
    after = [
        translate(tools[-1], own=np.array([0.0, 0.0, -_BEFORE * (i + 1) / _APPROACH]))
        for i in range(_APPROACH)
    ]
    way = np.stack([*before, *tools, *after])
    start, end = _APPROACH, _APPROACH + 2 * half
    positions = [now] * _APPROACH + stands + [to] * _APPROACH

    def show(space: Space, i: int) -> None:
        space.move_joint(built.articulation, joint, positions[i])

    marks = (0, start, start + half, end, len(way) - 1)
    return ReachRow(way, marks, 2, name, cost, show)


def slants_and_slips(
    built: BuiltBody, handle: BodyHandle
) -> tuple[Sequence[tuple[Array, float]], Sequence[float]]:
    """Return the slants at which to hold a handle, and the fractions by which it may slip.

    A knob may not slip: its axis goes through the hand, which would turn nothing.
    """
    joint = built.body.joint(str(handle.joint))
    if is_flap(built, joint.name):
        return _FLAPS, _FLAP_SLIPS
    frame = matrix(joint.pose)
    off = np.array(handle.grasps[0].pose.p) - frame[:3, 3]
    lever = float(np.linalg.norm(np.cross(off, frame[:3, 0])))
    return _SLANTS, (0.0,) if joint.kind == "hinge" and lever < _LEVER else _SLIPS


def is_flap(built: BuiltBody, joint: str) -> bool:
    """Whether it is a door with a horizontal hinge."""
    about_joint = built.body.joint(joint)
    axis = matrix(built.pose())[:3, :3] @ matrix(about_joint.pose)[:3, 0]
    return about_joint.kind == "hinge" and bool(abs(axis[2]) < 0.5)


def turn(
    arm: Arm,
    built: BuiltBody,
    handle: BodyHandle,
    to: float,
    rng: np.random.Generator,
    *,
    enough: float | None = None,
    pace: float = 0.5,
    travel: Travel | None = None,
) -> Steps[None]:
    """Move a handle's joint to ``to``. Fails as "not reached", "blocked" or "slipped".

    ``enough`` is a sufficient position (default: nine tenths of the way). ``travel`` replaces what
    follows when the hand is before the handle.
    """
    joint = str(handle.joint)
    start = built.position(joint)
    good = start + 0.9 * (to - start) if enough is None else enough
    if (start - good) * np.sign(to - start) >= 0:
        return
    entity = built.links[handle.link].entity
    reason = MotionFailure("not reached", f"{built.name}'s {handle.name}")
    slants, slips = slants_and_slips(built, handle)
    whole, flap = True, is_flap(built, joint)
    for _ in range(_TRIES):
        now = built.position(joint)
        stop = to if whole else now + _PART * (to - now)
        holds = [
            hold(built, handle, grasp, stop, *slant, slip)
            for grasp in handle.grasps
            for slant in slants
            for slip in slips
        ]
        ways = [one.way for one in holds]
        touch = (built.articulation, handle.link, grip_pieces(built, handle))
        try:
            try:
                wish = ReachWish(arm, ways, touch, rides=True, leaves=show_end(built, joint, to))
                with arm.motion.base.expecting(arm):
                    if flap:  # a finger goes between the bar and the door
                        yield from arm.open_gripper(handle.grasps[0].width + _NARROW)
                    solution = yield from reach_one(arm, wish, rng, shut=flap)
            except MotionFailure as error:
                if error.name != "not reached" or not whole:
                    raise
                whole = False
                continue
            if travel is None:
                yield from arm.along(solution, 0, touch=touch)
                held = yield from arm.close_gripper()
                if held and arm.motion.touches(arm.finger_links, entity):
                    way = np.concatenate([solution.part(1), solution.part(2)[1:]])
                    yield from arm.go_row(solution, way, pace=pace, touch=touch)
            else:
                chosen = next(one for one in holds if one.way is solution.reach)
                held = yield from travel(replace(chosen, enough=good), solution)
            yield from arm.open_gripper()
            yield from retreat(arm, rng, touch)
        finally:
            arm.motion.base.release(arm)
        for _ in range(FALLS):
            if (built.position(joint) - good) * np.sign(to - start) >= 0:
                return
            yield
        reason = MotionFailure(
            "slipped" if held else "blocked", f"off {built.name}'s {handle.name}"
        )
    raise reason


def show_end(built: BuiltBody, joint: str, to: float) -> Callable[[Space], None]:
    """Return a function that shows the joint in its final position: a flap falls fully open."""
    falls = is_flap(built, joint) and to > built.position(joint)
    end = built.body.joint(joint).limits[1] if falls else to
    return lambda space: space.move_joint(built.articulation, joint, end)


def grip_pieces(built: BuiltBody, handle: BodyHandle) -> frozenset[int] | None:
    """Return the pieces of a link that are meant to be held, if any; not the door itself."""
    shapes = built.body.link(handle.link).shapes
    return frozenset(i for i, one in enumerate(shapes) if one.material == "handle") or None


def retreat(arm: Arm, rng: np.random.Generator, touch: Touch) -> Steps[None]:
    """Retreat straight off the handle, wherever it ended, then retract the arm."""
    yield from arm.back_off(_BEFORE, touch=touch)
    arm.motion.space.update()
    yield from arm.motion.base.retire(arm, rng)
