"""The extension of perception: kinds of files, rules and commands."""

from __future__ import annotations

from treec.extensions import Command, Extension, Kind, NeedProvider, Rules

EXTENSION = Extension(
    name="perception",
    kinds=(
        Kind("camera", "treec_perception.files:CameraFile", order=132),
        Kind("localizer", "treec_perception.files:LocalizerFile", single=True, order=134),
        Kind("descriptions", "treec_perception.files:DescriptionsFile", single=True, order=135),
        Kind("pose_estimator", "treec_perception.files:PoseEstimatorFile", order=136),
    ),
    rules=(
        Rules("treec_perception.check", ("camera", "descriptions", "localizer", "pose_estimator")),
    ),
    commands={
        "camera": Command(
            "treec_perception.cli.camera:app",
            "List cameras, look through them, record, and play recordings.",
            "Robots",
        ),
        "perception": Command(
            "treec_perception.cli.perception:app",
            "The weights that treec sees with, and training for your scenes.",
            "Robots",
        ),
        "pose": Command(
            "treec_perception.cli.pose:command",
            "Find the joints of a person's upper body.",
            "Robots",
        ),
        "see": Command(
            "treec_perception.cli.see:command",
            "Find a thing in a picture, and where it is in the scene.",
            "Robots",
        ),
    },
    tools={
        "described_things": "treec_perception.look_words:described_things",
        "things_of_kinds": "treec_perception.look_words:things_of_kinds",
    },
    reports={"looks": "treec_perception.report:looks"},
    providers=(
        NeedProvider(
            "localize",
            "treec_perception.provider:open_localizer",
            ("thing",),
            "Where a thing is, as the cameras see it: a point of the scene with score and spread.",
            key="pose",
        ),
        NeedProvider(
            "describe",
            "treec_perception.provider:open_describer",
            ("thing",),
            "What is the matter with a thing, in words: the candidate that a picture is most like.",
        ),
    ),
)
