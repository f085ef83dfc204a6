"""AMASS' own files (SMPL-H or SMPL-X parameters, .npz): the joints of a mean body in those poses.

AMASS has rotations of joints and the shape of each person, not positions. Positions need the SMPL
body model, which treec does not have: everybody is given the same mean skeleton (`OFFSETS`, rounded
to a centimetre), and joints are off by what the person differs from it, some centimetres. How they
move is as recorded.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
import numpy.typing as npt

from treec_sapien.people.skeleton import JOINTS

Floats = npt.NDArray[np.float64]

OFFSETS: dict[str, tuple[int, str | None, tuple[float, float, float]]] = {
    "pelvis": (0, None, (0.0, -0.22, 0.03)),
    "left_hip": (1, "pelvis", (0.07, -0.09, -0.01)),
    "spine1": (3, "pelvis", (0.0, 0.11, -0.03)),
    "spine2": (6, "spine1", (0.0, 0.14, 0.0)),
    "spine3": (9, "spine2", (0.0, 0.05, 0.03)),
    "neck": (12, "spine3", (0.0, 0.21, -0.04)),
    "left_collar": (13, "spine3", (0.08, 0.12, -0.04)),
    "right_collar": (14, "spine3", (-0.08, 0.12, -0.04)),
    "left_shoulder": (16, "left_collar", (0.09, 0.03, -0.01)),
    "right_shoulder": (17, "right_collar", (-0.09, 0.03, -0.01)),
    "left_elbow": (18, "left_shoulder", (0.26, -0.01, -0.02)),
    "right_elbow": (19, "right_shoulder", (-0.26, -0.01, -0.02)),
    "left_wrist": (20, "left_elbow", (0.25, 0.01, 0.0)),
    "right_wrist": (21, "right_elbow", (-0.25, 0.01, 0.0)),
}
"""Joints by SMPL's number, each with its parent and its place (m) in the parent's frame.

In SMPL's rest pose: arms stretched out, x to the left, y up, z forward.
"""

HIGHEST = 10.0
"""Metres above or below the floor where nobody is for half a recording; places in centimetres or
millimetres are. The arms' lengths, those of the mean skeleton, tell nothing here."""

_BODY = 66  # numbers of the pose that are the root's and the body's


def is_amass(fields: Mapping[str, Any]) -> bool:
    """Whether the arrays of an .npz are those of a file of AMASS."""
    return "trans" in fields and ("poses" in fields or {"root_orient", "pose_body"} <= set(fields))


def read_amass(fields: Mapping[str, Any]) -> tuple[float, Floats, Floats]:
    """Return frames a second, the seven joints (n, 7, 3) and the left hip (n, 3); metres, z up.

    Raises ValueError with what is wrong.
    """
    rate = fields.get("mocap_framerate", fields.get("mocap_frame_rate"))
    if rate is None or not float(rate) > 0:
        raise ValueError("it has no 'mocap_framerate' above 0")
    if "poses" in fields:
        poses = np.asarray(fields["poses"], np.float64)
    else:
        parts = [np.asarray(fields[name], np.float64) for name in ("root_orient", "pose_body")]
        poses = np.concatenate(parts, axis=1)
    trans = np.asarray(fields["trans"], np.float64)
    if poses.ndim != 2 or poses.shape[1] < _BODY:
        raise ValueError(f"the poses are {poses.shape}; they must be (frames, {_BODY} or more)")
    if trans.shape != (len(poses), 3):
        raise ValueError(f"'trans' is {trans.shape}; it must be ({len(poses)}, 3)")
    height = np.abs(trans[:, 2])
    height = height[np.isfinite(height)]
    if len(height) and np.median(height) > HIGHEST:
        raise ValueError(
            f"'trans' is {np.median(height):.0f} m above the floor: it must be in metres"
        )
    turns = rotations(poses[:, :_BODY].reshape(-1, 3)).reshape(len(poses), -1, 3, 3)
    turned: dict[str, Floats] = {}
    place: dict[str, Floats] = {}
    for name, (number, parent, offset) in OFFSETS.items():
        if parent is None:
            turned[name], place[name] = turns[:, number], trans + np.array(offset)
            continue
        place[name] = place[parent] + turned[parent] @ np.array(offset)
        turned[name] = turned[parent] @ turns[:, number]
    joints = np.stack([place[name] for name in JOINTS], axis=1)
    return float(rate), joints, place["left_hip"]


def rotations(vectors: Floats) -> Floats:
    """Return the matrices (n, 3, 3) of rotations about axes by their lengths (n, 3; rad)."""
    angle = np.linalg.norm(vectors, axis=1)
    x, y, z = (vectors / np.maximum(angle, 1e-12)[:, None]).T
    none = np.zeros_like(x)
    cross = np.stack([none, -z, y, z, none, -x, -y, x, none], axis=1).reshape(-1, 3, 3)
    sine, cosine = np.sin(angle)[:, None, None], np.cos(angle)[:, None, None]
    return np.asarray(np.eye(3) + sine * cross + (1 - cosine) * cross @ cross)
