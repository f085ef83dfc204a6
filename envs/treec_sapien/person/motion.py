"""A person's recorded motion, placed in a scene."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from treec import EnvironmentSetup
from treec_sapien.motion.frames import Array
from treec_sapien.people.recordings import MotionEpisode, MotionFileError, read_recordings
from treec_sapien.people.skeleton import RATE
from treec_sapien.person.figure import LEFT_WRIST, RIGHT_WRIST, points

_TIPS = {"left": 7, "right": 8}


@dataclass(frozen=True)
class PlacedMotion:
    """Joints (n, 7, 3) in the scene (m), ``rate`` frames a second."""

    joints: Array
    rate: float

    @property
    def seconds(self) -> float:
        """How long it takes."""
        return (len(self.joints) - 1) / self.rate

    def at(self, seconds: float) -> Array:
        """Return the joints (7, 3) so long after its beginning; before and after, its ends."""
        place = min(max(seconds * self.rate, 0.0), len(self.joints) - 1.0)
        low = min(int(place), len(self.joints) - 2)
        share = place - low
        interpolated: Array = (1 - share) * self.joints[low] + share * self.joints[low + 1]
        return interpolated


def read_motion(spec: Mapping[str, Any]) -> PlacedMotion:
    """Return the motion that a scene's `people:` describes. Raises ValueError."""
    path = Path(str(spec["motion"]))
    try:
        episodes = read_recordings(path)
    except MotionFileError as error:
        raise ValueError(str(error)) from None
    person = spec.get("person")
    fitting = [it for it in episodes if person in (None, it.person)]
    wanted = spec.get("recording", 0)
    episode: MotionEpisode | None = None
    if isinstance(wanted, int):
        episode = fitting[wanted] if 0 <= wanted < len(fitting) else None
    else:
        own = {it.recording.removeprefix(f"{path.stem}/"): it for it in reversed(fitting)}
        named = EnvironmentSetup.recordings_named(wanted, path.stem, reversed(own))
        if len(named) > 1:
            which = f"write one of {', '.join(named)}"
            raise ValueError(f"{path} has several recordings '{wanted}': {which}")
        episode = own[named[0]] if named else None
    if episode is None:
        of = f" of '{person}'" if person else ""
        raise ValueError(f"{path} has no recording {wanted!r}{of} (it has {len(fitting)})")
    joints = episode.joints
    begin, end = spec.get("frames") or (0, len(joints))
    joints = joints[begin:end]
    if len(joints) < 2:
        raise ValueError(f"{path}: frames {begin} to {end} of {len(episode)} are not a motion")
    if spec.get("returns"):
        joints = np.concatenate([joints, joints[-2::-1]])
    rate = RATE * float(spec.get("speed", 1.0))
    yaw = float(spec.get("yaw", 0.0))
    reach = spec.get("reach")
    if reach is not None:
        return PlacedMotion(placed_by_reach(joints, reach, yaw, spec.get("hand")), rate)
    return PlacedMotion(placed(joints, spec.get("pose") or (0.0, 0.0, 0.0), yaw), rate)


def placed(joints: Array, pose: Any, yaw: float) -> Array:
    """Return joints turned so that the person faces ``yaw`` at first, standing at ``pose``."""
    turn = _turn(yaw - facing(joints[0]))
    neck = joints[0, 0] * np.array((1.0, 1.0, 0.0))
    out: Array = (joints - neck) @ turn.T + np.asarray(pose, float)
    return out


def placed_by_reach(joints: Array, reach: Any, yaw: float, hand: str | None = None) -> Array:
    """Return joints placed so that the fingertips come to ``reach`` where they reach farthest.

    The person reaches in the direction ``yaw`` (degrees), with either hand or the one named.
    """
    sides = [hand] if hand else ["left", "right"]
    wrists = {"left": LEFT_WRIST, "right": RIGHT_WRIST}
    level = np.array((1.0, 1.0, 0.0))
    best: tuple[float, int, str] | None = None
    for side in sides:
        far = np.linalg.norm((joints[:, wrists[side]] - joints[:, 0]) * level, axis=1)
        at = int(np.argmax(far))
        if best is None or far[at] > best[0]:
            best = (float(far[at]), at, side)
    assert best is not None
    _, at, side = best
    tip = points(joints[at])[_TIPS[side]]
    out_to = (tip - joints[at, 0]) * level
    turn = _turn(yaw - float(np.degrees(np.arctan2(out_to[1], out_to[0]))))
    out: Array = (joints - tip) @ turn.T + np.asarray(reach, float)
    return out


def facing(joints: Array) -> float:
    """Return the direction (degrees) that a person (7, 3) faces: across the shoulders, level."""
    left = joints[1] - joints[2]
    return float(np.degrees(np.arctan2(-left[0], left[1])))


def _turn(degrees: float) -> Array:
    c, s = np.cos(np.radians(degrees)), np.sin(np.radians(degrees))
    return np.array(((c, -s, 0.0), (s, c, 0.0), (0.0, 0.0, 1.0)))
