"""CoMaD's own files (.json): markers of two people at 120 Hz, by the names of the people.

Each person is (frames, 25 markers, 3) in metres, in Motive's axes (y up). The markers that stand
for the joints are those that ManiCast uses: they lie on the body, not in it. A marker that was not
seen is null or zero. This is the format that ManiCast's code reads; the data were not at hand.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from treec_sapien.people.skeleton import JOINTS

Floats = npt.NDArray[np.float64]

RATE = 120.0
"""Frames a second."""

MARKERS = 25

MARKER_OF = {
    "neck": 2,  # BackTop
    "left_shoulder": 9,  # LShoulderBack
    "right_shoulder": 16,
    "left_elbow": 7,  # LElbowOut
    "right_elbow": 14,
    "left_wrist": 13,  # LWristOut
    "right_wrist": 20,
}
HIP = 21  # WaistLBack

_TO_Z_UP = np.array(((-1.0, 0.0, 0.0), (0.0, 0.0, 1.0), (0.0, 1.0, 0.0)))


def read_comad(path: Path) -> dict[str, tuple[Floats, Floats]]:
    """Return the seven joints (n, 7, 3) and the root (n, 3) of each person; NaN where not seen.

    Metres, z up; all have as many frames as the shortest. Raises OSError, or ValueError with what
    is wrong.
    """
    data = json.loads(path.read_text("utf-8"))
    if not isinstance(data, dict) or not data:
        raise ValueError("there must be people by name")
    by_name: dict[str, tuple[Floats, Floats]] = {}
    for name, frames in data.items():
        try:
            markers = np.array(_with_places(frames), dtype=np.float64)
        except (TypeError, ValueError):
            raise ValueError(f"the markers of '{name}' must be numbers, or null") from None
        if markers.ndim != 3 or markers.shape[1:] != (MARKERS, 3):
            raise ValueError(f"'{name}' is {markers.shape}; it must be (frames, {MARKERS}, 3)")
        markers[~np.any(markers != 0.0, axis=2)] = np.nan
        markers = markers @ _TO_Z_UP.T
        joints = markers[:, [MARKER_OF[joint] for joint in JOINTS]]
        by_name[str(name)] = joints, markers[:, HIP]
    least = min(len(joints) for joints, _ in by_name.values())
    return {name: (joints[:least], root[:least]) for name, (joints, root) in by_name.items()}


def _with_places(frames: Any) -> Any:
    """Return frames in which a marker that is null has a place that is."""
    none = (None, None, None)
    return [[none if marker is None else marker for marker in frame] for frame in frames]
