"""Stirring beside a person: makes room when their hand is going to be at the container.

Every new outlook is looked at: where a hand or a forearm comes nearer to the space of the container
than the protective distance within the next second, the arm stops, lifts the tool out and draws
back; when the space has been free for a while, it comes back the way it went and goes on.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np

from treec_sapien.manipulation import held_body
from treec_sapien.motion.failure import MotionFailure
from treec_sapien.motion.frames import Array, Index, line, translate
from treec_sapien.motion.ik import track
from treec_sapien.motion.rail import LOOKS, Rail
from treec_sapien.motion.timing import resample, time_parametrize
from treec_sapien.person.arm_shape import ArmShape
from treec_sapien.person.figure import NECK, between
from treec_sapien.person.guard import HAND_PARTS, distances
from treec_sapien.person.outlook import PersonOutlook
from treec_sapien.person.separation import protective_distance
from treec_sapien.skills.stir.evasion import WayJudge, straight_ways

if TYPE_CHECKING:
    import numpy.random

    from treec_sapien.motion.arm import Arm
    from treec_sapien.motion.reach import ReachSolution
    from treec_sapien.worker import PhysicalAct, Steps

SPEED = 0.25
"""Speed (m/s) of a stirring tool, for the protective distance."""

ABOVE = 0.25
"""Height (m) of the space above a container that is the hand's when it comes."""

GRACE = 0.3
"""Seconds for which an arm only waits where there is no forecast: poses may be late for a moment,
which says nothing about where the person is going."""

FREE = 0.4
"""Seconds for which the space must be free before the arm comes back."""

HASTE = (1.4, 2.5)
"""By how much an arm that draws back is faster, and accelerates more, than in other motions.

A Panda's own limits are 2.2 rad/s and 7.5 rad/s²; other motions use 1.5 and 3.
"""

_BRAKE = 1.0 / 5
"""Largest change of the rate in a control step where an arm stops to make room."""

NEED, BETTER = 0.2, 0.05
"""An arm that will come nearer (m) than the first to the person, where it makes room, goes on to
where it stays that much farther from them."""

_LIFTED = 0.03
"""Metres below its highest place above the container at which the tool is out of it."""

BEYOND = 0.3
"""Seconds beyond the end of a forecast for which a hand is expected to go on: to lift a tool out
and draw back takes longer than the forecast of a hand that comes with 2 m/s."""

_LAST, _STEPS = 0.2, 4  # s, of which the velocity in the end is taken; moments beyond it

_CUT = 0.15
"""Rad (of the fastest joint) before the tool is lifted out at which it begins to draw back: by then
it is above the rim, and a hand is there a second after it was forecast."""

_GAP = 0.05  # rad between two tested configurations of a way out

_MOVED = 0.03
"""Metres that the container may be from where it was for the ways planned there to do."""

_LIKE = 0.05
"""Metres that joints may be elsewhere for what was looked for in vain to be looked for no more."""

_HELD_UP = 120
"""Control steps for which something may be in the arm's way back before another one is planned."""

_TURNS = (0.0, 0.5, -0.5, 1.0, -1.0)
"""Turns (rad) of the first joint, from rest, of the places to draw back to."""


def away_from(outlook: PersonOutlook, point: Array) -> Array:
    """Return the level direction (2,) from a person to a point; any, if they were never seen."""
    if not len(outlook.times):
        return np.array([1.0, 0.0])
    way = point[:2] - outlook.joints[0, NECK, :2]
    return np.asarray(way / max(float(np.linalg.norm(way)), 1e-6))


class Overtaken(Exception):
    """What was planned does no longer: the container is elsewhere, or there is no way back."""


Capsules = tuple[Array, Array, Array]
"""Begins, ends and radii, as `ArmShape.capsules` gives them."""


def gone_on(known: PersonOutlook) -> PersonOutlook:
    """Return an outlook in which who still moves where it ends goes on so, for `BEYOND`.

    How far they may be off grows as it did last.
    """
    times = known.times
    last = times >= times[-1] - _LAST
    seconds = float(times[-1] - times[last][0])
    if seconds <= 0.0:
        return known
    velocity = (known.joints[-1] - known.joints[last][0]) / seconds
    grows = max(float(known.spread[-1] - known.spread[last][0]) / seconds, 0.0)
    ahead = BEYOND * np.arange(1, _STEPS + 1) / _STEPS
    return replace(
        known,
        times=np.concatenate([times, times[-1] + ahead]),
        joints=np.concatenate([known.joints, known.joints[-1] + ahead[:, None, None] * velocity]),
        spread=np.concatenate([known.spread, known.spread[-1] + ahead * grows]),
        onward=None,
    )


def blended(path: Array, corner: int) -> Array:
    """Return a path (n, joints) whose corner, by its number, is cut by a parabola.

    From `_CUT` before it to as much after it, or half way where a side is shorter.
    """
    gap = _CUT / 10
    before, after = resample(path[: corner + 1], gap), resample(path[corner:], gap)
    ends = []
    for side in (before[::-1], after):
        far = np.cumsum(np.r_[0.0, np.abs(np.diff(side, axis=0)).max(axis=1)])
        ends.append(int(np.searchsorted(far, min(_CUT, far[-1] / 2))))
    first, last = len(before) - 1 - ends[0], ends[1]
    share = np.linspace(0.0, 1.0, 10)[:, None]
    bend = (1 - share) ** 2 * before[first] + share**2 * after[last]
    bend = bend + 2 * share * (1 - share) * path[corner]
    return np.concatenate([before[:first], bend, after[last + 1 :]])


class PotSpace:
    """The upright cylinder of a container and of what is above it."""

    def __init__(self, middle: Array, radius: float, low: float, high: float) -> None:
        self.radius = radius
        self._axis = np.array([[*middle, low], [*middle, high + ABOVE]])

    def contains(self, point: Array) -> bool:
        """Whether a point (3) is in it."""
        low, high = self._axis[:, 2]
        apart = float(np.linalg.norm(point[:2] - self._axis[0, :2]))
        return apart < self.radius and bool(low - 0.01 <= point[2] <= high)

    def room(self, outlook: PersonOutlook, now: float, arm: Capsules | None = None) -> float:
        """Return by how much (m) hands stay out of the protective distance in the next second.

        To the space, and to an ``arm`` at work there. Below 0 one comes in. Infinite if nobody is
        there, minus infinite if nothing is known.
        """
        if outlook.absent:
            return np.inf
        if outlook.is_blind:
            return -np.inf
        readings = outlook.until(now, 2.0).readings()
        return min(self._room(gone_on(known), now, arm) for known in readings)

    def _room(self, known: PersonOutlook, now: float, arm: Capsules | None) -> float:
        begin, end = known.capsules()
        apart = between(begin[:, HAND_PARTS], end[:, HAND_PARTS], self._axis[0], self._axis[1])
        apart = (apart - known.radii[HAND_PARTS]).min(axis=1) - self.radius
        if arm is not None:
            to_arm = distances(arm, known)[..., HAND_PARTS].min(axis=(0, 2, 3))
            apart = np.minimum(apart, to_arm)
        margin = protective_distance(SPEED, known.person_speed, 0.0) + known.further
        if known.basis != "forecast":
            margin += known.person_speed * max(0.0, now - known.seen)
        return float((apart - known.spread - margin).min())


class ReactiveStirring:
    """One stirring, from above the container and back to above it."""

    def __init__(
        self,
        act: PhysicalAct,
        arm: Arm,
        solution: ReachSolution,
        space: Callable[[], PotSpace],
        container: Any,
        rng: numpy.random.Generator,
    ) -> None:
        person = act.watched()
        assert person is not None
        self._act, self._arm, self._found, self._space = act, arm, solution, space()
        self._space_now = space
        self._person = person
        self._container = container
        self._where = np.array(container.pose.p) if container is not None else np.zeros(3)
        self._free_since = -np.inf
        self._looked: PersonOutlook | None = None
        self._is_free = True
        self._waits = False
        self._forecast_at = -np.inf
        shape = ArmShape(arm, held_body(act, act.arg("tool")))
        self._judge = WayJudge(arm, shape, act.now)
        self._at_work: Capsules | None = shape.capsules(solution.part(1)[::4])
        self._no_farther_from: Array | None = None
        """The joints of the person from whom there was no way farther, where they still are."""
        self._ways = self._ways_out(rng)

    def run(self, rounds: int, pace: float) -> Steps:
        """Lower the tool, stir, and lift it; makes room meanwhile as often as it must.

        When closed half way, the joints hold. Raises Overtaken where it has to be planned anew.
        """
        parts = [self._rows(self._found.part(0), pace)]
        ring = self._rows(self._found.part(1), pace)
        parts += [ring if number % 2 == 0 else ring[::-1] for number in range(rounds)]
        parts.append(self._rows(self._found.part(2), pace))
        arm = self._arm
        work = Rail(arm.motion, arm.side, arm.joints, np.concatenate(parts))
        try:
            while work.place < work.last:
                self._look()
                if self._waits:
                    work.step(0.0, slew=_BRAKE)
                else:
                    work.step()
                yield
                if not self._is_free and work.is_still:
                    yield from self._make_room()
        finally:
            work.leave()
            if work.place < work.last:
                arm.robot.hold(arm.about.joints)

    def _look(self) -> bool:
        """Whether there is a new outlook, by which the space is free or not from now on."""
        outlook, now = self._person.outlook, self._act.now()
        if outlook is self._looked:
            return False
        self._looked = outlook
        if self._has_moved():
            self._space, self._at_work = self._space_now(), None
        if outlook.basis == "forecast":
            self._forecast_at = now
        room = self._space.room(outlook, now, self._at_work)
        if room >= 0:
            self._free_since = min(self._free_since, now)
            self._waits = False
            return True
        self._waits = True
        if outlook.basis != "forecast" and now - self._forecast_at <= GRACE:
            return True
        self._free_since = np.inf
        if self._is_free:
            self._is_free = False
            self._act.note(f"makes room for {self._person.name}", reacts=True, basis=outlook.basis)
        return True

    def _make_room(self) -> Steps:
        arm = self._arm
        self._no_farther_from = None
        now = arm.robot.targets()[arm.joints]
        arm.motion.space.update()
        lift = np.concatenate([now[None], self._up()])
        ways = [np.concatenate([lift, way]) for way in self._ways]
        path = self._best(ways, len(lift))
        path = lift if path is None else blended(path, len(lift) - 1)
        rows = self._parametrized(path, 1.0, HASTE)
        room = self._hasty_rail(np.concatenate([now[None], rows]))
        ticks, is_free, held_up = 0, True, 0
        while True:
            is_new = self._look()
            back = self._act.now() >= self._free_since + FREE
            held_up = held_up + 1 if back and not is_free and room.is_still else 0
            if back and (held_up > _HELD_UP or self._has_moved()) and self._is_above():
                self._act.note(f"goes on otherwise: {self._person.name} has gone", resumes=True)
                raise Overtaken
            way = -1.0 if back else 1.0
            if ticks % LOOKS == 0:  # something may have come there since
                is_free = self._is_passable(room, way)
            ticks += 1
            if is_new and not back and room.is_still:  # at its end, or held up
                farther = self._farther(room, is_free)
                if farther is not None:
                    room, is_free = self._onward(room, farther), True
            room.step(way if is_free else 0.0)
            yield
            if back and room.place == 0.0:
                self._is_free = True
                self._act.note(f"goes on stirring: {self._person.name} has gone", resumes=True)
                return

    def _has_moved(self) -> bool:
        """Whether the container is elsewhere than where it was when this was planned."""
        if self._container is None:
            return False
        return float(np.linalg.norm(self._container.pose.p - self._where)) > _MOVED

    def _best(self, paths: list[Array], lifted: int = 1) -> Array | None:
        """The free one of the paths that stays farthest from the person; None if none is free.

        The first ``lifted`` points of each are not tested.
        """
        outlook = self._person.outlook
        for path in self._judge.best_first(paths, outlook):
            if self._all_free(resample(path[lifted - 1 :], _GAP)):
                return path
        return None

    def _farther(self, room: Rail, is_free: bool) -> Array | None:
        """A path to where the arm will stay farther from the person, if it needs one."""
        arm, outlook = self._arm, self._person.outlook
        if self._is_as_it_was(outlook.joints):
            return None
        left = room.rows[int(room.place) :]
        have = self._judge.clearance(left if is_free else left[:1], outlook)
        if have >= NEED or not self._is_above():
            return None
        chain = arm.robot.qpos[arm.robot.indices(arm.chain.names)]
        chain[self._arm_in_chain] = now = arm.robot.targets()[arm.joints]
        away = away_from(outlook, arm.tcp[:3, 3])
        ways = [np.concatenate([now[None], way]) for way in straight_ways(arm, chain, away)]
        enough = [it for it in ways if self._judge.clearance(it, outlook) > have + BETTER]
        arm.motion.space.update()
        best = self._best(enough)
        self._no_farther_from = outlook.joints if best is None else None
        return best

    def _is_as_it_was(self, joints: Array) -> bool:
        """Whether the person's joints (n, 7, 3) are where there was no way farther from them."""
        before = self._no_farther_from
        if before is None or before.shape != joints.shape:
            return False
        return bool(np.abs(joints - before).max(initial=0.0) < _LIKE)

    def _is_above(self) -> bool:
        """Whether the tool is out of the container."""
        above = self._arm.chain.poses(self._found.part(0)[0])
        return bool(self._arm.tcp[2, 3] > above[2, 3] - _LIFTED)

    def _onward(self, room: Rail, path: Array) -> Rail:
        """From where the arm stands along a path; back along it and all the way it has come."""
        begun = room.rows[: int(room.place) + 1]
        if np.abs(path[0] - begun[-1]).max() > 1e-3:  # between two rows, or pushed off them
            begun = np.concatenate([begun, self._parametrized(np.stack([begun[-1], path[0]]), 1.0)])
        rail = self._hasty_rail(np.concatenate([begun, self._parametrized(path, 1.0, HASTE)]))
        rail.place = len(begun) - 1.0
        return rail

    def _hasty_rail(self, rows: Array) -> Rail:
        """One that does not begin more slowly than its rows, which begin at rest."""
        rail = Rail(self._arm.motion, self._arm.side, self._arm.joints, rows)
        rail.rate = 1.0
        return rail

    def _is_passable(self, rail: Rail, way: float) -> bool:
        """Whether the next rows are clear of everything but the person, whom the guard minds."""
        ahead = rail.ahead(way)[:: LOOKS // 2]
        self._arm.motion.space.update()
        return self._all_free(ahead)

    def _all_free(self, path: Array) -> bool:
        """Whether the arm, on its way out of the container or back, is free (n, joints)."""
        arm = self._arm
        q = arm.robot.qpos
        rows = np.repeat(q[None], len(path), axis=0)
        rows[:, arm.joints] = path
        space = arm.motion.space
        with (
            space.without(self._ignored()),
            arm.may_touch(self._container),
            space.ignore_contacts(q, arm.joints),
        ):
            return space.all_free(rows)

    def _ignored(self) -> list[Any]:
        """The person, whom the guard minds, and what is stirred."""
        person = [part.entity for part in self._person.links.values()]
        return person + [
            built.entity
            for built in self._act.kitchen.bodies.values()
            if built.articulation is None
            and not built.body.fixed
            and built.entity != self._container
            and self._space.contains(np.array(built.entity.pose.p))
        ]

    def _up(self) -> Array:
        """Joints of the arm (n, joints) that lift the tool straight out, to above the container."""
        arm = self._arm
        q = arm.robot.qpos[arm.robot.indices(arm.chain.names)]
        above = arm.chain.poses(self._found.part(0)[0])
        rise = max(0.0, float(above[2, 3] - arm.tcp[2, 3]))
        way = np.stack(line(arm.tcp, translate(arm.tcp, world=np.array([0.0, 0.0, rise]))))
        rows, fine = track(arm.chain, way[None], q[None], free=self._arm_in_chain)
        if not fine[0]:
            raise MotionFailure("not reached", "a way for the tool out of the container")
        return np.asarray(rows[0][:, self._arm_in_chain])

    def _ways_out(self, rng: numpy.random.Generator) -> list[Array]:
        """Paths (n, joints) from above the container to where they may leave room for the person.

        Straight ways out, and to where the first joint is turned from rest. Where none is free, one
        around what is there to one of these places; where there is none of these either, no way.
        """
        arm = self._arm
        q = arm.robot.qpos
        now = q[arm.joints]
        away = away_from(self._person.outlook, arm.tcp[:3, 3])
        ways = straight_ways(arm, q[arm.robot.indices(arm.chain.names)], away)
        homes = [arm.home + turn * np.eye(len(arm.home))[0] for turn in _TURNS]
        ways += [np.stack([now, home]) for home in homes]
        free = [way for way in ways if self._all_free(resample(way, 2 * _GAP))]
        if free:
            return free
        body = self._person.outlook.joints[-1:] if len(self._person.outlook.times) else None
        goals = []
        for turn, goal in zip(_TURNS, homes, strict=True):
            there = arm.robot.qpos
            there[arm.joints] = goal
            if arm.motion.space.free(there):
                tcp = arm.chain.poses(there[arm.robot.indices(arm.chain.names)])[:3, 3]
                far = 0.0 if body is None else float(np.linalg.norm(body[0] - tcp, axis=1).min())
                goals.append((far - 0.05 * abs(turn), goal))
        for _, goal in sorted(goals, key=lambda one: -one[0]):
            back = arm.path_to([goal], rng)
            if back is not None:
                return [back]
        return [now[None]]

    def _rows(self, chain: Array, pace: float) -> Array:
        return self._parametrized(chain[:, self._arm_in_chain], pace)

    def _parametrized(
        self, path: Array, pace: float, haste: tuple[float, float] = (1.0, 1.0)
    ) -> Array:
        about = self._arm.about
        limits = haste[0] * np.array(about.velocity), haste[1] * np.array(about.acceleration)
        return time_parametrize(path, *limits, pace=pace)

    @property
    def _arm_in_chain(self) -> Index:
        return self._arm.chain.where(self._arm.about.joints)
