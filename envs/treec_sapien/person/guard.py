"""Holds for all motions of all skills: no robot comes nearer to a person than its speed allows.

Every row of joints that an arm or a base follows goes through the guard. Where the robot would come
nearer to where a person is or will be until it has stopped, its speed is limited by
`separation.largest_speed`; where it moves away, it is not, if that is away from wherever they may
be. At no speed at all it waits. An arm that a person pushes gives way: it neither presses back, nor
goes on as if it were where it is not.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from treec_sapien.motion.frames import Array, Index
from treec_sapien.motion.timing import CONTROL
from treec_sapien.person.arm_shape import ArmShape
from treec_sapien.person.figure import HANDS, RADII, between
from treec_sapien.person.outlook import PersonOutlook
from treec_sapien.person.separation import (
    SLOW,
    STOPPING,
    largest_speed,
    protective_distance,
    worst_approach,
)

if TYPE_CHECKING:
    from treec_sapien.build import BuiltBody
    from treec_sapien.motion.arm import Arm
    from treec_sapien.motion.motion import Motion
    from treec_sapien.person.person import Person

Mask = npt.NDArray[np.bool_]

HORIZON = 0.4
"""Seconds ahead in which a person's forecast is looked at, at most: to react, and to stop from
1 m/s."""

ANEW = 1.0 / 15
"""Seconds until what is known of a person is known anew."""

NEAR_HAND = 0.25
"""Largest speed (m/s) towards a hand that a thing is handed to."""

SLOW_WITHIN = 0.15
"""Metres from that hand within which it holds."""

OWN_HAND, OWN_ARM = 0.01, 0.02
"""Metres that the gripper itself keeps from it, and the rest of the arm, beyond what the hand's
present place may be off. The gripper's capsules have all of it in them, so that what is left is the
uncertainty of the robot's own place (`Stopping.robot_error`); an arm's links are only about as wide
as theirs."""

CREEP = 0.04
"""Speed (m/s) at which a robot may come nearer to a person at any distance if they are not where
they are thought to be, but somewhere else where they may be as well."""

BY = 0.2
"""Speed (m/s) towards a person at which a base drives by them: half of Stretch's, at which it goes
straight on."""

PUSHED = 0.03
"""How far (rad, m) a joint is from its target, beyond what it moves in a control step, if its arm
is pushed. At 2000 Nm/rad it then presses back with 60 Nm."""

SLIPPED = 0.01
"""Metres that an end of what is held moves in the hand within `_ANEW` if somebody pushes it."""

PUSHES_WITHIN = 0.3
"""Metres from the arm within which somebody may be who pushes it, or pushes a thing against it."""

ABOUT_ARM = 0.3
"""Metres by which an arm, with what it holds, sticks out of the box around its joints at most."""

FINGER, AT_FINGER = 0.012, 0.01
"""Radius (m) of a finger, and how near (m) to it a hand is at it."""

AFTER_PUSH = 0.5
"""Seconds for which a robot that was pushed stands still: whoever did that is not where they were
thought to be."""

_BRAKES = 4.0
"""Speed (m/s) of the arm itself towards that hand for each metre that is left to what it keeps from
it. An arm needs v T_r + v²/(2 a) to stop from v, which is less than the v/4 that it has up to
1.2 m/s (`Stopping`); see `beside_given`."""

_ANEW = 0.25  # s
_STEADY = 1e-4  # m in a control step: neither nearer nor away


class SeparationGuard:
    """Limits one robot's speed by its distance to the people in the kitchen."""

    def __init__(
        self,
        people: Mapping[str, Person],
        motion: Motion,
        held: Callable[[Arm], BuiltBody | None],
        clock: Callable[[], float],
    ) -> None:
        self._people = people
        self._motion = motion
        self._held = held
        self._clock = clock
        self._shapes: dict[str, tuple[Any, float, ArmShape]] = {}
        self.giving_to: str | None = None
        """The person whose hands may be approached, slowly."""
        self.held_up_by = ""
        """Who left the least of its speed when that was last asked for, if anybody took some."""
        self._pushed = -np.inf

    @property
    def bodies(self) -> Mapping[str, Sequence[Any]]:
        """The entities of each person's body, by the person's name."""
        return {
            it.name: [part.entity for part in it.links.values()] for it in self._people.values()
        }

    def margins(self) -> Mapping[str, float]:
        """Return how far (m) from each person a robot is not stopped that drives by slowly."""
        return {it.name: self._margin(it.outlook) for it in self._people.values()}

    def _margin(self, outlook: PersonOutlook) -> float:
        if not len(outlook.times):
            return 0.0
        known = outlook.until(self._clock(), 0.0)
        off = float(known.spread.max()) + outlook.further
        off += 0.0 if outlook.wider is None else float(outlook.wider.max())
        return protective_distance(BY, outlook.person_speed, off)

    def share(self, joints: Index, here: Array, ahead: Array, steps: float) -> float:
        """Return the share (0 to 1) of its speed that a robot may have.

        ``here`` and ``ahead`` are positions of its ``joints``, ``steps`` control steps apart at
        full speed.
        """
        self.held_up_by = ""
        if self._clock() - self._pushed < AFTER_PUSH:
            return 0.0
        share = 1.0
        q = self._motion.robot.qpos
        rows = np.stack([q, q])
        rows[0, joints], rows[1, joints] = here, ahead
        for arm in self._motion.arms.values():
            chain = rows[:, self._motion.robot.indices(arm.chain.names)]
            shape = self._shape(arm)
            capsules = shape.capsules(chain)
            keeps = np.full(len(capsules[2]) - shape.has_tool, OWN_ARM)
            keeps[-shape.gripper_capsules :] = OWN_HAND
            for person in self._people.values():
                left = self._share_for(person, capsules, keeps, steps * CONTROL)
                if left < share:
                    share = left
                    self.held_up_by = person.name
        return share

    def reason(self, person: str) -> str:
        """Return in words why that person holds the robot up."""
        if self._people[person].outlook.basis == "lost":
            return f"{person} is not seen, and may be in the way"
        return f"{person} is in the way"

    def leaves_room(self, rows: Array) -> Mask:
        """Return at which configurations (n, joints) nobody is too near to move at all.

        If they stay where they are. The hands and forearms of who is given to may be near.
        """
        fine = np.ones(len(rows), dtype=bool)
        for arm in self._motion.arms.values():
            chain = rows[:, self._motion.robot.indices(arm.chain.names)]
            shape = self._shape(arm).capsules(chain)
            for person in self._people.values():
                outlook = person.outlook
                if not len(outlook.times):
                    continue
                known = outlook.until(self._clock(), 0.0)
                apart = distances(shape, known)
                if person.name == self.giving_to:
                    apart = apart[..., BODY_PARTS]
                apart = apart.min(axis=(2, 3)) - known.spread - outlook.further
                fine &= largest_speed(apart.min(axis=1), SLOW, 0.0, STOPPING) > CREEP
        return fine

    def give_way(self) -> None:
        """Hold arms that are pushed, while a person is near, where they have been pushed to.

        So is an arm if what it holds is pushed, which turns in the hand.

        To be called after each control step. Whoever follows rows finds other targets than it set.
        """
        robot, now = self._motion.robot, self._clock()
        for arm in self._motion.arms.values():
            if not self._may_be_reached(arm):
                continue
            drives = [robot.joint(name) for name in arm.about.joints]
            targets = np.array([float(it.drive_target[0]) for it in drives])
            late = np.array([abs(float(it.drive_velocity_target[0])) for it in drives]) * CONTROL
            off = np.abs(targets - robot.qpos[arm.joints]) - late
            slips = arm.holding is not None and self._shape(arm).slipped() > SLIPPED
            if (off.max() > PUSHED or slips) and self._is_somebody_near(arm):
                robot.hold(arm.about.joints)
                self._pushed = now
                self._shapes.pop(arm.side, None)

    def _may_be_reached(self, arm: Arm) -> bool:
        """Whether anybody may be near the box around an arm, who would have to be to push it.

        A bound that takes little time, for `_is_somebody_near`.
        """
        robot = self._motion.robot
        links = [robot.joint(name).child_link for name in arm.about.joints]
        links.append(robot.link(arm.about.tcp))
        places = np.array([link.entity_pose.p for link in links])
        low, high = places.min(axis=0), places.max(axis=0)
        now = self._clock()

        def may_be(outlook: PersonOutlook) -> bool:
            under, over = outlook.bounds
            apart = np.linalg.norm(np.maximum(np.maximum(under - high, low - over), 0.0))
            moved = outlook.person_speed * max(0.0, now - outlook.seen)
            return float(apart) - moved - outlook.further < PUSHES_WITHIN + ABOUT_ARM

        return self._is_anybody(may_be)

    def may_open(self, arm: Arm, finger: int) -> bool:
        """Whether nobody may be where a finger, by its number, opens to.

        A hand may be there that is within `AT_FINGER` and what its place may be off, and to which
        the finger would come nearer; or anybody of whom nothing is known.
        """
        links = [self._motion.robot.link(it[0]) for it in arm.about.gripper.links]
        base, other = (np.array(links[at].entity_pose.p) for at in (finger, 1 - finger))
        across = base - other
        across = across / max(float(np.linalg.norm(across)), 1e-9)
        tool = arm.tcp
        along = float((tool[:3, 3] - base) @ tool[:3, 2]) + arm.about.gripper.depth
        begin = np.stack([base, base + AT_FINGER * across])
        shape = begin[:, None], (begin + along * tool[:3, 2])[:, None], np.array([FINGER])
        now = self._clock()

        def is_in_its_way(outlook: PersonOutlook) -> bool:
            known = outlook.until(now, 0.0)
            near = AT_FINGER + _moved_since(outlook, now) + outlook.further + known.spread
            apart = distances(shape, known)
            comes = apart[1] < apart[0] - AT_FINGER / 4
            return bool((comes & (apart[0] < near[:, None, None])).any())

        return not self._is_anybody(is_in_its_way)

    def _is_somebody_near(self, arm: Arm) -> bool:
        """Whether anybody may be so near to the arm that they push it."""
        now = self._clock()
        q = self._motion.robot.qpos[self._motion.robot.indices(arm.chain.names)]
        shape = self._shape(arm).capsules(q[None])

        def is_near(outlook: PersonOutlook) -> bool:
            known = outlook.until(now, 0.0)
            off = float(known.spread.max()) + outlook.further
            off += outlook.person_speed * max(0.0, now - outlook.seen)
            return float(distances(shape, known).min()) - off < PUSHES_WITHIN

        return self._is_anybody(is_near)

    def _is_anybody(self, there: Callable[[PersonOutlook], bool]) -> bool:
        """Whether anybody may be ``there``: those of whom nothing is known may be anywhere."""
        outlooks = (person.outlook for person in self._people.values())
        return any(it.is_blind or (not it.absent and there(it)) for it in outlooks)

    def _shape(self, arm: Arm) -> ArmShape:
        """The arm with what it holds, taken anew a few times a second: it may slip."""
        known = self._shapes.get(arm.side)
        now = self._clock()
        if known is None or known[0] is not arm.holding or now - known[1] > _ANEW:
            known = arm.holding, now, ArmShape(arm, self._held(arm))
            self._shapes[arm.side] = known
        return known[2]

    def _share_for(
        self, person: Person, shape: tuple[Array, Array, Array], keeps: Array, seconds: float
    ) -> float:
        """For one person; the first capsules of the shape are the arm's own.

        ``keeps`` (their number; m) is how far each of them keeps from a hand that is given to.
        """
        outlook = person.outlook
        if outlook.absent:
            return 1.0
        if outlook.is_blind:
            return 0.0
        now = self._clock()
        moved = _moved_since(outlook, now)
        speeds = _speeds(shape, seconds)
        if person.name != self.giving_to:
            least = _least_room(shape, outlook) - outlook.further - moved
            if largest_speed(least, outlook.person_speed, 0.0, STOPPING) >= speeds.max():
                return 1.0  # as it would be below
        known = outlook.until(now, HORIZON)
        apart = distances(shape, known)  # (2, times, links, parts)
        error = np.full(apart.shape[1:], outlook.further + moved)
        error += known.spread[:, None, None]
        giving = person.name == self.giving_to
        if giving:
            error[..., HAND_PARTS] = outlook.further + moved + known.spread[0]
        room = apart[0] - error
        allowed = largest_speed(room, outlook.person_speed, 0.0, STOPPING)
        share = 1.0
        if giving:  # what is held may come to the hand, slowly; the arm keeps from it
            hands = apart[..., HAND_PARTS].min(axis=(1, 2, 3))
            speed = (hands[0] - hands[1]) / seconds
            if hands[0] < SLOW_WITHIN and speed > NEAR_HAND:
                share = NEAR_HAND / float(speed)
            own = room[:, : len(keeps), HAND_PARTS] - keeps[:, None]
            allowed[..., HAND_PARTS] = np.inf
            allowed[:, : len(keeps), HAND_PARTS] = beside_given(own, outlook.lacking)
        towards = (apart[0] - apart[1]) / seconds
        middles = apart[0] + shape[2][:, None] + known.radii
        off = error if known.wider is None else error + known.wider
        worst = worst_approach(towards, speeds[:, None], middles, off)
        before = is_before_stop(known.times - now, speeds)[..., None]
        if giving:  # who is approached on purpose is not dodged
            before = np.ones_like(before)
        for speed, most in ((towards, allowed), (worst, np.maximum(allowed, CREEP))):
            coming = before & (speed > _STEADY / CONTROL)
            share = min(share, float((most[coming] / speed[coming]).min(initial=1.0)))
        return share


def _least_room(shape: tuple[Array, Array, Array], outlook: PersonOutlook) -> float:
    """A lower bound (m) of the distances to wherever a person may be: that of the boxes around."""
    begin, end, radii = shape
    low, high = outlook.bounds
    under = np.minimum(begin, end).min(axis=(0, 1)) - radii.max()
    over = np.maximum(begin, end).max(axis=(0, 1)) + radii.max()
    return float(np.linalg.norm(np.maximum(np.maximum(under - high, low - over), 0.0)))


def beside_given(room: Array, lacking: float) -> Array:
    """Return the largest speeds (m/s) of the arm itself towards a hand that is given to.

    ``room`` (…, m) is what is left to what it keeps from the hand. Until the arm has stopped, in
    T_r + v / a, the hand comes nearer with the speed (m/s) that its forecast is ``lacking``
    (`PersonOutlook`; 0 for who is forecast to stay): v is `_BRAKES` times what is left by then.
    """
    left = np.maximum(room - lacking * STOPPING.reaction, 0.0)
    return np.asarray(left / (1.0 / _BRAKES + lacking / STOPPING.deceleration))


def is_before_stop(ahead: Array, speed: Array) -> Mask:
    """Return which of the seconds ``ahead`` (n) pass before parts with a speed (k, m/s) can stop.

    As (n, k); times ascend. What is there later does not touch what moves now: an arm that makes
    room for a hand was stopped where the hand would be in 0.4 s, and that came to it. The first
    time after that counts, too: until then somebody is on their way there.
    """
    until = STOPPING.reaction + speed / STOPPING.deceleration + ANEW
    earlier = np.concatenate([[-np.inf], ahead[:-1]])
    return np.asarray(earlier[:, None] <= until)


def _moved_since(outlook: PersonOutlook, now: float) -> float:
    """How far (m) somebody may have moved, beyond their outlook, since they were last seen."""
    speed = outlook.lacking if outlook.basis == "forecast" else outlook.person_speed
    return speed * max(0.0, now - outlook.seen)


def _speeds(shape: tuple[Array, Array, Array], seconds: float) -> Array:
    """The largest speed (m/s) of a point of each capsule between two shapes."""
    ends = np.stack(shape[:2])  # (2 ends, 2 shapes, links, 3)
    return np.asarray(np.linalg.norm(ends[:, 1] - ends[:, 0], axis=-1).max(axis=0) / seconds)


HAND_PARTS = np.array((5, 6, *HANDS))
"""Forearms and hands, by the number of their capsule."""

BODY_PARTS = np.array([part for part in range(len(RADII)) if part not in HAND_PARTS])


def distances(shape: tuple[Array, Array, Array], outlook: PersonOutlook) -> Array:
    """Return the distances (n, times, links, parts) between surfaces; below 0: they overlap."""
    begin, end, radii = shape
    first, second = outlook.capsules()
    apart = between(
        begin[:, None, :, None],
        end[:, None, :, None],
        first[None, :, None],
        second[None, :, None],
    )
    return np.asarray(apart - radii[:, None] - outlook.radii)
