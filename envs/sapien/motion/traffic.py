"""Two arms of one robot in time: who will be where when, so that neither runs into the other.

An arm that sets out says where it will be at every control step. The next one plans around where
the first will come to rest, then tests its own steps against the first's, moment by moment, and
waits as long as it must before it goes.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from treec.envs.sapien.motion.frames import Array, Index
from treec.envs.sapien.motion.timing import CONTROL

_EVERY = 6  # control steps between two moments that are tested
_WAITS = (0, 15, 30, 60, 90, 150, 240, 360)


@dataclass(frozen=True)
class ArmCourse:
    """Where an arm will be: from step ``since`` on, one row (joints) a control step."""

    since: int
    joints: Index  # indices in qpos
    rows: Array

    def at(self, step: int) -> Array:
        """Its joints at a step; before it sets out and after it has come, where it rests."""
        return np.asarray(self.rows[int(np.clip(step - self.since, 0, len(self.rows) - 1))])

    @property
    def until(self) -> int:
        """The step at which it has come."""
        return self.since + len(self.rows)


class Traffic:
    """The movements under way on one robot."""

    def __init__(self, clock: Callable[[], float]) -> None:
        self._clock = clock
        self._going: dict[str, ArmCourse] = {}

    @property
    def step(self) -> int:
        """The number of the present control step."""
        return round(self._clock() / CONTROL)

    def set_out(self, who: str, joints: Index, rows: Array) -> None:
        """``who`` goes these rows, beginning with the next step."""
        self._going[who] = ArmCourse(self.step + 1, joints, rows)

    def stop(self, who: str) -> None:
        """``who`` is where it is."""
        self._going.pop(who, None)

    def others(self, who: str) -> list[ArmCourse]:
        """What the others are doing."""
        return [going for name, going in self._going.items() if name != who]

    def settled(self, who: str, q: Array) -> Array:
        """``q`` with everybody else where they will come to rest."""
        out = q.copy()
        for going in self.others(who):
            out[going.joints] = going.rows[-1]
        return out

    def wait(
        self, who: str, q: Array, joints: Index, rows: Array, free: Callable[[Array], bool]
    ) -> int | None:
        """How many steps to wait before going ``rows``; None when no wait helps.

        ``free`` says whether all of some configurations (n, qpos) are free.
        """
        others = self.others(who)
        if not others:
            return 0
        now = self.step + 1
        last = max(going.until for going in others)
        for wait in (*[w for w in _WAITS if now + w < last], max(0, last - now)):
            if self._passes(q, joints, rows, others, now, wait, free):
                return int(wait)
        return None

    def _passes(
        self,
        q: Array,
        joints: Index,
        rows: Array,
        others: list[ArmCourse],
        now: int,
        wait: int,
        free: Callable[[Array], bool],
    ) -> bool:
        steps = np.arange(now, now + wait + len(rows) + _EVERY, _EVERY)
        whole = np.repeat(q[None], len(steps), axis=0)
        mine = steps - now - wait
        whole[:, joints] = rows[np.clip(mine, 0, len(rows) - 1)]
        whole[np.ix_(mine < 0, joints)] = q[joints]
        for going in others:
            whole[:, going.joints] = [going.at(step) for step in steps]
        return free(whole)
