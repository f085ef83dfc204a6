"""Joints that nobody sees: where they are taken to be, and how far off that may be."""

from __future__ import annotations

import numpy as np

from treec_forecasting.spikes import Mask
from treec_sapien.people.recordings import Floats
from treec_sapien.person.separation import FAST, SLOW

AGAIN = 3
"""Looks in a row in which a joint that was hidden must be seen until that is believed: what hides a
joint is sometimes taken for it."""

HANGS = 0.29, 0.25
"""Metres from the shoulder down to the elbow, and on to the wrist, of an arm never seen."""

_TRUNK = (0, 1, 2)
"""The neck and the shoulders."""

_ARMS = ((1, 3, 5), (2, 4, 6))
"""Shoulder, elbow and wrist of each arm."""


class HiddenJoints:
    """Follows one person's joints; those that are hidden go on with the neck."""

    def __init__(self) -> None:
        self.place = np.zeros((7, 3))
        """Where each joint was last believed to be (m)."""
        self.at = np.full(7, -np.inf)
        """When that was (s)."""
        self._from_neck = np.zeros((7, 3))
        self._neck: Floats | None = None
        self._speed = np.full(7, SLOW)
        self._again = np.full(7, AGAIN)  # looks in a row in which it was seen
        self._width = np.zeros(7)

    def forget(self) -> None:
        """Forget the person: who comes next may be somebody else."""
        self.at[:], self._neck = -np.inf, None
        self._speed[:], self._again[:], self._width[:] = SLOW, AGAIN, 0.0

    def carried(self, joints: Floats, hidden: Mask) -> tuple[Floats, Floats | None]:
        """Return the joints (7, 3) with hidden ones where they were last seen from the neck.

        Beside them where the neck is: where it was from the shoulders, if it is hidden. An arm that
        was never seen hangs (`HANGS`). NaN for a neck and shoulders that never were.
        """
        neck = self._neck
        shoulders = [it for it in _TRUNK[1:] if not hidden[it] and np.isfinite(self.at[it])]
        if not hidden[0]:
            neck = joints[0]
        elif neck is not None and shoulders:
            neck = (joints[shoulders] - self._from_neck[shoulders]).mean(axis=0)
        never = np.isinf(self.at[:, None])
        moved = (np.nan if neck is None else neck) + self._from_neck
        out = np.where(hidden[:, None], np.where(never, np.nan, moved), joints)
        for arm in _ARMS:
            for above, joint, down in zip(arm, arm[1:], HANGS, strict=False):
                if np.isnan(out[joint]).any():
                    out[joint] = out[above] - (0.0, 0.0, down)
        return out, neck

    def believe(
        self, time: float, joints: Floats, known: Mask, hidden: Mask, neck: Floats | None
    ) -> Floats:
        """Take over the joints that are ``known``, and where they are from the ``neck``.

        A neck that is off, or was found from shoulders that are, moves nothing: the joints are
        returned with hidden ones where they are from one that is not.
        """
        passed = time - self.at
        moved = np.linalg.norm(joints - self.place, axis=1)
        measured = known & np.isfinite(passed) & (passed > 1e-6)
        speed = moved[measured] / passed[measured]
        self._speed[measured] = np.clip(speed, SLOW, FAST)
        self.place[known], self.at[known] = joints[known], time
        self._again = np.where(known, self._again + 1, 0)
        shown = [it for it in (_TRUNK if not hidden[0] else _TRUNK[1:]) if not hidden[it]]
        if neck is not None and shown and known[shown].all():
            self._neck = neck
            self._from_neck[known] = joints[known] - neck
        elif self._neck is not None:
            once = hidden & np.isfinite(self.at)
            return np.where(once[:, None], self._neck + self._from_neck, joints)
        return joints

    def hidden_for(self, now: float, hidden: Mask) -> Floats:
        """Return for how long (7; s) each joint has been ``hidden`` that is so now; else 0."""
        return np.where(hidden, now - self.at, 0.0)

    def widths(self, now: float, hidden: Mask, most: float) -> Floats:
        """Return how far (7; m) joints may be from where they are taken to be.

        A hidden joint may go on with the speed that it had, at least `SLOW` and at most `FAST`, to
        ``most`` metres. One that is seen again is not believed at once (`AGAIN`).
        """
        grown = np.minimum(self._speed * self.hidden_for(now, hidden), most)
        self._width = np.where(hidden, grown, np.where(self._again < AGAIN, self._width, 0.0))
        return self._width
