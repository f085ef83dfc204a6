"""How well joints are found: a photograph of a person, shown at many distances and places.

The photograph is a flat figure that fills the picture of a depth camera. Where its joints are is
what the landmarker says of the photograph itself, so that this measures what distance, place,
light, size of pixels and errors of depth do to them. It does not measure how far the landmarker is
from a person's true joints: there are no pictures here with joints that somebody has measured.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from treec_perception.files import NoiseSpec
from treec_perception.noise import noisy
from treec_perception.picture import Picture
from treec_perception.pose.joints import JointState
from treec_perception.pose.landmarker import FindsLandmarks, Landmark
from treec_perception.pose.lift import in_picture, lift
from treec_perception.stages import LandmarksStage, LiftStage
from treec_sapien.bodies.pose import Pose
from treec_sapien.view.camera import Camera

DISTANCES = (1.0, 1.5, 2.0, 3.0)
"""Metres from the camera to the person."""

SHOULDERS = 0.38
"""Metres between the shoulders: the figure's scale."""

FOCAL = 616.0
"""Pixels, as a D435's colour camera at 640 × 480 has."""

CUT = 0.12
"""Most of the photograph that is cut off at a side."""

RANGE = (0.2, 6.0)


@dataclass(frozen=True)
class PoseTrial:
    """One showing: its distance (m) and, of each joint that was seen, how far it was off (m).

    ``expected`` are the joints that are in the picture and visible in the photograph.
    """

    distance: float
    expected: tuple[str, ...]
    errors: Mapping[str, float]
    found: bool


def make_trials(
    photograph: npt.NDArray[np.uint8],
    landmarker: FindsLandmarks,
    stages: tuple[LandmarksStage, LiftStage],
    noise: NoiseSpec,
    n: int,
    seed: int,
) -> Sequence[PoseTrial]:
    """Show the photograph (height, width, 3) ``n`` times at each distance.

    Raises ValueError if nobody is found in the photograph itself.
    """
    marks = landmarker.landmarks(photograph)
    if marks is None:
        raise ValueError("nobody is found in the photograph")
    rng = np.random.default_rng(seed)
    return [
        _trial(photograph, marks, landmarker, stages, noise, distance, rng)
        for distance in DISTANCES
        for _ in range(n)
    ]


def _trial(
    photograph: npt.NDArray[np.uint8],
    marks: Mapping[str, Landmark],
    landmarker: FindsLandmarks,
    stages: tuple[LandmarksStage, LiftStage],
    noise: NoiseSpec,
    distance: float,
    rng: np.random.Generator,
) -> PoseTrial:
    scale, corner, colour = _show(photograph, marks, distance, rng)
    height, width = colour.shape[:2]
    camera = Camera(Pose(), FOCAL, FOCAL, width / 2, height / 2, width, height)
    exact = np.full((height, width), distance, np.float32)
    depth = noisy(exact, noise, FOCAL, RANGE, int(rng.integers(2**31)))
    picture = Picture("shown", colour, depth, camera)
    landmarks, lifted = stages
    truth: dict[str, npt.NDArray[np.float64]] = {}
    for name, mark in marks.items():
        x, y = mark.x * scale - corner[0], mark.y * scale - corner[1]
        if 0 <= x < width and 0 <= y < height and mark.visibility >= landmarks.visible:
            truth[name] = camera.eye + camera.towards(np.array(x), np.array(y)) * distance
    found = landmarker.landmarks(colour)
    if found is None:
        return PoseTrial(distance, tuple(truth), {}, found=False)
    joints = lift(in_picture(found, picture, landmarks.visible), picture, lifted)
    errors = {
        name: float(np.linalg.norm(np.array(joint.point) - truth[name]))
        for name, joint in joints.items()
        if name in truth and joint.state is JointState.seen and joint.point is not None
    }
    return PoseTrial(distance, tuple(truth), errors, found=True)


def _show(
    photograph: npt.NDArray[np.uint8],
    marks: Mapping[str, Landmark],
    distance: float,
    rng: np.random.Generator,
) -> tuple[float, tuple[int, int], npt.NDArray[np.uint8]]:
    """Return scale, the upper left corner (px) of what is shown, and the picture.

    The photograph fills the picture, cut at random on each side: a figure that ends at an edge
    within the picture would be taken for a whole person.
    """
    from PIL import Image as Pillow

    left, right = marks["left_shoulder"], marks["right_shoulder"]
    apart = max(float(np.hypot(left.x - right.x, left.y - right.y)), 1.0)
    scale = FOCAL * SHOULDERS / distance / apart
    height, width = (max(32, round(side * scale)) for side in photograph.shape[:2])
    small = Pillow.fromarray(photograph).resize((width, height), Pillow.Resampling.LANCZOS)
    x0, y0, x1, y1 = rng.uniform(0.0, CUT, 4) * (width, height, width, height)
    corner = (round(x0), round(y0))
    part = np.asarray(small, np.float64)[corner[1] : height - round(y1)]
    part = part[:, corner[0] : width - round(x1)]
    lit = part * rng.uniform(0.6, 1.15) + rng.normal(0, 4, part.shape)
    return scale, corner, np.clip(lit, 0, 255).astype(np.uint8)


def summary(trials: Sequence[PoseTrial]) -> dict[str, dict[str, object]]:
    """Return a row for each distance: trials, people found, joints found, errors in mm."""
    rows: dict[str, dict[str, object]] = {}
    for distance in dict.fromkeys(it.distance for it in trials):
        own = [it for it in trials if it.distance == distance]
        rows[f"{distance:g} m"] = {
            "trials": len(own),
            "people_found": sum(it.found for it in own),
            "joints_visible": sum(len(it.expected) for it in own),
            "joints_found": sum(len(it.errors) for it in own),
            **_errors([error for it in own for error in it.errors.values()]),
        }
    for name in dict.fromkeys(name for it in trials for name in it.expected):
        values = [it.errors[name] for it in trials if name in it.errors]
        rows[name] = {
            "trials": len(trials),
            "joints_visible": sum(name in it.expected for it in trials),
            "joints_found": len(values),
            **_errors(values),
        }
    return rows


def _errors(values: Sequence[float]) -> dict[str, object]:
    if not values:
        return {"median_mm": None, "p95_mm": None}
    millimetres = 1000 * np.array(values)
    return {
        "median_mm": round(float(np.median(millimetres)), 1),
        "p95_mm": round(float(np.percentile(millimetres, 95)), 1),
    }
