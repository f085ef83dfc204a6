"""Putting down what a hand holds: onto or into something, upright, from above or from the front."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import numpy as np

from treec_sapien.bodies.fits import LEAST, size
from treec_sapien.bodies.spec import Region
from treec_sapien.motion.activity import Activity
from treec_sapien.motion.base import ReachWish
from treec_sapien.motion.failure import MotionFailure
from treec_sapien.motion.frames import Array, about, at, compose, inverse, matrix, translate
from treec_sapien.motion.grasp import go_to_one
from treec_sapien.motion.reach import ReachRow, ReachSolution, go_on_from, through
from treec_sapien.motion.space import Space
from treec_sapien.motion.tilted_place import STEEP, tilt_spots
from treec_sapien.toppled import as_held_spots

if TYPE_CHECKING:
    from treec_sapien.build import BuiltBody
    from treec_sapien.motion.arm import Arm, Steps

Release = Callable[[ReachSolution], "Steps[None]"]
"""Brings what is held the last straight bit to its spot, where the hand then lets go."""

_Z = np.array([0.0, 0.0, 1.0])
_ABOVE = np.array([0.0, 0.0, 0.14])
_HOVER = 0.006  # height above the surface at release (m)
_FOOT = LEAST / 2  # radius around its middle in which a thing must be supported (m)
_AWAY = np.array([0.0, 0.0, -0.1])
_OVERS = (0.06, 0.03)  # entry height (m) above the spot: over a rack's edge if possible
_LEVEL_WAY = (0.04, 0.08, 0.12, 0.16, 0.22, 0.3)
_SPOTS, _WIDE = 14, 40  # spots tried in a small region and in a wide one
_DROPS = (0.0, 0.02, 0.045, 0.08, 0.11)
_LOW = 2  # of these in wide regions
_TURNS = 8
_ATTEMPTS, _STANDS = 20, 2  # attempts at a spot; of those after there was no path
_PATIENCE = 1.0  # seconds before looking for room again
_LEVEL = 0.25  # things this far above one another (m) do not collide
_REPLANS = 3  # attempts to replan after a thing moved in the hand
_MAX_SHIFT, _MAX_TURN = 0.02, 0.05  # m, rad: a shift in the hand beyond this changes the path
_TURNED = 0.3  # multiple of that beyond which a place that is out of reach is sought again
_FAR_OFF = 4.0  # multiple of that beyond which it would not stand when released
_ROUND = 1.5  # a thing less high than that many times its width, or less wide, is round
_BESIDE, _CROWDED = 0.015, 3.0  # clearance (m) to a vessel's wall, and the cost (1/m) of less
_FROM_BELOW = 0.3  # z component of an approach from which on a hand would come from below
_MOST = 8  # spots of each group for which the arm is solved


@dataclass(frozen=True)
class Spot:
    """Where a thing's origin goes (in the scene), and from which direction."""

    pose: Array
    front: Array | None = None  # the level direction, out of the opening, from which it comes in
    cost: float = 0.0
    drop: float = 0.0  # height of its fall
    foot: Array = field(default_factory=lambda: np.zeros(3))  # offset to the middle of its base
    room: float | None = None  # distance to the walls around it (m), if any

    @property
    def group(self) -> tuple[bool, float]:
        """What a group of spots has in common: the thing's orientation and its fall."""
        return bool(np.any(self.foot)), self.drop


def spots_in(
    region: Region,
    frame: Array,
    rng: np.random.Generator,
    *,
    radius: float,
    near: Array,
    front: Array | None = None,
) -> list[Spot]:
    """Return spots in a region whose link is at ``frame``, those ``near`` the hand (x, y, …) first.

    ``radius`` of the thing keeps it off the edges (m). ``front`` is the level direction out of it
    where something is above. In narrow things the hand cannot follow to the bottom; there it may
    release a little higher.
    """
    half = np.array(region.half_size[:2])
    half = np.maximum(half - np.minimum(radius, half), 0.0)
    wide = bool(np.max(half) > 0.15)
    base = -region.half_size[2] + _HOVER
    heading = float(np.arctan2(frame[1, 0], frame[0, 0]))
    if front is None and region.kind == "in":
        front = -frame[:3, 1]
    drops: tuple[float, ...] = (0.0,)
    if region.kind == "in":  # round things would roll away where a hand reaches the bottom
        drops = _DROPS[:_LOW] if wide else _DROPS
    out = []
    for number in range(_WIDE if wide else _SPOTS):
        share = np.zeros(2) if number == 0 else rng.uniform(-1, 1, 2)
        room = float(np.min(half - np.abs(share * half))) if region.kind == "in" else None
        narrow = 0.0
        if room is not None and not wide:  # vessels are round: their regions' corners are not
            edge = float(min(region.half_size[:2])) - radius - float(np.hypot(*(share * half)))
            narrow = _CROWDED * max(0.0, _BESIDE - min(room, edge))
        for drop in drops:
            x, y = share * half
            place = (frame @ at(*region.p) @ at(x, y, base + drop))[:3, 3]
            far = float(np.linalg.norm(place[:2] - near[:2]))
            turns = rng.permutation(_TURNS)[:3] if wide else range(_TURNS)
            for turn in turns:
                pose = compose(about(_Z, heading + 2 * np.pi * turn / _TURNS), place)
                cost = 0.1 * far + 2.0 * drop + narrow
                out.append(Spot(pose, front, cost, drop, room=room))
    return sorted(out, key=lambda spot: spot.cost)


def reaches(
    arm: Arm, built: BuiltBody, held: Array, spots: Sequence[Spot], most: int = _MOST
) -> list[ReachRow]:
    """Return the hand's ways that bring what it holds (``held`` in the tool's frame) to spots.

    Only where the thing itself has room: at the spot, and above it or in front of it on the way.
    Of each group of spots ``most`` are taken, the first ones.
    """
    space = arm.motion.space
    out: list[ReachRow] = []
    for group in sorted({spot.group for spot in spots}):
        count = 0
        for spot in (spot for spot in spots if spot.group == group):
            if count >= most:
                break
            if not space.fits(built.entity, spot.pose) or not _is_supported(arm, spot):
                continue
            ways = [
                *_from_above(space, built, held, spot),
                *(_from_front(space, built, held, spot) if spot.front is not None else ()),
            ]
            count += bool(ways)
            out += ways
    return out


def _is_supported(arm: Arm, spot: Spot) -> bool:
    """Whether a thing would be supported below the middle of its base and around it."""
    physics = arm.motion.scene.physx_system
    for x, y in ((0.0, 0.0), (_FOOT, 0.0), (-_FOOT, 0.0), (0.0, _FOOT), (0.0, -_FOOT)):
        place = spot.pose[:3, 3] + spot.foot + np.array([x, y, 0.0])
        if physics.raycast(place, np.array([0.0, 0.0, -1.0]), spot.drop + _HOVER + 0.02) is None:
            return False
    return True


def _from_above(space: Space, built: BuiltBody, held: Array, spot: Spot) -> list[ReachRow]:
    heights = (0.03, 0.07, _ABOVE[2])
    if not all(space.fits(built.entity, translate(spot.pose, world=_Z * z)) for z in heights):
        return []
    goal = spot.pose @ inverse(held)
    keys = [translate(goal, world=_ABOVE), goal]
    away = translate(goal, world=_ABOVE) if goal[2, 2] < -0.5 else translate(goal, own=_AWAY)
    return [through([*keys, away], [9, 7], name="from above", cost=spot.cost)]


def _from_front(space: Space, built: BuiltBody, held: Array, spot: Spot) -> list[ReachRow]:
    assert spot.front is not None
    front = spot.front

    def passes(high: float) -> bool:
        ways = (x * front + high * _Z for x in _LEVEL_WAY)
        return all(space.fits(built.entity, translate(spot.pose, world=way)) for way in ways)

    high = next((high for high in _OVERS if passes(high)), None)
    if high is None:
        return []
    goal = spot.pose @ inverse(held)
    over = translate(goal, world=high * _Z)
    before = translate(over, world=0.3 * spot.front)
    straight = [before, over, goal, translate(goal, world=0.24 * spot.front)]
    off = translate(goal, own=_AWAY)
    around = [before, over, goal, off, translate(off, world=0.2 * spot.front)]
    out = [through(around, [24, 3, 7, 10], pivot=2, name="from the front", cost=spot.cost + 0.03)]
    if float(goal[:3, 2] @ spot.front) < -0.85:  # otherwise the fingers would sweep it along
        out.append(
            through(straight, [24, 3, 12], pivot=2, name="from the front", cost=spot.cost + 0.02)
        )
    return out


def put(
    arm: Arm,
    built: BuiltBody,
    spots: Sequence[Spot],
    rng: np.random.Generator,
    *,
    radius: float = 0.0,
    most: int = _MOST,
    release: Release | None = None,
) -> Steps[Array]:
    """Put what the hand holds at one of the spots; return its pose (4, 4) at release.

    ``radius`` is the thing's: two arms keep their spots that far apart. ``most`` is the number of
    spots of each group for which the arm is solved. ``release`` replaces the last straight part.
    Fails as "not reached",
    "blocked", "dropped", or "slipped" if it keeps turning between the fingers.
    """
    if arm.holding is None or not arm.grips(built.entity):
        arm.detach()
        raise MotionFailure("dropped", f"{built.name} before it was put down")
    try:
        for left in reversed(range(_REPLANS)):
            held = in_hand(arm, built)
            try:
                solution = yield from _bring(arm, built, held, spots, rng, radius, most)
            except MotionFailure as failure:
                if failure.name != "not reached" or not left:
                    raise
                if _changed(held, in_hand(arm, built)) <= _TURNED:
                    raise
                arm.motion.base.release(arm)  # it was planned for how it hung before the drive
                continue
            now = in_hand(arm, built)
            if _changed(held, now) <= 1.0:
                break
            if left:  # it turned between the fingers on the way
                arm.motion.base.release(arm)
                arm.careful = True
        if _misplaced(built, held, now) > _FAR_OFF:
            raise MotionFailure("slipped", f"{built.name} turns between the fingers")
        last = solution.reach.pivot
        for part in range(last if release is None else last - 1):
            yield from arm.along(solution, part, pace=0.5)
        if release is not None:
            yield from release(solution)
            problem = arm.problem(arm.robot.qpos)
            solution = go_on_from(problem, solution, last, problem.now)
        if not arm.grips(built.entity):
            arm.detach()
            raise MotionFailure("dropped", f"{built.name} on the way")
        yield from arm.let_go()
        arm.detach()
        arm.motion.claims.pop(arm.side, None)
        arm.motion.space.update()
        for part in range(last, len(solution.reach.marks) - 1):
            yield from arm.along(solution, part, touch=built.entity)
        yield from arm.motion.base.retire(arm, rng)
        return np.asarray(solution.reach.way[solution.reach.marks[last]] @ held)
    finally:
        arm.motion.claims.pop(arm.side, None)
        arm.motion.base.release(arm)


def in_hand(arm: Arm, built: BuiltBody) -> Array:
    """Return the pose of what an arm holds in its tool's frame (4, 4)."""
    return np.asarray(inverse(arm.tcp) @ matrix(built.pose()))


def _misplaced(built: BuiltBody, before: Array, now: Array) -> float:
    """How far a thing has moved in the hand; of something round, only how far its middle has.

    A pear may keep turning between the fingers, and lies well however it has turned.
    """
    extent = size(built.body)
    if max(extent) > _ROUND * min(extent):
        return _changed(before, now)
    middle = np.array([0.0, 0.0, extent[2] / 2, 1.0])
    return float(np.linalg.norm((now - before) @ middle)) / _MAX_SHIFT


def _changed(before: Array, now: Array) -> float:
    """How far a thing has moved in the hand: above 1 the path has to be planned again."""
    shift = float(np.linalg.norm(now[:3, 3] - before[:3, 3]))
    cosine = (float(np.trace(before[:3, :3].T @ now[:3, :3])) - 1) / 2
    return max(shift / _MAX_SHIFT, float(np.arccos(np.clip(cosine, -1.0, 1.0))) / _MAX_TURN)


def _bring(
    arm: Arm,
    built: BuiltBody,
    held: Array,
    spots: Sequence[Spot],
    rng: np.random.Generator,
    radius: float,
    most: int,
) -> Steps[ReachSolution]:
    """Bring it before a free spot; tilted, if it cannot be put down level."""
    reason = MotionFailure("blocked", f"no room for {built.name}")
    for there in _tilted_spots(arm, built, held, spots):
        if not there:
            continue
        try:
            return (yield from _reach_free(arm, built, held, there, rng, radius, most))
        except MotionFailure as failure:
            if failure.name != "not reached":
                raise
            reason = failure
        arm.motion.base.release(arm)
    raise reason


def _tilted_spots(
    arm: Arm, built: BuiltBody, held: Array, spots: Sequence[Spot]
) -> Iterator[Sequence[Spot]]:
    """The spots level, then tilted; without liquid also steeply between walls, and as held."""
    tool = inverse(held)
    level = [spot for spot in spots if (spot.pose @ tool)[2, 2] < _FROM_BELOW]
    yield level
    yield tilt_spots(built, held, level)
    if arm.upright is not None:
        return
    walled = [spot for spot in level if spot.room is not None]
    walled.sort(key=lambda spot: -(spot.room or 0.0))  # fingers need room, too
    yield tilt_spots(built, held, walled, STEEP)
    yield as_held_spots(built, held, spots)


def _reach_free(
    arm: Arm,
    built: BuiltBody,
    held: Array,
    spots: Sequence[Spot],
    rng: np.random.Generator,
    radius: float,
    most: int,
) -> Steps[ReachSolution]:
    """Bring the hand before a spot and claim the spot: another arm may be about to put something.

    From another base pose if there is no path from the first.
    """
    motion = arm.motion
    avoid: list[Array] = []
    for _ in range(_ATTEMPTS):
        motion.space.update()
        claims = [claim for side, claim in motion.claims.items() if side != arm.side]
        free = [spot for spot in spots if not is_claimed(spot.pose[:3, 3], radius, claims)]
        ways = reaches(arm, built, held, free, most)
        if not ways:
            if len(free) == len(spots):
                raise MotionFailure("blocked", f"no room for {built.name}")
            # the other arm may make room
            yield from motion.pause(_PATIENCE, Activity.ROOM, arm.side)
            continue
        wish = ReachWish(arm, ways, built.entity)
        (options,) = yield from motion.base.ask(rng, wish, avoid=tuple(avoid))
        claims = [claim for side, claim in motion.claims.items() if side != arm.side]
        options = [one for one in options if not is_claimed(_end(one, held), radius, claims)]
        if not options:  # taken meanwhile
            motion.base.release(arm)
            yield from motion.pause(_PATIENCE, Activity.ROOM, arm.side)
            continue
        motion.claims[arm.side] = (_end(options[0], held), radius)
        try:
            solution = yield from go_to_one(arm, options, rng)
        except MotionFailure as error:
            elsewhere = error.name == "blocked" and not error.person
            if not elsewhere or not motion.base.moves or len(avoid) >= _STANDS:
                raise
            avoid.append(motion.base.place)
            motion.claims.pop(arm.side)
            yield from motion.base.retire(arm, rng)
            continue
        motion.claims[arm.side] = (_end(solution, held), radius)
        return solution
    raise MotionFailure("blocked", f"no room for {built.name} beside what the other arm puts there")


def _end(solution: ReachSolution, held: Array) -> Array:
    """The end pose of what is held."""
    return np.asarray(
        (solution.reach.way[solution.reach.marks[solution.reach.pivot]] @ held)[:3, 3]
    )


def is_claimed(place: Array, radius: float, claims: Sequence[tuple[Array, float]]) -> bool:
    """Whether a spot is too near to one that another arm is about to use."""
    return any(
        float(np.hypot(*(place - other)[:2])) < radius + wide
        and abs(float(place[2] - other[2])) < _LEVEL
        for other, wide in claims
    )
