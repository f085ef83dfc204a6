"""The extension of learning: the kinds of files `reward` and `learning`, rules and commands."""

from __future__ import annotations

from treec.extensions import Command, Extension, Kind, Rules

EXTENSION = Extension(
    name="learning",
    kinds=(
        Kind("reward", "treec_learning.files:RewardFile", order=140),
        Kind("learning", "treec_learning.files:LearningFile", order=142),
    ),
    rules=(Rules("treec_learning.check", ("learning", "reward")),),
    commands={
        "learn": Command(
            "treec_learning.cli.learn:app", "Train policies of skills, and judge them.", "Robots"
        )
    },
)
