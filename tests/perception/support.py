"""A small scene for tests: a table with a few things, and cameras over it."""

from __future__ import annotations

from functools import cache
from pathlib import Path

import pytest

from treec.api.find import find_library
from treec_perception.files import CameraFile
from treec_perception.find_camera import SceneEyes, find_eyes
from treec_perception.simulated import SimulatedCamera, StartStage
from treec_sapien.bodies.pose import Pose
from treec_sapien.bodies.scene import SceneLayout, read
from treec_sapien.view.start_picture import AtStart

ROOT = Path(__file__).parents[2]
INTRINSICS = ("fx", "fy", "cx", "cy")

THINGS = {
    "table": {"pose": [0.0, 0.0, 0.0], "body": {"kind": "table"}},
    "soup": {"pose": [0.0, 0.1, 0.75], "body": {"kind": "tin", "colour": "red"}},
    "milk": {
        "pose": [0.3, 0.1, 0.75],
        "body": {"kind": "packet", "size": [0.07, 0.07, 0.2], "colour": "white"},
    },
    "apple": {"pose": [-0.3, 0.0, 0.75], "body": {"kind": "round_food", "colour": "green"}},
}

OVERHEAD = {
    "camera": "overhead",
    "about": "Above the table.",
    "size": [320, 240],
    "lens": {"fx": 308.0, "fy": 308.0, "cx": 160.0, "cy": 120.0},
    "pose": {"eye": [0.0, -0.9, 1.6], "looks_at": [0.0, 0.0, 0.8]},
}


@cache
def layout() -> SceneLayout:
    return read(THINGS)


@cache
def stage() -> StartStage:
    return StartStage(AtStart(layout(), {}))


def camera(**more: object) -> SimulatedCamera:
    return SimulatedCamera(CameraFile.model_validate({**OVERHEAD, **more}), stage())


class Carried:
    """The scene, with a robot whose link `mast` is at a pose of the test's choice."""

    def __init__(self, pose: Pose) -> None:
        self.pose = pose

    def link_pose(self, agent: str, link: str) -> Pose:
        if (agent, link) != ("R", "mast"):
            raise KeyError(link)
        return self.pose

    look = staticmethod(lambda camera: stage().look(camera))


def shrunk(spec: CameraFile, times: int) -> CameraFile:
    """The camera with so many times fewer pixels each way: as much in view, with less to cast."""
    lens = spec.lens
    less = {name: value / times for name, value in lens.model_dump().items() if name in INTRINSICS}
    size = [pixels // times for pixels in spec.size]
    return spec.model_copy(update={"size": size, "lens": lens.model_copy(update=less)})


def shrink_all(monkeypatch: pytest.MonkeyPatch, times: int) -> None:
    """Let commands find the cameras of systems shrunk."""
    whole = SceneEyes.cameras.fget  # type: ignore[attr-defined]
    small = property(lambda eyes: {name: shrunk(it, times) for name, it in whole(eyes).items()})
    monkeypatch.setattr(SceneEyes, "cameras", small)


@cache
def kitchen() -> SceneEyes:
    return find_eyes(find_library(ROOT), "table_near", "mosaic")
