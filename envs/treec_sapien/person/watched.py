"""A person whom robots mind, whoever they are: what is tracked of them, and the outlook from that.

An environment offers people by name (``people``) and calls `WatchedPerson.look` in its control
loop; skills and guards read `WatchedPerson.outlook`. In SAPIEN they have a body, too
(:mod:`treec_sapien.person.person`); beside a real robot cameras tell their joints.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable

import numpy as np

from treec_sapien.motion.frames import Array
from treec_sapien.people.skeleton import RATE
from treec_sapien.person.outlook import PersonOutlook, nothing_known
from treec_sapien.person.separation import assumed_speed, lacking_speed
from treec_sapien.person.tracking import JointSource, TrackedPose

FURTHER = 0.25
"""Metres added to every margin where a person is lost, or a forecast that was asked for fails."""

KEPT = 0.5
"""Seconds after which a person who was not seen any more is lost."""

Forecast = Callable[[float, JointSource], PersonOutlook]
"""Makes the outlook at a time of the run from the poses that have arrived."""


class Untracked:
    """Nobody tells the person's joints yet."""

    sigma = lasting = 0.0

    def __init__(self) -> None:
        self.poses: deque[TrackedPose] = deque()
        self.count = 0
        self.why = "nothing tracks the person"

    def take(self, now: float, joints: Array | None) -> None:
        """Do nothing."""

    def arrive(self, now: float) -> None:
        """Do nothing."""


class WatchedPerson:
    """A person by name, with what tracks and what forecasts them."""

    def __init__(self, name: str, tracking: JointSource | None = None) -> None:
        self.name = name
        self.tracking: JointSource = Untracked() if tracking is None else tracking
        self.forecast: Forecast | None = None
        """What forecasts the person, if a skill has asked for that."""
        self.is_needed = True
        """Whether a skill goes by the forecast. Else the present pose does, which takes no model,
        unless joints are hidden: these only a forecaster carries on."""
        self.rate = 15.0
        """Outlooks a second."""
        self.outlook: PersonOutlook = nothing_known(0.0, "not seen yet", FURTHER)
        self._polled = self._made = -1

    def look(self, now: float) -> None:
        """Take a pose if it is time, and make the outlook anew if it is time."""
        poll = int(now * RATE + 1e-6)
        if poll != self._polled:
            self._polled = poll
            self.tracking.take(now, self.truth(now))
        self.tracking.arrive(now)
        turn = int(now * self.rate + 1e-6)
        if turn != self._made:
            self._made = turn
            make = self.forecast if self.is_needed or self._hides_joints() else None
            self.outlook = (make or present_pose)(now, self.tracking)

    def _hides_joints(self) -> bool:
        last = self.tracking.poses[-1].joints if self.tracking.poses else None
        return last is None or bool(np.isnan(last).any())

    def truth(self, now: float) -> Array | None:
        """Return the true joints (7, 3) where they are known, for tracking with simulated errors.

        None for somebody who is known not to be there.
        """
        del now
        return None


def present_pose(now: float, tracking: JointSource) -> PersonOutlook:
    """Return the outlook of a person whom nothing forecasts: the last pose that has arrived.

    Their speed is that of the fastest joint in the last fifth of a second; see `assumed_speed`.
    """
    whole = [it for it in tracking.poses if it.joints is None or not np.isnan(it.joints).any()]
    if not whole:  # what is hidden only a forecaster carries on
        return nothing_known(now, "not seen yet", FURTHER)
    last = whole[-1]
    if last.joints is None:
        return absent(now, last.time)
    error = np.array((2 * tracking.sigma,))
    times, joints = np.array((last.time,)), last.joints[None]
    if now - last.time > KEPT:
        why = "not seen any more"
        return PersonOutlook(now, last.time, "lost", times, joints, error, FURTHER, why)
    speeds: Array = np.zeros(1)
    for before in whole:
        if before.joints is not None and 0.12 < last.time - before.time < 0.25:
            moved = np.linalg.norm(last.joints - before.joints, axis=1)
            speeds = moved / (last.time - before.time)
            break
    return PersonOutlook(
        now,
        last.time,
        "present",
        times,
        joints,
        error,
        why="not forecast",
        person_speed=assumed_speed(speeds),
        lacking=lacking_speed(speeds),
    )


def absent(now: float, seen: float) -> PersonOutlook:
    """Return the outlook of a person who is known not to be there."""
    none = np.zeros(0)
    return PersonOutlook(now, seen, "present", none, np.zeros((0, 7, 3)), none, absent=True)
