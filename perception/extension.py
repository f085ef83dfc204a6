"""The extension of perception: kinds of files, rules and commands."""

from __future__ import annotations

from treec.extensions import Command, Extension, Kind, NeedProvider

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
        "camera": Command(
            "treec.perception.cli.camera:app",
            "List cameras, look through them, record, and play recordings.",
            "Robots",
        ),
        "perception": Command(
            "treec.perception.cli.perception:app", "The weights that treec sees with.", "Robots"
        ),
        "evaluate perception": "treec.perception.cli.evaluate:command",
        "evaluate pose": "treec.perception.cli.evaluate_pose:command",
        "pose": Command(
            "treec.perception.cli.pose:command",
            "Find the joints of a person's upper body.",
            "Robots",
        ),
        "see": Command(
            "treec.perception.cli.see:command",
            "Find a thing in a picture, and where it is in the scene.",
            "Robots",
        ),
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
