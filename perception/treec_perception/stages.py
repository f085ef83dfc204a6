"""The stages of localizers and pose estimators: their parameters, their inputs and outputs.

This module is what `treec check` reads. What runs is in `treec_perception.localize`.
"""

from collections.abc import Mapping
from typing import Any, Literal

from pydantic import Field, model_validator

from treec.files.fields import Duration, Model
from treec.frozen import frozen

SMALL = "small"
"""The name of the weights that are part of treec."""


@frozen
class StageType:
    """What a stage takes and gives: picture, proposals, mask, points, point, landmarks, joints."""

    takes: str
    gives: str


class DetectStage(Model):
    """OWL-ViT, OWLv2 or a decision model: boxes, best first. Picture → proposals."""

    model: str = Field(
        SMALL,
        description="small, a folder, a name on the Hugging Face hub, or systemone/NAME, which is "
        "asked its box question.",
    )
    k: int = Field(10, ge=1, le=100, description="How many boxes (the paper: 10).")


class SuppressStage(Model):
    """Non-maximum suppression: drops boxes that overlap a better one. Proposals → proposals."""

    iou: float = Field(0.5, gt=0, le=1, description="Overlap (intersection over union) allowed.")


class ScoreCropsStage(Model):
    """CLIP compares each box's crop with the prompts. Proposals → proposals with new scores."""

    model: str = Field(SMALL, description="small, a folder, or a name on the Hugging Face hub.")
    margin: float = Field(0.15, ge=0, le=2, description="Added around a crop, of its size.")
    against: list[str] = Field(
        [],
        description="Other things the crop might show: the score is the share of the prompt "
        "among these (default: the other things that are known).",
    )


class TightenStage(Model):
    """Fits each box to the thing that depth shows in it. Proposals → proposals."""


class ProposeStage(Model):
    """Adds boxes around what stands out in depth, and where the thing is believed to be.

    Proposals → proposals.
    """

    k: int = Field(20, ge=1, le=100, description="How many boxes at most, the largest ones.")


class SizeStage(Model):
    """Compares each box's size in depth with the thing's own. Proposals → proposals."""

    tolerance: float = Field(0.15, gt=0, description="Standard deviation, of the size.")


class SegmentStage(Model):
    """The pixels of the best box's thing: by depth, or by a SAM model. Proposals → mask."""

    by: Literal["depth", "sam"] = "depth"
    model: str | None = Field(None, description="A SAM model: a folder, or a name on the hub.")


class BackProjectStage(Model):
    """The points of the mask, through the depth picture. Mask → points."""

    outliers: float = Field(
        3.0, gt=0, description="Points farther from the median than so many deviations are dropped."
    )


class CentreStage(Model):
    """The middle of the points. Points → point."""

    correct: bool = Field(
        True,
        description="Only the near side is seen: move the middle away from the camera, by the "
        "thing's own size.",
    )


class LandmarksStage(Model):
    """MediaPipe's pose landmarker on the colour picture. Picture → landmarks."""

    model: str = Field("full", description="full, or a task file, from the library's root.")
    visible: float = Field(0.5, ge=0, le=1, description="Least visibility of a landmark.")


class LiftStage(Model):
    """Joints in the scene, through the depth picture. Landmarks → joints."""

    window: int = Field(5, ge=1, description="Side (pixels) of the square whose median is taken.")
    reach: float = Field(0.9, gt=0, description="Longest distance (m) between connected joints.")
    to_bone: bool = Field(
        False,
        description="Whether joints are where bones meet, not on the skin that depth shows: 5 cm "
        "beneath it at a shoulder, 4.5 cm at an elbow, 3 cm at a wrist.",
    )


class TrackStage(Model):
    """Keeps joints over short gaps. Joints → joints."""

    gap: Duration = Field(0.5, ge=0, description="How long a lost joint is still reported.")
    jump: float = Field(3.0, gt=0, description="Metres per second beyond which it is an outlier.")


LOCALIZER_STAGES = {
    "detect": StageType("picture", "proposals"),
    "suppress": StageType("proposals", "proposals"),
    "score_crops": StageType("proposals", "proposals"),
    "tighten": StageType("proposals", "proposals"),
    "propose": StageType("proposals", "proposals"),
    "check_size": StageType("proposals", "proposals"),
    "segment": StageType("proposals", "mask"),
    "back_project": StageType("mask", "points"),
    "centre": StageType("points", "point"),
}
POSE_STAGES = {
    "landmarks": StageType("picture", "landmarks"),
    "lift": StageType("landmarks", "joints"),
    "track": StageType("joints", "joints"),
}


def _one_key(model: Model) -> Any:
    keys = [name for name in type(model).model_fields if getattr(model, name) is not None]
    if len(keys) != 1:
        names = ", ".join(type(model).model_fields)
        raise ValueError(f"a stage has exactly one key, one of {names}")
    return model


class LocalizerStage(Model):
    """One stage of a localizer: its name and parameters."""

    detect: DetectStage | None = None
    suppress: SuppressStage | None = None
    score_crops: ScoreCropsStage | None = None
    tighten: TightenStage | None = None
    propose: ProposeStage | None = None
    check_size: SizeStage | None = None
    segment: SegmentStage | None = None
    back_project: BackProjectStage | None = None
    centre: CentreStage | None = None

    _check = model_validator(mode="after")(_one_key)


class PoseStage(Model):
    """One stage of a pose estimator: its name and parameters."""

    landmarks: LandmarksStage | None = None
    lift: LiftStage | None = None
    track: TrackStage | None = None

    _check = model_validator(mode="after")(_one_key)


def named(stage: Model) -> tuple[str, Model]:
    """Return a stage's name and its parameters."""
    return next(
        (name, value)
        for name in type(stage).model_fields
        if (value := getattr(stage, name)) is not None
    )


def eye_of(look: Mapping[str, Any]) -> str:
    """Return the name of a look's camera, and from which place it looked if that is not the first.

    ``place`` counts the places from 0; a look that has none is from the first.
    """
    place = int(look.get("place", 0))
    return f"{look['camera']} from place {place + 1}" if place else str(look["camera"])
