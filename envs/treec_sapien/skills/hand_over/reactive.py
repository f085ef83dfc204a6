"""Handing a thing to a moving hand: to where the wrist will be, slowly near it, until it is taken.

At each control step the arm aims at where the forecast of the hand ends, no earlier than it must,
and keeps the thing turned as it is, or as it was pushed. Near the hand it is slow. Where the
gripper is in its own way, beside the hand, the thing is brought around to the fingertips. When the
hand is at the thing for a moment, the fingers let go slowly, and the gripper draws back
(`withdraw`); where no hand comes, the arm gives up and keeps the thing.
"""

from __future__ import annotations

from collections.abc import Callable, Generator
from itertools import product
from typing import TYPE_CHECKING, Any

import numpy as np

from treec_sapien.motion.failure import MotionFailure
from treec_sapien.motion.frames import Array, compose, twist
from treec_sapien.motion.rail import LOOKS, VIEW
from treec_sapien.motion.release import GentleRelease
from treec_sapien.motion.timing import CONTROL
from treec_sapien.person.figure import HANDS, NECK, RADII, between, points
from treec_sapien.person.guard import NEAR_HAND
from treec_sapien.person.outlook import PersonOutlook

if TYPE_CHECKING:
    from treec_sapien.build import BuiltBody
    from treec_sapien.motion.arm import Arm
    from treec_sapien.person.person import Person
    from treec_sapien.worker import PhysicalAct, Steps

SPEED, ACCELERATION = 0.8, 2.5
"""Of the hand (m/s, m/s²), far from the person."""

NEAR = 0.22
"""Distance (m) from the person's hand below which it moves at `NEAR_HAND` at most."""

CRUISE = (0.1, 0.3)
"""Mean speeds (m/s) that are enough to be there with the hand: below the first it does not set out
yet, from the second on it hurries. What is forecast later is more certain, and the way to it more
direct."""

STAYS, STILL, LATER = 0.3, 0.25, 0.5
"""The thing is to be there when the hand is within so many metres: later, the hand would be in its
way. A hand that is forecast to be faster than so many m/s in the end takes longer, by so many s for
each m/s more."""

BESIDE = 0.1
"""Metres from the line from the person's wrist to their fingertips to the middle of the thing."""

TAKEN, FOR = 0.15, 0.25
"""The hand is at the thing when the line from its wrist to its fingertips is that near (m) to the
thing's middle for so long (s)."""

LEFT = 0.03
"""Metres farther than that at which a hand that was at the thing has left it: tracking is noisy."""

UNSEEN = 0.1
"""How far (m) a hand may be off that is hidden, above which nothing is given to it."""

OUT = 0.4
"""Level distance (m) of a hand from the neck from which on it reaches out."""

REACH = 0.72
"""How far (m) an arm reaches from its first joint."""

PATIENCE = 20.0
"""Seconds without a hand after which none comes any more."""

LONGEST = 40.0
"""Seconds after which a thing is not handed over, though a hand is there."""

HELD_UP, FOR_LONG = 0.25, 1.0
"""An arm of which the guard leaves less than this share of its speed for so long (s) is held up by
its own gripper beside the hand: what it holds goes around to the fingertips."""

LEAST = 0.2
"""Cosine of the angle between where the arm wants to go and a way around, at least."""

BACK = 0.12
"""Metres that the gripper draws back from a thing that was taken."""

_GAIN = 6.0  # 1/s
_LAST = 0.2  # s
_DAMPING = 0.05
_TURNS = 2.0  # 1/s
_PUSHED = 1e-3  # rad from the last target
_TIPS = {"left": (5, 7), "right": (6, 8)}
_PARTS = dict(zip(("left", "right"), HANDS, strict=True))


def nearest_on(begin: Array, end: Array, point: Array) -> Array:
    """Return the points (n, 3) on segments that are nearest to a point (3)."""
    along = end - begin
    share = ((point - begin) * along).sum(axis=1) / np.maximum((along**2).sum(axis=1), 1e-12)
    return np.asarray(begin + np.clip(share, 0.0, 1.0)[:, None] * along)


def arrival(ahead: Array, hand: Array) -> float:
    """Return in how many seconds a hand is near where its forecast (n, 3) ends.

    ``ahead`` (n) are the seconds to each of its places. A hand that still moves in the end goes on:
    `LATER` for each m/s that it has then.
    """
    apart = np.linalg.norm(hand - hand[-1], axis=1)
    moves = np.flatnonzero(apart > STAYS)
    at = int(moves[-1]) + 1 if len(moves) else 0
    last = ahead >= ahead[-1] - _LAST
    seconds = float(ahead[-1] - ahead[last][0])
    speed = float(np.linalg.norm(hand[-1] - hand[last][0])) / seconds if seconds > 0.0 else 0.0
    return max(float(ahead[at]), 0.0) + LATER * max(speed - STILL, 0.0)


def before_fingertips(wrist: Array, tip: Array) -> Array:
    """Return the place (3) `BESIDE` metres before a hand, as its fingers point."""
    along = tip - wrist
    return np.asarray(tip + BESIDE * along / max(float(np.linalg.norm(along)), 1e-9))


def way_around(wanted: Array, share: Callable[[Array], float]) -> Array:
    """Return the velocity (3) of the size of ``wanted`` that brings the arm on most.

    ``share`` (0 to 1) is what the guard leaves of one. No velocity if every one is held up that is
    not beside the point (`LEAST`).
    """
    size = float(np.linalg.norm(wanted))
    best, most = np.zeros(3), 0.0
    for each in product((-1.0, 0.0, 1.0), repeat=3):
        way = np.array(each)
        length = float(np.linalg.norm(way))
        on = float(way @ wanted) / max(length * size, 1e-9)
        if on > max(LEAST, most):
            on *= share(way / length * size)
            if on > most:
                best, most = way / length * size, on
    return best


def _at_most(velocity: Array, speed: float) -> Array:
    """A velocity (3) of that speed (m/s) at most."""
    return np.asarray(velocity * min(1.0, speed / max(float(np.linalg.norm(velocity)), 1e-9)))


def withdraw(act: PhysicalAct, arm: Arm, thing: Any) -> Steps:
    """Let go of a thing that a person has, draw back from it, and open on.

    Fingers open slowly, and not towards a hand that is at them (`GentleRelease`). Where the arm
    cannot draw back straight, they stay as they are: the hand is still beside them.
    """
    guard = act.kitchen.guards.get(act.robot.name)
    release = GentleRelease(arm, thing, lambda finger: guard is None or guard.may_open(arm, finger))
    try:
        while not release.is_done:
            release.step()
            yield
        arm.detach()
        has_moved = yield from _releasing(release, arm.back_off(BACK))
        if has_moved:
            release.open_on()
        while not release.is_done:
            release.step()
            yield
    finally:
        release.stop()
    if has_moved:
        act.note("has drawn back", withdrawn=True)
    else:
        act.note("cannot draw back straight: the fingers stay as they are", withdrawn=False)


def _releasing(
    release: GentleRelease, motion: Generator[None, None, bool]
) -> Generator[None, None, bool]:
    """Yield the same steps, with one of the release in each; return what the motion returns."""
    while True:
        try:
            next(motion)
        except StopIteration as end:
            return bool(end.value)
        release.step()
        yield


class HandingOver:
    """One handing over of what an arm holds."""

    def __init__(self, act: PhysicalAct, arm: Arm, thing: BuiltBody, person: Person) -> None:
        self._act, self._arm, self._thing, self._person = act, arm, thing, person
        self._q = arm.robot.targets()[arm.joints]
        self._speed = np.zeros(3)
        self._turn = arm.tcp[:3, :3].copy()
        self._blocked = False
        self._held_up = 0.0
        self._around: Array | None = None
        """The velocity on the way around to the fingertips; None on the direct way."""

    def run(self) -> Steps:
        """Go to the hand and wait until it has the thing. Raises MotionFailure("not taken")."""
        act, person = self._act, self._person
        began = hand_seen = act.now()
        since = np.inf
        guards = act.kitchen.guards
        guard = guards.get(act.robot.name)
        if guard is not None:
            guard.giving_to = person.name
        try:
            while True:
                side = self._side(person.outlook)
                within = TAKEN if since == np.inf else TAKEN + LEFT
                if side is not None and self._is_at_thing(side, within):
                    since = min(since, act.now())
                    if act.now() - since >= FOR:
                        break
                else:
                    since = np.inf
                if side is not None:
                    hand_seen = act.now()
                if act.now() > min(hand_seen + PATIENCE, began + LONGEST):
                    why = "takes it" if side is not None else "has come"
                    act.note(f"gives up: no hand of {person.name} {why}")
                    raise MotionFailure("not taken", f"the {self._thing.name} by {person.name}")
                self._step(side)
                yield
        finally:
            act.robot.hold(self._arm.about.joints)
            self._arm.motion.traffic.stop(self._arm.side)
            if guard is not None:
                guard.giving_to = None
        person.take(self._thing.name, self._thing.links["body"], side)
        act.note(f"lets go: {person.name} has the {self._thing.name}", released=True)

    def _side(self, outlook: PersonOutlook) -> str | None:
        """The hand that reaches out, if it will be within the arm's reach in the next second.

        A hidden wrist does not count: it may be elsewhere.
        """
        if not len(outlook.times):
            return None
        known = outlook.until(self._act.now(), 2.0)
        shoulder = self._shoulder()
        chosen = None
        farthest = OUT
        for side in _TIPS:
            if outlook.radii[_PARTS[side]] - RADII[_PARTS[side]] > UNSEEN:
                continue
            hand = self._hand(known, side)
            out = float(np.linalg.norm((hand - known.joints[:, NECK])[:, :2], axis=1).max())
            in_reach = float(np.linalg.norm(hand - shoulder, axis=1).min()) < REACH + BESIDE
            if in_reach and out > farthest:
                chosen, farthest = side, out
        return chosen

    def _shoulder(self) -> Array:
        """Where the arm's first joint is."""
        arm = self._arm
        q = arm.robot.qpos[arm.robot.indices(arm.chain.names)]
        places, _ = arm.chain.joints_and_poses(q[None])
        return np.asarray(places[0, arm.chain.where(arm.about.joints)[0]])

    def _hand(self, outlook: PersonOutlook, side: str) -> Array:
        """The middle of a hand at each time (n, 3)."""
        every = points(outlook.joints)
        wrist, tip = _TIPS[side]
        return np.asarray((every[:, wrist] + every[:, tip]) / 2)

    def _middle(self) -> Array:
        foot = np.array(self._thing.entity.pose.p, dtype=float)
        return np.asarray(foot + np.array([0.0, 0.0, self._height() / 2]))

    def _height(self) -> float:
        low, high = self._thing.links["body"].compute_global_aabb_tight()
        return float(high[2] - low[2])

    def _is_at_thing(self, side: str, within: float) -> bool:
        now = self._person.outlook.until(self._act.now(), 0.0)
        wrist, tip = (points(now.joints[0])[end] for end in _TIPS[side])
        here = self._middle()
        return float(between(wrist, tip, here, here)) < within

    def _goal(self, side: str) -> tuple[Array, float, float]:
        """Where the thing's middle is to be, how fast to go there, and how far the hand is now."""
        known = self._person.outlook.until(self._act.now(), 2.0)
        every, here = points(known.joints), self._middle()
        wrist, tip = (every[:, end] for end in _TIPS[side])
        nearest = nearest_on(wrist, tip, here)
        left = arrival(known.times - self._act.now(), (wrist + tip) / 2)
        way = nearest[-1] - here
        far = float(np.linalg.norm(way))
        ahead = way / far if far > 1e-6 else np.array([0.0, 0.0, -1.0])
        share = (abs(far - BESIDE) / max(left, 1e-3) - CRUISE[0]) / (CRUISE[1] - CRUISE[0])
        pace = SPEED * float(np.clip(share, 0.0, 1.0))
        return here + (far - BESIDE) * ahead, pace, float(np.linalg.norm(nearest[0] - here))

    def _step(self, side: str | None) -> None:
        arm = self._arm
        at = arm.robot.targets()[arm.joints]
        if np.abs(at - self._q).max() > _PUSHED:  # it has given way
            self._q, self._speed, self._turn = at, np.zeros(3), arm.tcp[:3, :3].copy()
        wanted = self._wanted(side)
        change = wanted - self._speed
        most = ACCELERATION * CONTROL
        self._speed = self._speed + change * min(
            1.0, most / max(float(np.linalg.norm(change)), 1e-9)
        )
        delta = self._joint_step(self._speed)
        if arm.motion.guard is not None:
            share = self._share(delta)
            delta = share * delta
            self._speed = self._speed * max(share, 0.0)
            self._note_held_up(side, wanted, share)
        if self._act.kitchen.ticks % LOOKS == 0:
            self._blocked = not self._is_free(delta)
        if self._blocked:
            delta = np.zeros_like(delta)
            self._speed = np.zeros(3)
        self._q = self._q + delta
        for joint, target, step in zip(arm.about.joints, self._q, delta, strict=True):
            drive: Any = arm.robot.joint(joint)
            drive.set_drive_target(float(target))
            drive.set_drive_velocity_target(float(step / CONTROL))

    def _wanted(self, side: str | None) -> Array:
        """The velocity (3) with which the thing is to move; 0 where no hand reaches out."""
        if side is None:
            return np.zeros(3)
        if self._around is not None:
            if self._act.kitchen.ticks % LOOKS == 0:
                self._around = self._to_fingertips(side)
            return self._around
        goal, pace, near = self._goal(side)
        return _at_most(
            _GAIN * (goal - self._middle()), min(NEAR_HAND, pace) if near < NEAR else pace
        )

    def _to_fingertips(self, side: str) -> Array:
        """The velocity (3) to before the fingertips, or around what is held up on the way there."""
        now = self._person.outlook.until(self._act.now(), 0.0)
        wrist, tip = (points(now.joints[0])[end] for end in _TIPS[side])
        wanted = _at_most(_GAIN * (before_fingertips(wrist, tip) - self._middle()), NEAR_HAND)
        share = self._share(self._joint_step(wanted))
        if share >= HELD_UP:
            return wanted
        return way_around(wanted, lambda way: self._share(self._joint_step(way)))

    def _note_held_up(self, side: str | None, wanted: Array, share: float) -> None:
        """Go around from when the guard has held the arm up for long, while the hand is there."""
        if side is None:
            self._held_up, self._around = 0.0, None
        elif share < HELD_UP and wanted.any():
            self._held_up += CONTROL
        elif self._around is None:
            self._held_up = 0.0
        if self._held_up > FOR_LONG and self._around is None:
            self._act.note(f"brings the {self._thing.name} around to the fingertips")
            self._around = np.zeros(3)

    def _share(self, delta: Array) -> float:
        """The share of a step of the arm's joints that the guard leaves."""
        ahead, guard = 4, self._arm.motion.guard
        if guard is None:
            return 1.0
        return guard.share(self._arm.joints, self._q, self._q + ahead * delta, float(ahead))

    def _is_free(self, delta: Array) -> bool:
        """Whether nothing but the person, whom the guard minds, is where the next steps lead."""
        arm, motion = self._arm, self._arm.motion
        ahead = self._q + np.arange(1, VIEW + 1)[:, None] * delta
        motion.space.update()
        q = arm.robot.qpos
        rows = np.repeat(q[None], 2, axis=0)
        rows[:, arm.joints] = ahead[[LOOKS - 1, 2 * LOOKS - 1]]
        person = [part.entity for part in self._person.links.values()]
        with motion.space.without(person), motion.space.ignore_contacts(q, arm.joints):
            free = motion.space.all_free(rows)
        free = free and motion.clear_ahead(arm.side, arm.joints, ahead)
        motion.traffic.set_out(arm.side, arm.joints, ahead if free else self._q[None])
        return free

    def _joint_step(self, velocity: Array) -> Array:
        """The arm's joints' step for a velocity (3) of the thing, turned as it was."""
        arm = self._arm
        chain = arm.chain
        own = chain.where(arm.about.joints)
        q = arm.robot.qpos[arm.robot.indices(chain.names)]
        q[own] = self._q
        poses, jacobians = chain.poses_and_jacobians(q[None])
        turned = twist(poses[0], compose(self._turn, poses[0][:3, 3]))[3:]
        wanted = np.concatenate([velocity, _TURNS * turned]) * CONTROL
        jacobian = jacobians[0][:, own]
        square = jacobian @ jacobian.T + _DAMPING**2 * np.eye(6)
        delta = jacobian.T @ np.linalg.solve(square, wanted)
        limits = np.array(arm.about.velocity) * CONTROL
        delta = delta * min(1.0, float((limits / np.maximum(np.abs(delta), 1e-9)).min()))
        low, high = chain.low[own] + 0.02, chain.high[own] - 0.02
        return np.asarray(np.clip(self._q + delta, low, high) - self._q)
