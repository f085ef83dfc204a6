"""Table 2 of MOSAIC on a scene of ours: localization among few and many things on a shelf.

A camera on a robot's head stands before the shelf, turned to where the map has the thing, to within
some centimetres; one that is fixed looks as its file says. Low clutter is the thing alone, medium
two to six, high seven to fifteen things on the boards within 45 cm of it (the paper: in the
pantry).
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

import numpy as np

from treec_perception.files import CameraFile
from treec_perception.find_camera import SceneEyes
from treec_perception.localize import Localizer, Wanted
from treec_perception.localizer_query import movable, size_of
from treec_perception.picture import Picture
from treec_perception.pipeline.result import Localization
from treec_perception.simulated import SimulatedCamera, StartStage
from treec_perception.training.scenes import TrainingThing, fill_surface
from treec_perception.training.words import Look
from treec_sapien.bodies.pose import Pose, Vector, yaw
from treec_sapien.bodies.scene import PlacedBody, SceneLayout
from treec_sapien.view.camera import Camera
from treec_sapien.view.depth_image import DepthImage
from treec_sapien.view.start_picture import AtStart

LEVELS: Mapping[str, tuple[int, int]] = {"low": (1, 1), "medium": (2, 6), "high": (7, 15)}
NEAR = 0.45
"""Metres to the left and right of the wanted thing within which the others stand."""
BEFORE = 0.75
"""Metres between the shelf's front and the robot's middle."""
MAPPED = 0.08
"""Standard deviation (m) of where the map has the thing."""
VISIBLE = 250
"""Pixels of the wanted thing that are in the picture (the paper assumes full observability)."""
TRIES = 50
"""Draws until something fits, and until it is seen."""
RIGHT = 0.03
"""Metres by which a point may be off for the hand to close around the thing."""


@dataclass(frozen=True)
class ClutterTrial:
    """A set on the shelf: its picture, the wanted thing, its middle, what is not there.

    ``layout`` has the furniture and what stands on the shelf, ``base`` is where the robot stands
    that carries the camera; None for one that is fixed.
    """

    level: str
    seed: int
    camera: str
    layout: SceneLayout
    base: Pose | None
    picture: Picture
    thing: str
    wanted: Wanted
    truth: Vector
    absent: tuple[Wanted, ...]


@dataclass(frozen=True, slots=True)
class LocalizationTrial:
    """How a localizer did in a trial; ``error`` is in metres, None without a point.

    ``distance`` (m) is from the camera to the thing's middle.
    """

    level: str
    thing: str
    camera: str
    found: bool
    error: float | None
    distance: float
    false_finds: int
    asked_absent: int
    milliseconds: Mapping[str, float] = field(default_factory=dict)
    right_box: bool = False

    @property
    def right(self) -> bool:
        """Whether it was found where it is."""
        return self.found and self.error is not None and self.error <= RIGHT


class _Before:
    """A stage with the robot's head at a place before the shelf; the robot itself is not drawn."""

    def __init__(self, stage: StartStage, base: Pose) -> None:
        self._stage = stage
        self._head = base @ Pose((0.006, 0.0, 1.367))  # Stretch's link_head_pan

    def link_pose(self, agent: str, link: str) -> Pose:
        """Return the head's pose, whichever link is asked for."""
        return self._head

    def look(self, camera: Camera) -> DepthImage:
        """Return colour, exact depth and segmentation."""
        return self._stage.look(camera)


def make_trials(
    eyes: SceneEyes, camera: CameraFile, shelf: str, levels: Sequence[str], count: int, seed: int
) -> Iterator[ClutterTrial]:
    """Make the trials of each level; equal seeds make equal trials."""
    for level in levels:
        for number in range(count):
            yield make_trial(eyes, camera, shelf, level, 1000 * seed + number)


def make_trial(
    eyes: SceneEyes, camera: CameraFile, shelf: str, level: str, seed: int
) -> ClutterTrial:
    """Make a trial in which the wanted thing is seen.

    Raises ValueError if nothing fits, or if the camera does not see what stands there.
    """
    rng = np.random.default_rng([seed, 77, sorted(LEVELS).index(level)])
    for _ in range(TRIES):
        trial = _draw(eyes, camera, shelf, level, seed, rng)
        if trial.picture.mask(trial.thing).sum() >= VISIBLE:
            return trial
    raise ValueError(f"the camera '{camera.camera}' does not see what stands on '{shelf}'")


def _draw(
    eyes: SceneEyes,
    camera: CameraFile,
    shelf: str,
    level: str,
    seed: int,
    rng: np.random.Generator,
) -> ClutterTrial:
    furniture = {n: it for n, it in eyes.layout.bodies.items() if it.body.fixed}
    body = furniture[shelf].body
    boards = [region for region in body.regions if region.kind == "on"]
    names = [name for name in movable(eyes.layout) if _stands_on(eyes, name, shelf)]
    low, high = LEVELS[level]
    for _ in range(TRIES):
        count = int(rng.integers(low, high + 1))
        chosen = [names[int(at)] for at in rng.permutation(len(names))[:count]]
        middle = float(rng.uniform(-1, 1)) * max(0.0, boards[0].half_size[0] - NEAR)
        bodies, found = dict(furniture), dict[str, Look]()
        for at, name in enumerate(chosen):
            board = boards[int(rng.integers(len(boards)))]
            half = (min(NEAR, board.half_size[0]), *board.half_size[1:])
            near = replace(board, p=(board.p[0] + middle, *board.p[1:]), half_size=half)
            spec = eyes.scene.model.objects[name].body or {}
            before = set(bodies)
            look = Look((name,), str(spec["kind"]), None)
            fill_surface(
                rng,
                bodies,
                found,
                shelf,
                near,
                [TrainingThing(look, spec)],
                ("treec_sapien.bodies",),
            )
            for new in set(bodies) - before:
                bodies[name] = bodies.pop(new)
            if at == 0 and name not in bodies:
                break
        things = [name for name in chosen if name in bodies]
        if chosen[0] in bodies and len(things) >= low:
            break
    else:
        raise ValueError(f"nothing of '{eyes.scene.name}' fits on '{shelf}'")
    layout = SceneLayout(bodies, {})
    thing = chosen[0]
    placed = bodies[thing]
    size = size_of(placed.body)
    truth = (placed.pose.p[0], placed.pose.p[1], placed.pose.p[2] + size[2] / 2)
    stage = StartStage(AtStart(layout, {}))
    base = None
    if camera.mounted is None:
        picture = SimulatedCamera(camera, stage).take(seed)
    else:
        base, point = _before(furniture[shelf], truth, rng)
        picture = SimulatedCamera(camera, _Before(stage, base)).take(seed, towards=point)
    absent = [name for name in names if name not in things]
    asked = [absent[int(at)] for at in rng.permutation(len(absent))[:3]]
    return ClutterTrial(
        level,
        seed,
        camera.camera,
        layout,
        base,
        picture,
        thing,
        _wanted(eyes, thing, names),
        truth,
        tuple(_wanted(eyes, name, names) for name in asked),
    )


def _before(shelf: PlacedBody, truth: Vector, rng: np.random.Generator) -> tuple[Pose, Vector]:
    """Where the robot stands before a shelf, and the point (m) to which it turns its head."""
    front = shelf.pose @ Pose((0.0, -1.0, 0.0))
    out = (front.p[0] - shelf.pose.p[0], front.p[1] - shelf.pose.p[1])
    deep = size_of(shelf.body)[1] / 2
    mapped = np.add(truth, (*rng.normal(0.0, MAPPED, 2), 0.0))
    along = (-out[1], out[0])
    aside = (mapped[0] - shelf.pose.p[0]) * along[0] + (mapped[1] - shelf.pose.p[1]) * along[1]
    away = deep + BEFORE + float(rng.uniform(-0.05, 0.1))
    at = [shelf.pose.p[axis] + aside * along[axis] + away * out[axis] for axis in (0, 1)]
    heading = math.degrees(math.atan2(-out[1], -out[0])) + 90.0  # the arm is to the right
    return Pose((at[0], at[1], 0.0), yaw(heading)), (float(mapped[0]), float(mapped[1]), 0.8)


def _stands_on(eyes: SceneEyes, name: str, shelf: str) -> bool:
    facts = eyes.scene.model.objects[name].facts
    return shelf in (facts.get("at"), facts.get("home"))


def _wanted(eyes: SceneEyes, name: str, names: Sequence[str]) -> Wanted:
    from treec_perception.localizer_query import wanted_thing

    found = wanted_thing(name, eyes.scene.model, eyes.layout)
    return replace(found, others=tuple(it.replace("_", " ") for it in names if it != name))


def judge(localizer: Localizer, trial: ClutterTrial) -> tuple[LocalizationTrial, Localization]:
    """Run a localizer on a trial: on the wanted thing, and on things that are not there."""
    found = localizer.localize(trial.picture, trial.wanted)
    error = None
    if found.point is not None:
        error = float(np.linalg.norm(np.array(found.point) - trial.truth))
    false = sum(localizer.localize(trial.picture, it).found for it in trial.absent)
    camera = trial.picture.camera
    assert camera is not None
    away = float(np.linalg.norm(np.array(trial.truth) - camera.eye))
    right = found.mask is not None and bool(
        (found.mask & trial.picture.mask(trial.thing)).sum() > 0.5 * max(1, found.mask.sum())
    )
    result = LocalizationTrial(
        trial.level,
        trial.thing,
        trial.camera,
        found.found,
        error,
        away,
        false,
        len(trial.absent),
        found.milliseconds,
        right,
    )
    return result, found
