"""Training pictures on disk: ``NNNNN.png`` and ``NNNNN.json``, each made from its number.

The JSON says what is visible: boxes in pixels (x0, y0, x1, y1), looks, the number of pixels. A
folder in which some are missing is completed; those that are there stay as they are.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import numpy as np

from treec.atomic import atomic_writer, write_atomic
from treec.envs.bodies.pose import Pose
from treec.envs.sapien.view.camera import Floats
from treec.envs.sapien.view.rays import RayView
from treec.envs.sapien.view.solids import SolidStage, stage_of
from treec.perception.training.scenes import Room, TrainingSet, TrainingThing, make_set
from treec.perception.training.words import Look

LEAST = 30
"""Pixels of a thing below which it counts as not visible."""


@dataclass(frozen=True, slots=True)
class Annotation:
    """A visible thing: its box in pixels (x0, y0, x1, y1) and its look."""

    box: tuple[float, float, float, float]
    look: Look
    pixels: int


class Robots:
    """Robots that may stand around in pictures; none without SAPIEN."""

    def __init__(self, bodies: Sequence[dict[str, Any]]) -> None:
        self._robots: list[Any] = []
        if not bodies or find_spec("sapien") is None:
            return
        from importlib import import_module

        from treec.envs.sapien.crew import crew

        sapien = import_module("sapien")
        self._scene = scene = sapien.Scene([sapien.physx.PhysxCpuSystem()])  # owns the robots
        agents = {f"robot {n}": {"body": body} for n, body in enumerate(bodies)}
        self._robots = [hand.robot for hand in crew(scene, agents).values()]

    def add(
        self, stage: SolidStage, poses: Floats, robot: tuple[float, Pose]
    ) -> tuple[SolidStage, Floats]:
        """Return a stage with a robot at a pose; unchanged if there are none."""
        if not self._robots:
            return stage, poses
        from treec.envs.sapien.view.scene import poses_of, with_robots

        choice, at = robot
        chosen = self._robots[int(choice * len(self._robots))]
        rows = poses_of([link.entity for link in chosen.articulation.links])
        moved = []
        for row in rows:
            x, y, z, *q = (float(number) for number in row)
            pose = at @ Pose((x, y, z), (q[0], q[1], q[2], q[3]))
            moved.append((*pose.p, *pose.q))
        return with_robots(stage, [chosen]), np.concatenate([poses, np.array(moved)])


def make_pictures(
    folder: Path,
    count: int,
    rooms: Sequence[Room],
    things: Sequence[TrainingThing],
    robots: Robots,
    told: Callable[[int], None],
) -> None:
    """Make the pictures 0 to ``count`` that are missing; ``told`` is called after each."""
    folder.mkdir(parents=True, exist_ok=True)
    for number in range(count):
        done = folder / f"{number:05}.json"
        if not done.exists():
            picture, found = take(make_set(rooms, things, number), robots)
            _write(folder / f"{number:05}.png", picture)
            rows = [
                {
                    "box": it.box,
                    "pixels": it.pixels,
                    "names": it.look.names,
                    "kind": it.look.kind,
                    "colour": it.look.colour,
                }
                for it in found
            ]
            write_atomic(done, json.dumps(rows))
        told(number + 1)


def take(made: TrainingSet, robots: Robots) -> tuple[Any, list[Annotation]]:
    """Return the picture (height, width, 3; bytes) of a set, and what is visible in it."""
    stage, poses = stage_of(made.layout)
    if made.robot is not None:
        stage, poses = robots.add(stage, poses, made.robot)
    image = RayView(stage).picture(made.camera, poses, smooth=False, light=made.light)
    found = []
    for name, look in made.looks.items():
        y, x = np.nonzero(image.mask(name))
        if len(x) >= LEAST:
            box = (float(x.min()), float(y.min()), float(x.max() + 1), float(y.max() + 1))
            found.append(Annotation(box, look, len(x)))
    return image.rgb, found


def read_annotations(folder: Path, number: int) -> list[Annotation]:
    """Return what is visible in a picture."""
    rows = json.loads((folder / f"{number:05}.json").read_text("utf-8"))
    return [
        Annotation(
            tuple(row["box"]), Look(tuple(row["names"]), row["kind"], row["colour"]), row["pixels"]
        )
        for row in rows
    ]


def read_picture(folder: Path, number: int) -> Any:
    """Return a picture (height, width, 3; bytes)."""
    from PIL import Image

    with Image.open(folder / f"{number:05}.png") as image:
        return np.asarray(image.convert("RGB"), np.uint8)


def _write(path: Path, picture: Any) -> None:
    from PIL import Image

    with atomic_writer(path) as file:
        Image.fromarray(picture).save(file, "PNG", compress_level=3)
