"""A picture of a scene at its start, without a simulation: `treec env show`."""

from __future__ import annotations

from collections.abc import Mapping
from importlib import import_module
from importlib.util import find_spec
from typing import Any

import numpy as np

from treec_sapien.bodies.pose import Pose
from treec_sapien.bodies.scene import SceneLayout
from treec_sapien.view.camera import Floats
from treec_sapien.view.depth_image import Image
from treec_sapien.view.rays import RayView
from treec_sapien.view.solids import SolidStage, stage_of
from treec_sapien.view.viewpoints import overview


class AtStart:
    """A layout and, if SAPIEN is installed, its agents' robots; ``agents`` are their bodies."""

    def __init__(self, layout: SceneLayout, agents: Mapping[str, Mapping[str, Any]]) -> None:
        self.stage, self.poses = stage_of(layout)
        """All solids, and the poses of their pieces (pieces, 7)."""
        bodies = len(self.stage.things)
        self.robot_of: dict[str, str] = {}
        """The name of each agent's robot; two agents may share one."""
        if agents and find_spec("sapien") is not None:
            self.stage, self.poses, self.robot_of = _with_robots(self.stage, self.poses, agents)
        self.robots = len(self.stage.things) - bodies

    def link_pose(self, agent: str, link: str) -> Pose:
        """Return the pose of a link of an agent's robot. Raises KeyError if there is none."""
        if agent not in self.robot_of:
            if find_spec("sapien") is None:
                raise KeyError(f"robots, as that of {agent}, need the extra 'sapien'")
            raise KeyError(f"{agent} has no robot here")
        names = [name for thing, name in self.stage.pieces if thing == self.robot_of[agent]]
        if link not in names:
            raise KeyError(f"unknown link '{link}' of {agent}'s robot; known: {', '.join(names)}")
        row = self.poses[self.stage.pieces.index((self.robot_of[agent], link))]
        x, y, z, *q = (float(number) for number in row)
        return Pose((x, y, z), (q[0], q[1], q[2], q[3]))

    def picture(self, turn: float, tilt: float, size: tuple[int, int]) -> Image:
        """Return a picture (height, width, 3) from ``turn`` degrees to the right of the front.

        The camera looks ``tilt`` degrees down and just fits everything.
        """
        view = RayView(self.stage)
        camera = overview(view, self.poses, size, turn, tilt)
        picture = view.picture(camera, self.poses).rgb
        assert picture is not None
        return picture


def _with_robots(
    stage: SolidStage, poses: Floats, agents: Mapping[str, Mapping[str, Any]]
) -> tuple[SolidStage, Floats, dict[str, str]]:
    from treec_sapien.agent_arms import (
        crew,  # imported first: it silences SAPIEN's warning about a missing display
    )
    from treec_sapien.view.scene import poses_of, with_robots

    sapien = import_module("sapien")
    scene = sapien.Scene([sapien.physx.PhysxCpuSystem()])
    hands = crew(scene, {name: {"body": body} for name, body in agents.items()})
    robots = {id(hand.robot): hand.robot for hand in hands.values()}.values()
    links = [link.entity for robot in robots for link in robot.articulation.links]
    names = {agent: hand.robot.name for agent, hand in hands.items()}
    return with_robots(stage, robots), np.concatenate([poses, poses_of(links)]), names
