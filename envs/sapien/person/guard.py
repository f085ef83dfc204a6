"""Holds for all motions of all skills: no robot comes nearer to a person than its speed allows.

Every row of joints that an arm or a base follows goes through the guard. Where the robot would come
nearer to where a person is or will be until it has stopped, its speed is limited by
`separation.largest_speed`; where it moves away, it is not. At no speed at all it waits.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any

import numpy as np

from treec.envs.sapien.motion.frames import Array, Index
from treec.envs.sapien.motion.timing import CONTROL
from treec.envs.sapien.person.arm_shape import ArmShape
from treec.envs.sapien.person.figure import HANDS, RADII, between
from treec.envs.sapien.person.outlook import PersonOutlook
from treec.envs.sapien.person.separation import STOPPING, largest_speed

if TYPE_CHECKING:
    from treec.envs.sapien.build import BuiltBody
    from treec.envs.sapien.motion.arm import Arm
    from treec.envs.sapien.motion.motion import Motion
    from treec.envs.sapien.person.person import Person

HORIZON = 0.4
"""Seconds ahead in which a person's forecast is looked at: to react, and to stop from 1 m/s."""

NEAR_HAND = 0.25
"""Largest speed (m/s) towards a hand that a thing is handed to."""

SLOW_WITHIN = 0.15
"""Metres from that hand within which it holds."""

OWN_HAND = 0.02
"""Metres that the arm itself keeps from it, beyond what its present place may be off."""

_BRAKES = 3.0  # 1/s
_ANEW = 0.25  # s
_STEADY = 1e-4  # m in a step: neither nearer nor away


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
        self.closest = np.inf
        """The smallest distance (m) to where a person was expected, so far."""

    def share(self, joints: Index, here: Array, ahead: Array, steps: float) -> float:
        """Return the share (0 to 1) of its speed that a robot may have.

        ``here`` and ``ahead`` are positions of its ``joints``, ``steps`` control steps apart at
        full speed.
        """
        share = 1.0
        q = self._motion.robot.qpos
        rows = np.stack([q, q])
        rows[0, joints], rows[1, joints] = here, ahead
        for arm in self._motion.arms.values():
            chain = rows[:, self._motion.robot.indices(arm.chain.names)]
            shape = self._shape(arm)
            capsules = shape.capsules(chain)
            own = len(capsules[2]) - shape.has_tool
            for person in self._people.values():
                share = min(share, self._share_for(person, capsules, own, steps * CONTROL))
        return share

    def _shape(self, arm: Arm) -> ArmShape:
        """The arm with what it holds, taken anew a few times a second: it may slip."""
        known = self._shapes.get(arm.side)
        now = self._clock()
        if known is None or known[0] is not arm.holding or now - known[1] > _ANEW:
            known = arm.holding, now, ArmShape(arm, self._held(arm))
            self._shapes[arm.side] = known
        return known[2]

    def _share_for(
        self, person: Person, shape: tuple[Array, Array, Array], links: int, seconds: float
    ) -> float:
        """For one person; the first ``links`` capsules of the shape are the arm's own."""
        outlook = person.outlook
        if outlook.absent:
            return 1.0
        if outlook.is_blind:
            return 0.0
        now = self._clock()
        known = outlook.until(now, HORIZON)
        apart = distances(shape, known)  # (2, times, links, parts)
        error = known.spread[None, :, None, None] + outlook.further
        if outlook.basis != "forecast":
            error = error + outlook.person_speed * max(0.0, now - outlook.seen)
        share = 1.0
        if person.name == self.giving_to:
            hands = apart[..., HAND_PARTS].min(axis=(1, 2, 3))
            speed = (hands[0] - hands[1]) / seconds
            if hands[0] < SLOW_WITHIN and speed > NEAR_HAND:
                share = NEAR_HAND / float(speed)
            near = apart - known.spread[0]
            own = near[..., :links, :][..., HAND_PARTS].min(axis=(1, 2, 3))
            towards = float(own[0] - own[1]) / seconds
            if towards > _STEADY:  # what is held may come to the hand, the arm may not
                most = max(0.0, _BRAKES * (float(own[0]) - OWN_HAND))
                share = min(share, most / towards)
            apart = apart[..., BODY_PARTS]
        room = (apart - error).reshape(2, -1)
        self.closest = min(self.closest, float(room[0].min()))
        # each pair of parts has its own speed towards each other
        nearer = room[0] - room[1]
        coming = nearer > _STEADY
        if not coming.any():
            return share
        allowed = largest_speed(room[0][coming], outlook.person_speed, 0.0, STOPPING)
        return min(share, float((allowed * seconds / nearer[coming]).min()))


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
    return np.asarray(apart - radii[:, None] - RADII)
