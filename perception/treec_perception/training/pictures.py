"""Training pictures on disk: ``NNNNN.png`` and ``NNNNN.json``, each made from its number.

The JSON says what is visible: boxes in pixels (x0, y0, x1, y1), looks, the number of pixels, the
share that something hides, whether it stands or lies. A folder in which some are missing is
completed; those that are there stay as they are.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass, replace
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import numpy as np

from treec.atomic import atomic_writer, write_atomic
from treec_perception.training.scenes import Room, TrainingSet, TrainingThing, make_set
from treec_perception.training.words import Look
from treec_sapien.bodies.pose import Pose
from treec_sapien.view.camera import Floats
from treec_sapien.view.picture import look_at_pixels, paint
from treec_sapien.view.raycast import Caster
from treec_sapien.view.solids import SolidStage, stage_of

LEAST = 30
"""Pixels of a thing below which it counts as not visible."""


@dataclass(frozen=True, slots=True)
class Annotation:
    """A visible thing: its box in pixels (x0, y0, x1, y1), its look and its state.

    ``hidden`` is the share of its pixels that other things hide; ``state`` is `upright`, `lying`,
    or empty where that cannot be seen.
    """

    box: tuple[float, float, float, float]
    look: Look
    pixels: int
    hidden: float = 0.0
    state: str = ""


class Robots:
    """Robots that may stand around in pictures, as plain data; none without SAPIEN."""

    def __init__(self, bodies: Sequence[dict[str, Any]]) -> None:
        self._robots: list[tuple[SolidStage, Floats]] = []
        if not bodies or find_spec("sapien") is None:
            return
        from importlib import import_module

        from treec_sapien.agent_arms import crew
        from treec_sapien.view.scene import poses_of, with_robots

        sapien = import_module("sapien")
        scene = sapien.Scene([sapien.physx.PhysxCpuSystem()])
        agents = {f"robot {n}": {"body": body} for n, body in enumerate(bodies)}
        for hand in crew(scene, agents).values():
            links = [link.entity for link in hand.robot.articulation.links]
            alone = with_robots(SolidStage((), ()), [hand.robot])
            self._robots.append((alone, poses_of(links)))

    def add(
        self, stage: SolidStage, poses: Floats, robot: tuple[float, Pose]
    ) -> tuple[SolidStage, Floats]:
        """Return a stage with a robot at a pose; unchanged if there are none."""
        if not self._robots:
            return stage, poses
        choice, at = robot
        chosen, rows = self._robots[int(choice * len(self._robots))]
        moved = []
        for row in rows:
            x, y, z, *q = (float(number) for number in row)
            pose = at @ Pose((x, y, z), (q[0], q[1], q[2], q[3]))
            moved.append((*pose.p, *pose.q))
        first = len(stage.pieces)
        solids = (replace(it, piece=it.piece + first) for it in chosen.solids)
        whole = SolidStage((*stage.pieces, *chosen.pieces), (*stage.solids, *solids), stage.parts)
        return whole, np.concatenate([poses, np.array(moved)])


@dataclass(frozen=True)
class PictureMaker:
    """Makes pictures by number, in a process of its own if it is sent to one."""

    folder: Path
    rooms: Sequence[Room]
    things: Sequence[TrainingThing]
    robots: Robots
    known: tuple[Sequence[Room], Sequence[TrainingThing]] = ((), ())
    """Rooms and things that earlier weights know: every third picture is of these."""

    def __call__(self, number: int) -> int:
        """Write the picture of a number if it is missing; return the number."""
        if missing(self.folder, number + 1, number):
            is_known = bool(self.known[0]) and number % 3 == 2
            rooms, things = self.known if is_known else (self.rooms, self.things)
            self.write(number, *take(make_set(rooms, things, number), self.robots))
        return number

    def write(self, number: int, picture: Any, found: Sequence[Annotation]) -> None:
        """Write a picture and what is visible in it; the JSON last, as a sign that it is whole."""
        _write(self.folder / f"{number:05}.png", picture)
        rows = [
            {
                "box": it.box,
                "pixels": it.pixels,
                "names": it.look.names,
                "kind": it.look.kind,
                "colour": it.look.colour,
                "hidden": round(it.hidden, 3),
                "state": it.state,
            }
            for it in found
        ]
        write_atomic(self.folder / f"{number:05}.json", json.dumps(rows))


def missing(folder: Path, count: int, first: int = 0) -> list[int]:
    """Return the numbers from ``first`` to below ``count`` of which there is no picture."""
    return [it for it in range(first, count) if not (folder / f"{it:05}.json").exists()]


def take(made: TrainingSet, robots: Robots) -> tuple[Any, list[Annotation]]:
    """Return the picture (height, width, 3; bytes) of a set, and what is visible in it."""
    stage, poses = stage_of(made.layout)
    if made.robot is not None:
        stage, poses = robots.add(stage, poses, made.robot)
    caster = Caster(stage)
    looked = look_at_pixels(made.camera, caster, poses)
    picture = paint(made.camera, caster, poses, light=made.light, looked=looked)
    shape = (made.camera.height, made.camera.width)
    numbers = np.append(stage.numbers(), 0)  # last: no solid
    ids = numbers[looked.first().solid].reshape(shape)
    crossed = np.zeros((len(stage.things), shape[0] * shape[1]), np.bool_)
    crossed[numbers[looked.whose], looked.ray] = True  # also behind other things
    whole = crossed.sum(axis=1)
    number_of = {name: at for at, name in enumerate(stage.things)}
    found = []
    for name, look in made.looks.items():
        number = number_of[name]
        y, x = np.nonzero(ids == number)
        if len(x) >= LEAST:
            box = (float(x.min()), float(y.min()), float(x.max() + 1), float(y.max() + 1))
            hidden = 1.0 - len(x) / max(1, int(whole[number]))
            found.append(Annotation(box, look, len(x), hidden, made.states.get(name, "")))
    return picture, found


def read_annotations(folder: Path, number: int) -> list[Annotation]:
    """Return what is visible in a picture."""
    rows = json.loads((folder / f"{number:05}.json").read_text("utf-8"))
    return [
        Annotation(
            tuple(row["box"]),
            Look(tuple(row["names"]), row["kind"], row["colour"]),
            row["pixels"],
            row["hidden"],
            row["state"],
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
