"""Where an arm makes room for a person: the way on which it stays farthest from their forecast.

A way is judged in space and time: where the arm is on it at each moment, against where the person
is forecast to be then, and whether the guard would stop it before (`SeparationGuard`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING

import numpy as np

from treec_sapien.motion.frames import Array, Index, line, translate
from treec_sapien.motion.ik import track
from treec_sapien.person.figure import between
from treec_sapien.person.guard import is_before_stop
from treec_sapien.person.outlook import PersonOutlook
from treec_sapien.person.separation import STOPPING, largest_speed

if TYPE_CHECKING:
    from treec_sapien.motion.arm import Arm
    from treec_sapien.person.arm_shape import ArmShape

HEADINGS = np.arange(8) * np.pi / 4
"""Level directions (rad) in which ways lead, from straight away from the person."""

FAR, RISE = (0.45, 0.25), (0.0, 0.12)
"""How far and how high (m) they lead."""

ENOUGH = 0.3
"""Distance (m) to the person above which more clearance does not make a way better."""

_STEP = 0.1  # s between two moments at which a way is judged
_SPEED = 1.2  # rad/s of the fastest joint: about what a way of half a metre takes
_USUAL = np.array((0.5,))  # m/s of a link on such a way
_NEARER = 1e-3  # m in a moment: neither nearer nor away
_HELD = 0.25  # share of its speed below which an arm is as good as stopped
_LENGTH = 0.02  # of clearance (m) that a way may be worse for being 1 rad shorter


def straight_ways(arm: Arm, q: Array, away: Array) -> list[Array]:
    """Return straight ways (n, joints of the arm) of the tool point, from its chain's joints ``q``.

    The tool is turned nowhere. Ways that the joints cannot follow are left out.
    """
    own = arm.chain.where(arm.about.joints)
    now = arm.chain.poses(q)
    straight: list[Array] = []
    for far in FAR:
        goals = []
        for heading in HEADINGS:
            c, s = np.cos(heading), np.sin(heading)
            level = far * np.array([c * away[0] - s * away[1], s * away[0] + c * away[1]])
            goals += [translate(now, world=np.array([*level, rise])) for rise in RISE]
        ways = [line(now, goal, 0.04) for goal in goals]
        steps = max(map(len, ways))
        whole = np.stack([np.stack(way + way[-1:] * (steps - len(way))) for way in ways])
        rows, fine = track(arm.chain, whole, np.repeat(q[None], len(ways), axis=0), free=own)
        straight += [
            np.asarray(row[: len(way), own])
            for row, way, ok in zip(rows, ways, fine, strict=True)
            if ok
        ]
    return straight


class WayJudge:
    """Tells ways apart by how far an arm with what it holds stays from a person's forecast."""

    def __init__(self, arm: Arm, shape: ArmShape, clock: Callable[[], float]) -> None:
        self._arm, self._shape, self._clock = arm, shape, clock

    def best_first(self, paths: Iterable[Array], outlook: PersonOutlook) -> list[Array]:
        """Return paths (n, joints of the arm) that begin where the arm is, the best one first."""
        judged = [(self.clearance(it, outlook) - _LENGTH * _length(it), it) for it in paths]
        return [it for _, it in sorted(judged, key=lambda one: -one[0])]

    def clearance(self, path: Array, outlook: PersonOutlook) -> float:
        """Return the smallest distance (m) to the person, less how far they may be off.

        From now to the end of the forecast or of the path, whichever is later; `ENOUGH` at most.
        Links that the path moves nowhere do not count: no way is better for them.
        """
        if not len(outlook.times):
            return ENOUGH
        now = self._clock()
        rows = _at_moments(path)
        readings = outlook.until(now, 2.0).readings()
        return min(self._clearance(rows, known, now) for known in readings)

    def _clearance(self, rows: Array, known: PersonOutlook, now: float) -> float:
        apart, times = self._distances(rows, known)
        moments = now + _STEP * np.arange(max(len(rows), 1 + int((times[-1] - now) / _STEP)))
        then = np.clip(np.searchsorted(times, moments - _STEP / 2), 0, len(times) - 1)
        stops = self._stops(apart, times, then, known)
        row = np.minimum(np.arange(len(moments)), stops)
        return min(float(apart[row, then].min()), ENOUGH)

    def _distances(self, rows: Array, known: PersonOutlook) -> tuple[Array, Array]:
        """Distances (rows, times, links · parts) less what they may be off, and the times."""
        every = np.unique(np.r_[np.arange(0, len(known.times), 3), len(known.times) - 1])
        arm = self._arm
        chain = np.repeat(arm.robot.qpos[arm.robot.indices(arm.chain.names)][None], len(rows), 0)
        chain[:, arm.chain.where(arm.about.joints)] = rows
        begin, end, radii = self._shape.capsules(chain)
        moves = np.ptp(end, axis=0).max(axis=1) > 0.02
        if not moves.any():
            moves[:] = True
        begin, end, radii = begin[:, moves], end[:, moves], radii[moves]
        first, second = known.capsules()
        apart = between(
            begin[:, None, :, None],
            end[:, None, :, None],
            first[None, every, None],
            second[None, every, None],
        )
        apart = apart - radii[:, None] - known.radii
        apart = apart - (known.spread[every] + known.further)[None, :, None, None]
        return apart.reshape(len(rows), len(every), -1), known.times[every]

    def _stops(self, apart: Array, times: Array, then: Index, known: PersonOutlook) -> int:
        """The row at which the guard would stop the arm; the last if nowhere."""
        for row in range(len(apart) - 1):
            at = times[then[row]]
            seen = (times >= at - 1e-6) & is_before_stop(times - at, _USUAL)[:, 0]
            room, nearer = apart[row, seen], apart[row, seen] - apart[row + 1, seen]
            coming = nearer > _NEARER
            if coming.any():
                allowed = largest_speed(room[coming], known.person_speed, 0.0, STOPPING)
                if (allowed * _STEP / nearer[coming]).min() < _HELD:
                    return row
        return len(apart) - 1


def _at_moments(path: Array) -> Array:
    """Where the arm is every `_STEP` on its way, by the speed of its fastest joint."""
    if len(path) < 2:
        return path
    when = np.concatenate([[0.0], np.cumsum(np.abs(np.diff(path, axis=0)).max(axis=1))]) / _SPEED
    moments = np.arange(0.0, when[-1] + _STEP, _STEP)
    return np.stack([np.interp(moments, when, column) for column in path.T], axis=1)


def _length(path: Array) -> float:
    return float(np.abs(np.diff(path, axis=0)).max(axis=1).sum()) if len(path) > 1 else 0.0
