"""Pushing doors and drawers shut with a closed hand against their outer face.

Pushing demands little of the wrist, since the fingers need not rotate with a handle. If no place
for the hand is found, the handle is held and moved back. A low flap is pushed up at its free edge,
by fingers that come down over it: a fist does not fit under it.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from typing import TYPE_CHECKING

import numpy as np

from treec_sapien.bodies.spec import BodyHandle, Shape
from treec_sapien.motion.articulated import (
    FALLS,
    at_position,
    grip_pieces,
    handle_row,
    is_flap,
    retreat,
    show_end,
    turn,
)
from treec_sapien.motion.base import ReachWish
from treec_sapien.motion.failure import MotionFailure
from treec_sapien.motion.frames import Array, about, compose, matrix, translate
from treec_sapien.motion.grasp import reach_one
from treec_sapien.motion.reach import ReachRow

if TYPE_CHECKING:
    from treec_sapien.build import BuiltBody
    from treec_sapien.motion.arm import Arm, Steps

_X, _Y, _Z = np.eye(3)
_LEANS = ((_X, 0.0), *((axis, sign * 0.6) for axis in (_X, _Y) for sign in (1.0, -1.0)))
"""Tilts of the hand from perpendicular to the face, about the bar and across it."""

_OVER = tuple((_X, sign * lean) for lean in (1.75, 1.95, 2.15, 2.35) for sign in (1.0, -1.0))
"""The same for a flap."""

_ROLLS = 2
_SLIPS, _FLAP_SLIPS = (0.0, 1.0), (1.0, 0.8)
_TIP = 0.013  # approximate radius of the fingertips (m)
_OFF = (0.09, 0.13)  # distances (m) from the bar: along it beyond its end, and across it
_EDGE = 0.03  # distance from the leaf's edges (m)
_ALONG = (0.0, 0.14, -0.14, 0.2, -0.2)  # positions along a flap's edge
_PAST = 0.022  # how far the fingers reach past that edge (m)
_PRESS = 0.006  # how far beyond the face the fingertips are driven (m)
_CLEAR = 0.015  # a finger comes down this far (m) in front of a flap's edge, not onto it
_TRIES = 2
_PACE = 0.5


def shut(
    arm: Arm,
    built: BuiltBody,
    handle: BodyHandle,
    to: float,
    rng: np.random.Generator,
    *,
    enough: float,
) -> Steps[None]:
    """Push a handle's joint down to ``to``, at least to ``enough``; else move it by the handle.

    Fails as :func:`turning.turn` does.
    """
    joint = str(handle.joint)
    held = grip_pieces(built, handle) or frozenset()
    count = len(built.body.link(handle.link).shapes)
    face = frozenset(range(count)) - held
    touch = (built.articulation, handle.link, face)
    for _ in range(_TRIES if held and face else 0):
        if built.position(joint) <= enough:
            return
        flap = is_flap(built, joint)  # no room beside its edge for the last bit
        ways = pushes(arm, built, handle, max(to, 0.75 * enough) if flap else to)
        try:
            wish = ReachWish(arm, ways, touch, rides=True, leaves=show_end(built, joint, to))
            with arm.motion.base.expecting(arm):
                yield from arm.close_gripper()
                solution = yield from reach_one(arm, wish, rng, shut=True)
            yield from arm.along(solution, 0, touch=touch)
            travel = np.concatenate([solution.part(1), solution.part(2)[1:]])
            yield from arm.go_row(solution, travel, pace=_PACE, touch=touch)
            yield from retreat(arm, rng, touch)
        except MotionFailure as error:
            if error.name not in ("not reached", "blocked"):
                raise
            break
        finally:
            arm.motion.base.release(arm)
        for _ in range(FALLS):
            if built.position(joint) <= enough:
                return
            yield
    yield from turn(arm, built, handle, to, rng, enough=enough)


def pushes(arm: Arm, built: BuiltBody, handle: BodyHandle, to: float) -> list[ReachRow]:
    """Return ways to push the leaf to which a handle is mounted, beside the handle."""
    joint = str(handle.joint)
    flap = is_flap(built, joint)
    leans, slips = (_OVER, _FLAP_SLIPS) if flap else (_LEANS, _SLIPS)
    depth = np.array([0.0, 0.0, (_PAST if flap else _TIP) - arm.about.gripper.depth])
    out = []
    for point in spots(built, handle):
        if not _goes_along(built, handle, point, to):
            continue
        for (axis, lean), roll in itertools.product(leans, range(_ROLLS)):
            turned = about(axis, lean) @ about(_Z, np.pi * roll / _ROLLS)
            # away from the contact: back from a face, beside the finger at an edge
            away = -_Z + turned[:, 2] * turned[2, 2] if flap else -_Z
            away /= np.linalg.norm(away)
            beside = turned.T @ away * _CLEAR if flap else None
            away *= _TIP - _PRESS
            tool = translate(translate(point, own=away) @ compose(turned, np.zeros(3)), own=depth)
            for slip in slips:
                cost = 0.05 * abs(lean) + 0.02 * slip
                out.append(
                    handle_row(built, handle, tool, to, slip, name="push", cost=cost, beside=beside)
                )
    return out


def spots(built: BuiltBody, handle: BodyHandle) -> Iterator[Array]:
    """Return poses (4, 4) on the outer face in the link's frame: +z into it, x along the bar."""
    shapes = built.body.link(handle.link).shapes
    bar = [shape for shape in shapes if shape.material == "handle"]
    frame = matrix(handle.grasps[0].pose)
    turn = frame[:3, :3]
    others = (shape for shape in shapes if shape.material != "handle")
    leaf = max(others, key=lambda shape: _face(shape, turn), default=None)
    if not bar or leaf is None or leaf.kind != "box":
        return
    middle, half = turn.T @ np.array(leaf.p), np.abs(turn.T) @ np.array(leaf.half_size)
    centre = turn.T @ frame[:3, 3]
    long = max(float((np.abs(turn.T) @ np.array(one.half_size))[0]) for one in bar)
    aside = [(0.0, _OFF[1]), (0.0, -_OFF[1]), (long + _OFF[0], 0.0), (-long - _OFF[0], 0.0)]
    edge = _EDGE
    if is_flap(built, str(handle.joint)):
        free = middle[1] + np.sign(centre[1] - middle[1]) * half[1] - centre[1]
        aside, edge = [(along, float(free)) for along in _ALONG], 0.0
    for x, y in aside:
        point = np.array([centre[0] + x, centre[1] + y, middle[2] - half[2]])
        if np.all(np.abs(point - middle)[:2] <= half[:2] - edge + 1e-6):
            yield compose(turn, turn @ point)


def _face(shape: Shape, turn: Array) -> float:
    """The size (m2, a quarter of it) of a shape seen along the bar's z."""
    return float(np.prod((np.abs(turn.T) @ np.array(shape.half_size))[:2]))


def _goes_along(built: BuiltBody, handle: BodyHandle, point: Array, to: float) -> bool:
    """Whether a point of the link moves in the push direction when the joint goes to ``to``."""
    joint = str(handle.joint)
    now = built.position(joint)
    here, there = (
        at_position(built, joint, position, handle.link) @ point
        for position in (now, now + 0.05 * np.sign(to - now))
    )
    return bool((there - here)[:3, 3] @ here[:3, 2] > 0)
