"""A picture of a scene at its start, without a simulation: `treec env show`."""

from __future__ import annotations

from collections.abc import Mapping
from importlib import import_module
from importlib.util import find_spec
from typing import Any

import numpy as np

from treec.envs.bodies.scene import SceneLayout
from treec.envs.sapien.view.camera import Floats
from treec.envs.sapien.view.depth_image import Image
from treec.envs.sapien.view.rays import RayView
from treec.envs.sapien.view.solids import SolidStage, stage_of
from treec.envs.sapien.view.viewpoints import overview


class AtStart:
    """A layout and, if SAPIEN is installed, its agents' robots; ``agents`` are their bodies."""

    def __init__(self, layout: SceneLayout, agents: Mapping[str, Mapping[str, Any]]) -> None:
        self._stage, self._poses = stage_of(layout)
        bodies = len(self._stage.things)
        if agents and find_spec("sapien") is not None:
            self._stage, self._poses = _with_robots(self._stage, self._poses, agents)
        self.robots = len(self._stage.things) - bodies

    def picture(self, turn: float, tilt: float, size: tuple[int, int]) -> Image:
        """Return a picture (height, width, 3) from ``turn`` degrees to the right of the front.

        The camera looks ``tilt`` degrees down and just fits everything.
        """
        view = RayView(self._stage)
        camera = overview(view, self._poses, size, turn, tilt)
        picture = view.picture(camera, self._poses).rgb
        assert picture is not None
        return picture


def _with_robots(
    stage: SolidStage, poses: Floats, agents: Mapping[str, Mapping[str, Any]]
) -> tuple[SolidStage, Floats]:
    from treec.envs.sapien.crew import (
        crew,  # imported first: it silences SAPIEN's warning about a missing display
    )
    from treec.envs.sapien.view.scene import poses_of, with_robots

    sapien = import_module("sapien")
    scene = sapien.Scene([sapien.physx.PhysxCpuSystem()])
    hands = crew(scene, {name: {"body": body} for name, body in agents.items()})
    robots = {id(hand.robot): hand.robot for hand in hands.values()}.values()
    links = [link.entity for robot in robots for link in robot.articulation.links]
    return with_robots(stage, robots), np.concatenate([poses, poses_of(links)])
