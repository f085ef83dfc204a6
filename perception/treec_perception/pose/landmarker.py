"""MediaPipe's pose landmarker: from a colour picture to landmarks in pixels."""

from __future__ import annotations

import os
from collections.abc import Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType
from typing import Any, Protocol

import numpy as np
import numpy.typing as npt

from treec.requirements import needs_extra
from treec_perception.pose.model_file import PoseModelError

INDEX = {
    "left_shoulder": 11,
    "right_shoulder": 12,
    "left_elbow": 13,
    "right_elbow": 14,
    "left_wrist": 15,
    "right_wrist": 16,
}
"""Our joints among MediaPipe's 33 landmarks; the neck is the middle of the shoulders."""


@dataclass(frozen=True)
class Landmark:
    """A joint in a picture: pixels from the upper left corner, and 0 to 1 of being visible."""

    x: float
    y: float
    visibility: float


class FindsLandmarks(Protocol):
    """What finds a person's landmarks."""

    def landmarks(self, colour: npt.NDArray[np.uint8]) -> Mapping[str, Landmark] | None:
        """Return the landmarks of `INDEX`; None if nobody is there."""


class PoseLandmarker:
    """MediaPipe's landmarker for one person."""

    def __init__(self, model: Path) -> None:
        """Load a task file. Raises PoseModelError."""
        try:
            with _quiet():
                import mediapipe
                from mediapipe.tasks.python import BaseOptions, vision
        except ImportError as error:
            raise PoseModelError(needs_extra("human pose", "pose", error)) from None
        self._mediapipe: Any = mediapipe
        options = vision.PoseLandmarkerOptions(
            base_options=BaseOptions(model_asset_path=str(model)), num_poses=1
        )
        try:
            with _quiet():
                self._landmarker = vision.PoseLandmarker.create_from_options(options)
        except (RuntimeError, ValueError, OSError) as error:
            why = str(error).strip().splitlines()
            raise PoseModelError(
                f"{model} is not a pose landmarker's task file: {why[0] if why else error!r}"
            ) from None

    def landmarks(self, colour: npt.NDArray[np.uint8]) -> Mapping[str, Landmark] | None:
        """Return the landmarks of a picture (height, width, 3); None if nobody is there."""
        height, width, _ = colour.shape
        image = self._mediapipe.Image(
            image_format=self._mediapipe.ImageFormat.SRGB, data=np.ascontiguousarray(colour)
        )
        with _quiet():
            people = self._landmarker.detect(image).pose_landmarks
        if not people:
            return None
        return {
            name: Landmark(it.x * width, it.y * height, float(it.visibility or 0.0))
            for name, it in ((name, people[0][at]) for name, at in INDEX.items())
        }

    def close(self) -> None:
        """Release the model."""
        with _quiet():
            self._landmarker.close()

    def __enter__(self) -> PoseLandmarker:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        at: TracebackType | None,
    ) -> None:
        self.close()


@contextmanager
def _quiet() -> Any:
    """Keep what TensorFlow Lite logs off standard error: it writes to the descriptor."""
    import sys

    sys.stderr.flush()
    kept = os.dup(2)
    nothing = os.open(os.devnull, os.O_WRONLY)
    try:
        os.dup2(nothing, 2)
        yield
    finally:
        os.dup2(kept, 2)
        os.close(kept)
        os.close(nothing)
