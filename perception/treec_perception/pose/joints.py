"""The seven joints of the upper body, and what is known of each."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum

from treec_sapien.bodies.pose import Vector

JOINTS = (
    "neck",
    "left_shoulder",
    "right_shoulder",
    "left_elbow",
    "right_elbow",
    "left_wrist",
    "right_wrist",
)
"""The joints of MOSAIC's forecasts (section 2.2), by the person's own left and right."""

BONES = (
    ("neck", "left_shoulder"),
    ("neck", "right_shoulder"),
    ("left_shoulder", "left_elbow"),
    ("right_shoulder", "right_elbow"),
    ("left_elbow", "left_wrist"),
    ("right_elbow", "right_wrist"),
)
"""Joints that are connected."""


class JointState(StrEnum):
    """What is known of a joint in a picture."""

    seen = "seen"
    kept = "kept"
    """It was seen a moment ago."""
    occluded = "occluded"
    """It is in the picture, but hidden, or without depth."""
    outlier = "outlier"
    """Its place does not fit the other joints, or the moment before."""
    out_of_view = "out_of_view"


@dataclass(frozen=True)
class BodyJoint:
    """A joint: ``point`` in the scene (m), ``pixel`` (x, y) in the picture; None if unknown."""

    state: JointState
    point: Vector | None = None
    pixel: tuple[float, float] | None = None
    visibility: float = 0.0
    """0 to 1, as the landmarker says."""

    def to_json(self) -> dict[str, object]:
        """Return it as plain data."""
        return {
            "state": self.state.value,
            "point": [round(x, 4) for x in self.point] if self.point is not None else None,
            "pixel": [round(x, 1) for x in self.pixel] if self.pixel is not None else None,
            "visibility": round(self.visibility, 3),
        }


@dataclass(frozen=True)
class PoseEstimate:
    """The joints of the person in a picture; without a person ``why`` says so."""

    camera: str
    picture: str
    time: float
    joints: Mapping[str, BodyJoint]
    why: str
    milliseconds: float

    @property
    def found(self) -> bool:
        """Whether any joint has a place in the scene or in the picture."""
        return any(it.point is not None or it.pixel is not None for it in self.joints.values())

    def to_json(self) -> dict[str, object]:
        """Return it as plain data."""
        return {
            "camera": self.camera,
            "picture": self.picture,
            "time": round(self.time, 4),
            "why": self.why,
            "joints": {name: joint.to_json() for name, joint in self.joints.items()},
            "milliseconds": round(self.milliseconds, 1),
        }
