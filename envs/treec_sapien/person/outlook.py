"""What is known of where a person is and will be."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property
from typing import Literal

import numpy as np

from treec_sapien.motion.frames import Array
from treec_sapien.person.figure import RADII, segments
from treec_sapien.person.separation import WALKING

Basis = Literal["forecast", "present", "lost"]


@dataclass(frozen=True)
class PersonOutlook:
    """A person's joints (n, 7, 3) at the run's ``times`` (n), as known at ``made``.

    ``spread`` (n) is how far (m) they may be off. ``seen`` is when the joints were last measured.
    The basis is a ``forecast``; or the ``present`` pose, since there is none; or the person is
    ``lost``, and the pose is an old one. ``further`` (m) is added to every margin then. Without
    joints the person was never seen; they may be ``absent``, which is known.
    """

    made: float
    seen: float
    basis: Basis
    times: Array
    joints: Array
    spread: Array
    further: float = 0.0
    why: str = ""
    absent: bool = False
    person_speed: float = WALKING
    """What is assumed of the person (m/s) beyond what ``joints`` have of their motion."""
    lacking: float = WALKING
    """What ``joints`` lack of the measured speeds (m/s): as `person_speed`, without a least one."""
    onward: Array | None = None
    """Where the joints (n, 7, 3) would be if the person went on as measured; only where the
    forecast lacks much of that: it may not know such a motion."""
    wider: Array | None = None
    """How far (m) each of the body's capsules (9) may be off, beyond ``spread``, since joints of it
    are hidden; ``why`` says which. None if none are."""

    @property
    def is_blind(self) -> bool:
        """Whether nothing at all is known of where the person is."""
        return not len(self.times) and not self.absent

    @cached_property
    def bounds(self) -> tuple[Array, Array]:
        """The lowest and the highest corner (3; m) of where the body may be at any of the times."""
        ends = np.stack(self.capsules())
        off = float(self.radii.max() + self.spread.max())
        return ends.min(axis=(0, 1, 2)) - off, ends.max(axis=(0, 1, 2)) + off

    @property
    def radii(self) -> Array:
        """The radii (9; m) of the body's capsules, with how far hidden ones may be off."""
        return RADII if self.wider is None else RADII + self.wider

    def until(self, now: float, ahead: float) -> PersonOutlook:
        """Return the part from just before ``now`` to ``ahead`` seconds later; never empty."""
        if len(self.times) < 2:
            return self
        keep = (self.times >= now - 0.04) & (self.times <= now + ahead)
        if not keep.any():
            keep[int(np.argmin(np.abs(self.times - now)))] = True
        onward = None if self.onward is None else self.onward[keep]
        return replace(
            self,
            times=self.times[keep],
            joints=self.joints[keep],
            spread=self.spread[keep],
            onward=onward,
        )

    def readings(self) -> list[PersonOutlook]:
        """Return this and, where the person may go on otherwise than forecast, that outlook."""
        if self.onward is None:
            return [self]
        return [self, replace(self, joints=self.onward, onward=None)]

    def capsules(self) -> tuple[Array, Array]:
        """Return where the body's capsules begin and end at each time (n, 9, 3)."""
        return segments(self.joints)


def nothing_known(now: float, why: str, further: float) -> PersonOutlook:
    """Return the outlook where a person was never seen."""
    none = np.zeros(0)
    return PersonOutlook(now, -np.inf, "lost", none, np.zeros((0, 7, 3)), none, further, why)
