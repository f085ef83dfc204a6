"""Putting down what a hand holds: onto or into something, upright, from above or the front."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from envs.bodies.spec import Region
from envs.sapien.motion.base import Wish
from envs.sapien.motion.failed import Failed
from envs.sapien.motion.frames import Array, about, at, compose, inverse, matrix, shifted
from envs.sapien.motion.reach import Reach, through
from envs.sapien.motion.space import Space
from envs.sapien.motion.taking import go_to_one

if TYPE_CHECKING:
    from envs.sapien.build import Built
    from envs.sapien.motion.arm import Arm, Steps

_Z = np.array([0.0, 0.0, 1.0])
_ABOVE = np.array([0.0, 0.0, 0.14])
_HOVER = 0.006  # how far above the surface the hand lets go (m)
_FOOT = 0.015  # so far around its middle a thing must be borne (m)
_AWAY = np.array([0.0, 0.0, -0.1])
_OVER = np.array([0.0, 0.0, 0.03])
_SPOTS, _WIDE = 6, 40  # places tried in a small region and in a wide one
_DROPS = (0.0, 0.02, 0.045, 0.08, 0.11)
_TURNS = 8
_MOST = 8  # spots of each height of fall that the arm is solved for


@dataclass(frozen=True)
class Spot:
    """Where a thing shall stand (its origin, in the scene), and how it comes there."""

    pose: Array
    front: Array | None = None  # the level direction, out of the opening, it comes in from
    cost: float = 0.0
    drop: float = 0.0  # how far it falls


def spots_in(
    region: Region, frame: Array, rng: np.random.Generator, *, radius: float, near: Array
) -> list[Spot]:
    """Places in a region whose link is at ``frame``, those ``near`` the hand (x, y, …) first.

    ``radius`` of the thing keeps it off the edges (m). Into narrow things the hand cannot follow to
    the bottom: there it lets go a little higher, if it must.
    """
    half = np.array(region.half_size[:2])
    half = np.maximum(half - np.minimum(radius, half), 0.0)
    wide = bool(np.max(half) > 0.15)
    base = -region.half_size[2] + _HOVER
    heading = float(np.arctan2(frame[1, 0], frame[0, 0]))
    front = -frame[:3, 1] if region.kind == "in" else None
    out = []
    for number in range(_WIDE if wide else _SPOTS):
        share = np.zeros(2) if number == 0 else rng.uniform(-1, 1, 2)
        for drop in _DROPS if region.kind == "in" else (0.0,):
            x, y = share * half
            place = (frame @ at(*region.p) @ at(x, y, base + drop))[:3, 3]
            far = float(np.linalg.norm(place[:2] - near[:2]))
            turns = rng.permutation(_TURNS)[:3] if wide else range(_TURNS)
            for turn in turns:
                pose = compose(about(_Z, heading + 2 * np.pi * turn / _TURNS), place)
                out.append(Spot(pose, front, 0.1 * far + 2.0 * drop, drop))
    return sorted(out, key=lambda spot: spot.cost)


def reaches(arm: Arm, built: Built, held: Array, spots: Sequence[Spot]) -> list[Reach]:
    """The hand's ways that bring what it holds (``held``: the thing in the tool's frame) to spots.

    Only where the thing itself has room: at the spot, and above it or before it on its way there.
    """
    space = arm.motion.space
    out: list[Reach] = []
    for drop in sorted({spot.drop for spot in spots}):
        count = 0
        for spot in (spot for spot in spots if spot.drop == drop):
            if count >= _MOST:
                break
            if not space.fits(built.entity, spot.pose) or not _supported(arm, spot):
                continue
            ways = [
                *_from_above(space, built, held, spot),
                *(_from_front(space, built, held, spot) if spot.front is not None else ()),
            ]
            count += bool(ways)
            out += ways
    return out


def _supported(arm: Arm, spot: Spot) -> bool:
    """Whether there is something to stand on below the middle of a spot and around it."""
    physics = arm.motion.scene.physx_system
    for x, y in ((0.0, 0.0), (_FOOT, 0.0), (-_FOOT, 0.0), (0.0, _FOOT), (0.0, -_FOOT)):
        place = spot.pose[:3, 3] + np.array([x, y, 0.0])
        if physics.raycast(place, np.array([0.0, 0.0, -1.0]), spot.drop + _HOVER + 0.02) is None:
            return False
    return True


def _from_above(space: Space, built: Built, held: Array, spot: Spot) -> list[Reach]:
    heights = (0.03, 0.07, _ABOVE[2])
    if not all(space.fits(built.entity, shifted(spot.pose, world=_Z * z)) for z in heights):
        return []
    goal = spot.pose @ inverse(held)
    keys = [shifted(goal, world=_ABOVE), goal]
    away = shifted(goal, world=_ABOVE) if goal[2, 2] < -0.5 else shifted(goal, own=_AWAY)
    return [through([*keys, away], [9, 7], name="from above", cost=spot.cost)]


def _from_front(space: Space, built: Built, held: Array, spot: Spot) -> list[Reach]:
    assert spot.front is not None
    level = (0.08, 0.16, 0.3)
    lifted = shifted(spot.pose, world=_OVER)
    if not all(space.fits(built.entity, shifted(lifted, world=x * spot.front)) for x in level):
        return []
    goal = spot.pose @ inverse(held)
    over = shifted(goal, world=_OVER)
    before = shifted(over, world=0.3 * spot.front)
    straight = [before, over, goal, shifted(goal, world=0.24 * spot.front)]
    off = shifted(goal, own=_AWAY)
    around = [before, over, goal, off, shifted(off, world=0.2 * spot.front)]
    out = [through(around, [15, 2, 7, 10], pivot=2, name="from the front", cost=spot.cost + 0.03)]
    if float(goal[:3, 2] @ spot.front) < -0.85:  # or the fingers would sweep it along
        out.append(
            through(straight, [15, 2, 12], pivot=2, name="from the front", cost=spot.cost + 0.02)
        )
    return out


def put(
    arm: Arm,
    built: Built,
    spots: Sequence[Spot],
    rng: np.random.Generator,
) -> Steps[None]:
    """Put what the hand holds at one of the spots. Fails as "not reached", "blocked", "dropped"."""
    if arm.holding is None or not arm.grips(built.entity):
        arm.detach()
        raise Failed("dropped", f"{built.name} before it was put down")
    held = inverse(arm.tcp) @ matrix(built.pose())
    arm.motion.space.update()
    ways = reaches(arm, built, held, spots)
    if not ways:
        raise Failed("blocked", f"no room for {built.name}")
    try:
        (options,) = yield from arm.motion.base.ask(rng, Wish(arm, ways, built.entity))
        found = yield from go_to_one(arm, options, rng)
        last = found.reach.pivot
        for part in range(last):
            yield from arm.along(found, part, pace=0.5)
        if not arm.grips(built.entity):
            arm.detach()
            raise Failed("dropped", f"{built.name} on the way")
        yield from arm.let_go()
        arm.detach()
        arm.motion.space.update()
        for part in range(last, len(found.reach.marks) - 1):
            yield from arm.along(found, part, touch=built.entity)
        yield from arm.rest(rng)
    finally:
        arm.motion.base.release(arm)
