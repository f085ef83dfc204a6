"""A person in the kitchen: their body in physics, their motion, and what is known of them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from hashlib import sha256
from typing import Any

import numpy as np
import sapien

from treec_sapien.motion.frames import Array
from treec_sapien.person.figure import CAPSULES, HANDS, rotations, segments
from treec_sapien.person.motion import PlacedMotion, read_motion
from treec_sapien.person.setting_down import SettingDown, setting_down, smooth
from treec_sapien.person.tracking import JointTracking, TrackingNoise
from treec_sapien.person.watched import WatchedPerson

ROOM = 5.0
"""Distance (m) of the neck from the scene's origin beyond which a person has left the room.

Beyond what any robot of a scene reaches or drives to, since no robot minds who has left.
"""

BACK = 0.01
"""Metres that joints may be from where a motion began for who moves so to have gone back there."""


WALKS, STANDS = 1.5, 20.0
"""Seconds of each way of who steps aside, and for which they stand there."""


@dataclass(frozen=True)
class HeldThing:
    """A free body in a hand: the number of the hand's capsule, and the body's pose in its frame."""

    body: Any
    hand: int
    in_hand: Any


class Person(WatchedPerson):
    """A body of capsules, moved kinematically by a recorded motion.

    It stands in the motion's first pose until the motion begins, and in its last one afterwards.
    Who came for a skill that failed comes again when it is tried again, if they went back to where
    they had come from.
    """

    _aside: tuple[float, Array] | None = None  # since when, and how far (3; m)
    _down: SettingDown | None = None  # the last thing that they were asked to set down

    def __init__(self, scene: Any, name: str, spec: Mapping[str, Any], seed: int) -> None:
        self._seed = int.from_bytes(sha256(f"{seed} {name}".encode()).digest()[:4])
        super().__init__(name, JointTracking(TrackingNoise(), self._seed))
        self.motion: PlacedMotion = read_motion(spec)
        self.begins: float | None = None
        """When the motion begins (s of the run); None until something starts it."""
        starts: Mapping[str, Any] = spec.get("starts") or {}
        self._with_skill: str | None = starts.get("skill")
        self._after = float(starts.get("after", 0.0))
        if self._with_skill is None:
            self.begins = self._after
        self._comes_again = False
        self.held: dict[str, HeldThing] = {}
        """The things in the person's hands, by name; they move with them."""
        self.contacts: list[tuple[float, str, str, bool]] = []
        """When the body touched what link of what robot, and whether by the robot's own motion."""
        self._at_rest = False
        begin, end = segments(self.motion.joints)
        lengths = np.median(np.linalg.norm(end - begin, axis=-1), axis=0)
        self.size = [round(float(length), 6) for length in lengths]
        """The lengths (m) of the body's capsules."""
        self.links: dict[str, Any] = {}
        self._parts: list[Any] = []
        for capsule, length in zip(CAPSULES, lengths, strict=True):
            builder = scene.create_actor_builder()
            builder.add_capsule_collision(sapien.Pose(), capsule.radius, float(length) / 2)
            builder.initial_pose = sapien.Pose()
            entity = builder.build_kinematic(f"{name}/{capsule.name}")
            part = entity.find_component_by_type(sapien.physx.PhysxRigidDynamicComponent)
            self.links[capsule.name] = part
            self._parts.append(part)
        self.place(0.0)

    def track(self, noise: TrackingNoise) -> None:
        """Track the joints with these errors from now on."""
        self.tracking = JointTracking(noise, self._seed)

    def skill_begins(self, skill: str, now: float) -> None:
        """Begin the motion if it goes with this skill."""
        if skill == self._with_skill and (self.begins is None or self._is_back(now)):
            self.begins, self._comes_again = now + self._after, False

    def skill_ends(self, skill: str, *, ok: bool) -> None:
        """Note that a skill has ended: the person comes again for one that failed."""
        if skill == self._with_skill:
            self._comes_again = not ok

    def hold_out(self, item: str, now: float) -> None:
        """Hold what is in a hand out again, as when it was taken, if the hand has gone back."""
        if item in self.held and self._with_skill is not None:
            self._comes_again = True
            self.skill_begins(self._with_skill, now)

    def how_to_set_down(self, item: str, spot: Array, now: float) -> SettingDown | None:
        """Return how they would set down upright what they hold, its origin at ``spot`` (3; m).

        None if they hold it no more, or if that is farther than a step away (`STEP`).
        """
        it = self.held.get(item)
        if it is None:
            return None
        side = HANDS.index(it.hand)
        return setting_down(item, self.joints(now), side, it.in_hand, spot, now)

    def set_down(self, how: SettingDown) -> None:
        """Do so: once they have heard it."""
        self._down, self._at_rest = how, False

    def _is_back(self, now: float) -> bool:
        """Whether the motion may begin again: it came to its end, and that where it began."""
        first, last = self.motion.joints[[0, -1]]
        back = float(np.linalg.norm(last - first, axis=1).max()) < BACK
        return self._comes_again and back and not self.is_moving(now)

    def is_moving(self, now: float) -> bool:
        """Whether the motion goes on, or they are aside."""
        moves = self.begins is not None and now < self.begins + self.motion.seconds
        return moves or self._is_aside(now) or self._sets_down(now)

    def step_aside(self, by: Array, now: float) -> None:
        """Go aside from now on (``by`` x, y; m), and come back after a while; once at a time."""
        if not self._is_aside(now):
            self._aside = now, np.array([*by, 0.0])
            self._at_rest = False

    def _is_aside(self, now: float) -> bool:
        return self._aside is not None and now < self._aside[0] + 2 * WALKS + STANDS

    def _sets_down(self, now: float) -> bool:
        return self._down is not None and self._down.goes_on(now)

    def joints(self, now: float) -> Array:
        """Return the true joints (7, 3)."""
        joints = self._otherwise(now)
        return joints if self._down is None else self._down.joints(now, joints)

    def _otherwise(self, now: float) -> Array:
        """The joints (7, 3) of who sets nothing down."""
        joints = self.motion.at(0.0 if self.begins is None else now - self.begins)
        if self._aside is None:
            return joints
        since, by = self._aside
        left = since + 2 * WALKS + STANDS - now
        moved: Array = joints + smooth(min(now - since, left) / WALKS) * by
        return moved

    def move(self, now: float) -> None:
        """Move the body to where it is at a time of the run."""
        if self._at_rest and not self.is_moving(now):
            return
        self._at_rest = not self.is_moving(now)
        poses = self._poses(now)
        for part, pose in zip(self._parts, poses, strict=True):
            part.set_kinematic_target(pose)
        for item, thing in self.held.items():
            pose = poses[thing.hand] * thing.in_hand
            if self._down is not None and self._down.item == item:
                pose = _raised(pose, self._down.share(now))
            thing.body.set_kinematic_target(pose)
        if self._down is not None and self._down.lets_go(now):
            self.let_go(self._down.item)

    def place(self, now: float) -> None:
        """Put the body to where it is at a time of the run, without a motion to there."""
        for part, pose in zip(self._parts, self._poses(now), strict=True):
            part.entity.pose = pose

    def take(self, item: str, body: Any, side: str | None) -> None:
        """Hold a free body from now on as it is, in one of the hands, with what they hold."""
        number = HANDS[0] if side == "left" else HANDS[1]
        self._hold(item, body, number, self._parts[number].entity.pose.inv() * body.entity.pose)

    def let_go(self, item: str) -> None:
        """Let go of a thing, if the person holds it."""
        thing = self.held.pop(item, None)
        if thing is not None:
            thing.body.kinematic = False

    def save(self, now: float) -> dict[str, Any]:
        """Return where in the motion the person is, and what they hold: plain data for `resume`.

        ``place`` is in seconds, None if the motion has not begun; ``held`` has the hand's capsule
        and the thing's pose in its frame (x, y, z, qw, qx, qy, qz), by thing.
        """
        return {
            "place": None if self.begins is None else now - self.begins,
            "held": {
                item: [it.hand, *map(float, it.in_hand.p), *map(float, it.in_hand.q)]
                for item, it in self.held.items()
            },
        }

    def resume(self, saved: Mapping[str, Any], now: float, bodies: Mapping[str, Any]) -> None:
        """Go on at a time of the run from what `save` returned; ``bodies`` are free ones by name.

        The motion goes on from where it was then, however much time has passed since.
        """
        place = saved["place"]
        self.begins = None if place is None else now - place
        self.place(now)
        for item, (hand, *pose) in saved["held"].items():
            self._hold(item, bodies[item], hand, sapien.Pose(p=pose[:3], q=pose[3:]))

    def _hold(self, item: str, body: Any, hand: int, in_hand: Any) -> None:
        body.kinematic = True
        self.held[item] = HeldThing(body, hand, in_hand)
        self._at_rest = False

    def count_contact(
        self, now: float, robot: str, link: str, *, own_motion: bool, is_new: bool = True
    ) -> None:
        """Count a contact of a link of a robot with the body, or what has become of its last one.

        One that goes on is by the robot's own motion if it ever was.
        """
        if is_new:
            self.contacts.append((now, robot, link, own_motion))
            return
        for at in reversed(range(len(self.contacts))):
            began, *what, own = self.contacts[at]
            if what == [robot, link]:
                self.contacts[at] = began, robot, link, own or own_motion
                return

    def truth(self, now: float) -> Array | None:
        """Return the true joints (7, 3); None once the person has left the room."""
        joints = self.joints(now)
        return joints if float(np.linalg.norm(joints[0, :2])) < ROOM else None

    def _poses(self, now: float) -> list[Any]:
        begin, end = segments(self.joints(now))
        way = end - begin
        way = way / np.maximum(np.linalg.norm(way, axis=1, keepdims=True), 1e-9)
        middle, turned = (begin + end) / 2, rotations(way)
        return [sapien.Pose(p=p, q=q) for p, q in zip(middle, turned, strict=True)]


def _raised(pose: Any, share: float) -> Any:
    """A pose turned upright by a share, about where it is."""
    q = np.asarray(pose.q, float)
    upright = q * (1.0, 0.0, 0.0, 1.0)
    level = float(np.linalg.norm(upright))
    upright = upright / level if level > 1e-6 else np.array((1.0, 0.0, 0.0, 0.0))
    q = (1 - share) * q + share * upright
    return sapien.Pose(p=pose.p, q=q / np.linalg.norm(q))
