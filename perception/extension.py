"""The extension of perception: kinds of files, rules and commands."""

from __future__ import annotations

from treec.extensions import Extension, Kind, NeedProvider

EXTENSION = Extension(
    name="perception",
    kinds=(
        Kind("camera", "treec.perception.files:CameraFile", order=132),
        Kind("localizer", "treec.perception.files:LocalizerFile", single=True, order=134),
        Kind("descriptions", "treec.perception.files:DescriptionsFile", single=True, order=135),
        Kind("pose_estimator", "treec.perception.files:PoseEstimatorFile", order=136),
    ),
    rules=("treec.perception.check",),
    commands={
        "camera": "treec.perception.cli.camera:app",
        "perception": "treec.perception.cli.perception:app",
        "evaluate perception": "treec.perception.cli.evaluate:command",
        "evaluate pose": "treec.perception.cli.evaluate_pose:command",
        "pose": "treec.perception.cli.pose:command",
        "see": "treec.perception.cli.see:command",
    },
    reports={"looks": "treec.perception.report:looks"},
    providers=(
        NeedProvider(
            "localize",
            "treec.perception.provider:open_localizer",
            ("thing",),
            "Where a thing is, as the cameras see it: a point of the scene with score and spread.",
            key="pose",
        ),
        NeedProvider(
            "describe",
            "treec.perception.provider:open_describer",
            ("thing",),
            "What is the matter with a thing, in words: the candidate that a picture is most like.",
        ),
    ),
)
