"""Keeps joints over short gaps, and drops those that jump."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

from treec_perception.pose.joints import BodyJoint, JointState
from treec_perception.pose.lift import apart
from treec_perception.stages import TrackStage
from treec_sapien.bodies.pose import Vector

STUBBORN = 3
"""So many outliers in a row at one place are believed: the person has moved, unseen."""


@dataclass(frozen=True)
class _Last:
    """Where a joint was last seen, and what was refused since."""

    point: Vector
    time: float
    refused: tuple[Vector, ...] = ()


class JointTracker:
    """Follows one person's joints from picture to picture."""

    def __init__(self, params: TrackStage) -> None:
        self._params = params
        self._last: dict[str, _Last] = {}

    def follow(self, joints: Mapping[str, BodyJoint], time: float) -> dict[str, BodyJoint]:
        """Return the joints of a picture at ``time`` (s), which must not run back.

        A joint that moved faster than ``jump`` (m/s) is an outlier. One that is not seen, or is an
        outlier, stays where it was for ``gap`` seconds, as `kept`.
        """
        return {name: self._joint(name, joint, time) for name, joint in joints.items()}

    def _joint(self, name: str, joint: BodyJoint, time: float) -> BodyJoint:
        last = self._last.get(name)
        if joint.point is not None:
            if last is None or self._believed(last, joint.point, time):
                self._last[name] = _Last(joint.point, time)
                return joint
            self._last[name] = replace(last, refused=(*last.refused, joint.point))
            joint = replace(joint, state=JointState.outlier, point=None)
        if last is not None and time - last.time <= self._params.gap:
            return replace(joint, state=JointState.kept, point=last.point)
        return joint

    def _believed(self, last: _Last, point: Vector, time: float) -> bool:
        if apart(point, last.point) <= self._params.jump * max(time - last.time, 1e-3):
            return True
        before = last.refused[-(STUBBORN - 1) :]
        near = self._params.jump * 0.1
        return len(before) == STUBBORN - 1 and all(apart(point, it) < near for it in before)
