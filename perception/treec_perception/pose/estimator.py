"""Runs a pose estimator's stages on pictures."""

from __future__ import annotations

import time
from pathlib import Path

from treec_perception.files import PoseEstimatorFile
from treec_perception.picture import Picture
from treec_perception.pose.joints import JOINTS, BodyJoint, JointState, PoseEstimate
from treec_perception.pose.landmarker import FindsLandmarks, PoseLandmarker
from treec_perception.pose.lift import in_picture, lift
from treec_perception.pose.model_file import find_model
from treec_perception.pose.track import JointTracker
from treec_perception.stages import LandmarksStage, LiftStage, TrackStage, named

NOBODY = "nobody is in the picture"


def open_landmarker(spec: PoseEstimatorFile, root: Path) -> FindsLandmarks:
    """Load the model of a pose estimator file. Raises PoseModelError."""
    stages = (named(stage)[1] for stage in spec.stages)
    landmarks = next(it for it in stages if isinstance(it, LandmarksStage))
    return PoseLandmarker(find_model(landmarks.model, root))


class PoseEstimator:
    """A pose estimator file with its model; it follows one person over the pictures it is given."""

    def __init__(
        self, spec: PoseEstimatorFile, root: Path, landmarker: FindsLandmarks | None = None
    ) -> None:
        """Load the model. Raises PoseModelError."""
        self.spec = spec
        stages = [named(stage)[1] for stage in spec.stages]
        self._landmarks = next(it for it in stages if isinstance(it, LandmarksStage))
        self._lift = next((it for it in stages if isinstance(it, LiftStage)), None)
        track = next((it for it in stages if isinstance(it, TrackStage)), None)
        self._tracker = JointTracker(track) if track is not None else None
        self._landmarker = open_landmarker(spec, root) if landmarker is None else landmarker

    def close(self) -> None:
        """Release the model."""
        close = getattr(self._landmarker, "close", None)
        if close is not None:
            close()

    def estimate(self, picture: Picture) -> PoseEstimate:
        """Return the joints of the person in a picture.

        Without depth they have pixels and no points.
        """
        began = time.perf_counter()
        marks = self._landmarker.landmarks(picture.colour)
        if marks is None:
            joints = {name: BodyJoint(JointState.out_of_view) for name in JOINTS}
        else:
            joints = in_picture(marks, picture, self._landmarks.visible)
            if self._lift is not None and picture.depth is not None:
                joints = lift(joints, picture, self._lift)
        if self._tracker is not None:
            joints = self._tracker.follow(joints, picture.time)
        why = NOBODY if marks is None else ""
        spent = 1000 * (time.perf_counter() - began)
        return PoseEstimate(picture.name, picture.digest, picture.time, joints, why, spent)
