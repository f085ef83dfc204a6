"""Coordination of two arms of one robot in time, so that neither runs into the other.

An arm that sets out publishes its positions at every control step. The next one plans around where
the first will come to rest, then tests its own steps against the first's at equal times, and waits
as long as necessary before it goes.

Where people may hold an arm up, it is not where its course had it. Each then also looks ahead as it
goes (:meth:`Traffic.clear_ahead`).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from treec_sapien.motion.frames import Array, Index
from treec_sapien.motion.timing import CONTROL

_EVERY = 3  # control steps between two tested moments
_WAITS = (0, 15, 30, 60, 90, 150, 240, 360)


@dataclass(frozen=True)
class ArmCourse:
    """An arm's published positions: from step ``since`` on, one row (joints) per control step."""

    since: int
    joints: Index  # indices in qpos
    rows: Array

    def at(self, step: int) -> Array:
        """Return its joints at a step; before and after the course, those at its ends."""
        return np.asarray(self.rows[int(np.clip(step - self.since, 0, len(self.rows) - 1))])

    @property
    def until(self) -> int:
        """The step at which it arrives."""
        return self.since + len(self.rows)


class Traffic:
    """The movements under way on one robot."""

    def __init__(self, clock: Callable[[], float]) -> None:
        self._clock = clock
        self._courses: dict[str, ArmCourse] = {}
        self._held_up: set[str] = set()

    @property
    def step(self) -> int:
        """Return the number of the present control step."""
        return round(self._clock() / CONTROL)

    def set_out(self, who: str, joints: Index, rows: Array, wait: int = 0) -> None:
        """Record that ``who`` follows these rows, beginning ``wait`` steps after the next one.

        Who is under way stays before those who set out later.
        """
        self._courses[who] = ArmCourse(self.step + 1 + wait, joints, rows)

    def stop(self, who: str) -> None:
        """Record that ``who`` has stopped."""
        self._courses.pop(who, None)
        self._held_up.discard(who)

    def hold_up(self, who: str, *, held_up: bool) -> None:
        """Record whether ``who``, who is under way, stands since another one is in the way."""
        (self._held_up.add if held_up else self._held_up.discard)(who)

    def is_standoff(self, who: str) -> bool:
        """Whether ``who`` and all others under way stand since one is in the other's way."""
        return {who} < self._held_up and self._held_up >= self._courses.keys()

    def is_under_way(self, who: str) -> bool:
        """Whether ``who`` follows a course, or is about to."""
        return who in self._courses

    def others(self, who: str) -> list[ArmCourse]:
        """Return the courses of the others."""
        return [course for name, course in self._courses.items() if name != who]

    def with_others_at_rest(self, who: str, q: Array) -> Array:
        """Return ``q`` with everybody else where they will come to rest."""
        out = q.copy()
        for course in self.others(who):
            out[course.joints] = course.rows[-1]
        return out

    def wait(
        self,
        who: str,
        q: Array,
        joints: Index,
        rows: Array,
        free: Callable[[Array], bool],
        waits: Sequence[int] = _WAITS,
    ) -> int | None:
        """Return how many steps to wait before following ``rows``; None if waiting does not help.

        It also has to be out of the others' way where it ends, until they have arrived. ``free``
        says whether all of some configurations (n, qpos) are free.
        """
        others = self.others(who)
        now = self.step + 1
        if not others:
            return 0 if self._passes(q, joints, rows, others, now, 0, free) else None
        last = max(course.until for course in others)
        for wait in (*[w for w in waits if now + w < last], max(0, last - now)):
            if self._passes(q, joints, rows, others, now, wait, free):
                return int(wait)
        return None

    def clear_ahead(
        self, who: str, q: Array, joints: Index, rows: Array, free: Callable[[Array], bool]
    ) -> bool:
        """Whether ``who`` may follow ``rows``, one per control step from the next one on.

        All others may stop where they are at any time, and are not to be met there. Who set out
        earlier also goes first: where it will be at these steps is not to be met, either.
        """
        whole = np.repeat(q[None], len(rows), axis=0)
        whole[:, joints] = rows
        whole = whole[_EVERY - 1 :: _EVERY]
        if not free(whole):
            return False
        earlier = [
            course for course in self._before(who) if not np.isin(course.joints, joints).any()
        ]
        for course in earlier:
            steps = self.step + np.arange(_EVERY, len(rows) + 1, _EVERY)
            whole[:, course.joints] = [course.at(step) for step in steps]
        return not earlier or free(whole)

    def is_first(self, who: str) -> bool:
        """Whether nobody who is under way set out before ``who``."""
        return not self._before(who)

    def _before(self, who: str) -> list[ArmCourse]:
        """The courses of those who set out before ``who``."""
        names = list(self._courses)
        return [self._courses[it] for it in names[: names.index(who) if who in names else None]]

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
        end = max([now + wait + len(rows), *(course.until for course in others)])
        steps = np.arange(now, end + _EVERY, _EVERY)
        whole = np.repeat(q[None], len(steps), axis=0)
        mine = steps - now - wait
        whole[:, joints] = rows[np.clip(mine, 0, len(rows) - 1)]
        whole[np.ix_(mine < 0, joints)] = q[joints]
        for course in others:
            whole[:, course.joints] = [course.at(step) for step in steps]
        return free(whole)
