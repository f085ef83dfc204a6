"""Stirring beside a person: makes room when their hand is going to be at the container.

Every new outlook is looked at: where a hand or a forearm comes nearer to the space of the container
than the protective distance within the next second, the arm stops, lifts the tool out and draws
back; when the space has been free for a while, it comes back the way it went and goes on.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from treec.envs.sapien.handling import held_body
from treec.envs.sapien.motion.failure import MotionFailure
from treec.envs.sapien.motion.frames import Array, Index, line, translate
from treec.envs.sapien.motion.ik import track
from treec.envs.sapien.motion.rail import LOOKS, Rail
from treec.envs.sapien.motion.timing import resample, time_parametrize
from treec.envs.sapien.person.arm_shape import ArmShape
from treec.envs.sapien.person.figure import NECK, RADII, between
from treec.envs.sapien.person.guard import HAND_PARTS, distances
from treec.envs.sapien.person.outlook import PersonOutlook
from treec.envs.sapien.person.separation import protective_distance

if TYPE_CHECKING:
    import numpy.random

    from treec.envs.sapien.motion.arm import Arm
    from treec.envs.sapien.motion.reach import ReachSolution
    from treec.envs.sapien.worker import PhysicalAct, Steps

SPEED = 0.25
"""Speed (m/s) of a stirring tool, for the protective distance."""

ABOVE = 0.25
"""Height (m) of the space above a container that is the hand's when it comes."""

FREE = 0.4
"""Seconds for which the space must be free before the arm comes back."""

_WAYS = tuple(
    (turn, far, rise)
    for far in (0.4, 0.3, 0.2)
    for rise in (0.0, 0.1)
    for turn in (0.0, 0.5, -0.5, 1.0, -1.0)
)
"""Ways to draw back: turned (rad) from straight away from the person; how far, how high (m)."""

HASTE = (1.3, 2.0)
"""By how much an arm that draws back is faster, and accelerates more, than in other motions.

A Panda's own limits are 2.2 rad/s and 7.5 rad/s²; other motions use 1.5 and 3.
"""

_GAP = 0.05  # rad between two tested configurations of a way out

_TURNS = (0.0, 0.5, -0.5, 1.0, -1.0)
"""Turns (rad) of the first joint, from rest, of the places to draw back to."""


def away_from(outlook: PersonOutlook, point: Array) -> Array:
    """Return the level direction (2,) from a person to a point; any, if they were never seen."""
    if not len(outlook.times):
        return np.array([1.0, 0.0])
    way = point[:2] - outlook.joints[0, NECK, :2]
    return np.asarray(way / max(float(np.linalg.norm(way)), 1e-6))


Capsules = tuple[Array, Array, Array]
"""Begins, ends and radii, as `ArmShape.capsules` gives them."""


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

    def clearance(self, shape: Capsules) -> float:
        """Return the distance (m) of an arm's capsules (1, k) to the space."""
        begin, end, radii = shape
        apart = between(begin[0], end[0], self._axis[0], self._axis[1])
        return float((apart - radii).min()) - self.radius

    def room(self, outlook: PersonOutlook, now: float) -> float:
        """Return by how much (m) hands stay out of the protective distance in the next second.

        Below 0 one comes in. Infinite if nobody is there, minus infinite if nothing is known.
        """
        if outlook.absent:
            return np.inf
        if outlook.is_blind:
            return -np.inf
        known = outlook.until(now, 2.0)
        begin, end = known.capsules()
        apart = between(begin[:, HAND_PARTS], end[:, HAND_PARTS], self._axis[0], self._axis[1])
        apart = apart.min(axis=1) - RADII[HAND_PARTS[0]] - self.radius
        margin = protective_distance(SPEED, outlook.person_speed, 0.0) + outlook.further
        if outlook.basis != "forecast":
            margin += outlook.person_speed * max(0.0, now - outlook.seen)
        return float((apart - known.spread - margin).min())


class ReactiveStirring:
    """One stirring, from above the container and back to above it."""

    def __init__(
        self,
        act: PhysicalAct,
        arm: Arm,
        found: ReachSolution,
        space: PotSpace,
        container: Any,
        rng: numpy.random.Generator,
    ) -> None:
        person = act.watched()
        assert person is not None
        self._act, self._arm, self._found, self._space = act, arm, found, space
        self._person = person
        self._container = container
        self._free_since = -np.inf
        self._looked: PersonOutlook | None = None
        self._is_free = True
        self._ways = self._ways_out(rng)

    def run(self, rounds: int, pace: float) -> Steps:
        """Lower the tool, stir, and lift it; makes room meanwhile as often as it must.

        When closed half way, the joints hold.
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
                work.step(1.0 if self._is_free else 0.0)
                yield
                if not self._is_free and work.is_still:
                    yield from self._make_room()
        finally:
            work.leave()
            if work.place < work.last:
                arm.robot.hold(arm.about.joints)

    def _look(self) -> None:
        """Whether the space is free, by the newest outlook."""
        outlook = self._person.outlook
        if outlook is self._looked:
            return
        self._looked = outlook
        room = self._space.room(outlook, self._act.now())
        if self._is_free and room < 0:
            self._is_free = False
            self._act.note(f"makes room for {self._person.name}", reacts=True, basis=outlook.basis)
        if room < 0:
            self._free_since = np.inf
        elif self._free_since == np.inf:
            self._free_since = self._act.now()

    def _make_room(self) -> Steps:
        arm = self._arm
        now = arm.robot.targets()[arm.joints]
        arm.motion.space.update()
        path = np.concatenate([now[None], self._up(), self._clearest()])
        rows = np.concatenate([now[None], self._parametrized(path, 1.0, HASTE)])
        room = Rail(arm.motion, arm.side, arm.joints, rows)
        ticks, is_free = 0, True
        while True:
            self._look()
            back = self._act.now() >= self._free_since + FREE
            way = -1.0 if back else 1.0
            if ticks % LOOKS == 0:  # something may have come there since
                is_free = self._is_passable(room, way)
            ticks += 1
            room.step(way if is_free else 0.0)
            yield
            if back and room.place == 0.0:
                self._is_free = True
                self._act.note(f"goes on stirring: {self._person.name} has gone", resumes=True)
                return

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

    def _ways_out(self, rng: numpy.random.Generator) -> list[tuple[Array, Capsules]]:
        """Paths (n, joints) from above the container to where they may leave room for the person.

        Straight ways out; if none is free, one to one of a few places near the rest. Each with the
        arm's and the tool's capsules at its end.
        """
        arm = self._arm
        q = arm.robot.qpos
        now = q[arm.robot.indices(arm.chain.names)]
        away = away_from(self._person.outlook, arm.tcp[:3, 3])
        shape = ArmShape(arm, held_body(self._act, self._act.arg("tool")))
        found: list[tuple[Array, Capsules]] = []
        for turn, far, rise in _WAYS:
            c, s = np.cos(turn), np.sin(turn)
            level = far * np.array([c * away[0] - s * away[1], s * away[0] + c * away[1]])
            end = translate(arm.tcp, world=np.array([*level, rise]))
            way = np.stack(line(arm.tcp, end, 0.03))
            rows, fine = track(arm.chain, way[None], now[None], free=self._arm_in_chain)
            if fine[0] and arm.motion.space.all_free(arm.whole(q, rows[0])):
                path = np.asarray(rows[0][:, self._arm_in_chain])
                found.append((path, shape.capsules(rows[0][-1:])))
        if found:
            return found
        body = self._person.outlook.joints[-1:] if len(self._person.outlook.times) else None
        goals = []
        for turn in _TURNS:
            goal: Array = arm.home.copy()
            goal[0] += turn
            there = arm.robot.qpos
            there[arm.joints] = goal
            if arm.motion.space.free(there):
                tcp = arm.chain.poses(there[arm.robot.indices(arm.chain.names)])[:3, 3]
                far = 0.0 if body is None else float(np.linalg.norm(body[0] - tcp, axis=1).min())
                goals.append((far - 0.05 * abs(turn), goal))
        for _, goal in sorted(goals, key=lambda one: -one[0]):
            back = arm.path_to([goal], rng)
            if back is not None:
                now[self._arm_in_chain] = goal
                return [(back, shape.capsules(now[None]))]
        return [(np.asarray(q[arm.joints][None]), shape.capsules(now[None]))]

    def _clearest(self) -> Array:
        """The way out at whose end there is most room to the person and the container's space.

        Of those that are free now; where none is, none: to be above the container must do.
        """
        outlook = self._person.outlook.until(self._act.now(), 2.0)

        def clear(capsules: Capsules) -> float:
            space = self._space.clearance(capsules)
            if not len(outlook.times):
                return space
            return min(space, float((distances(capsules, outlook)).min()))

        for path, _ in sorted(self._ways, key=lambda one: -clear(one[1])):
            if self._all_free(resample(path, _GAP)):
                return path
        return np.zeros((0, len(self._arm.joints)))

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
