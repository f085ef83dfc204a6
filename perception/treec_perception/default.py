"""The localizer and the pose estimator of libraries that have none."""

from __future__ import annotations

from treec_perception.files import LocalizerFile, PoseEstimatorFile

DEFAULT = LocalizerFile.model_validate(
    {
        "localizer": "default",
        "about": "MOSAIC's stages with treec's small weights.",
        "stages": [
            {"detect": {}},
            {"suppress": {}},
            {"score_crops": {}},
            {"segment": {}},
            {"back_project": {}},
            {"centre": {}},
        ],
    }
)

POSE = PoseEstimatorFile.model_validate(
    {
        "pose_estimator": "default",
        "about": "MediaPipe's landmarks, taken to the scene by depth, and followed.",
        "stages": [{"landmarks": {}}, {"lift": {}}, {"track": {}}],
    }
)

BONES = PoseEstimatorFile.model_validate(
    {
        "pose_estimator": "joints",
        "about": "MediaPipe's landmarks, taken by depth to where bones meet.",
        "stages": [{"landmarks": {}}, {"lift": {"to_bone": True}}],
    }
)
"""What tells joints to a forecaster that names no pose estimator: it bridges gaps itself."""
