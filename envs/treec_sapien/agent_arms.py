"""Which robot, and which of its arms, each agent controls."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from treec_sapien.robots.definition import RobotDefinition
from treec_sapien.robots.describe import load
from treec_sapien.robots.description import ArmDescription
from treec_sapien.robots.robot import Robot


@dataclass(frozen=True)
class AgentArm:
    """An agent's arm: its robot and side."""

    agent: str
    robot: Robot
    side: str

    @property
    def arm(self) -> ArmDescription:
        """The arm's joints, frames and gripper."""
        return self.robot.arms[self.side]


def crew(scene: Any, agents: Mapping[str, Mapping[str, Any]]) -> dict[str, AgentArm]:
    """Add the agents' robots to a scene. Agents without a robot (people) get no arm.

    An agent is a robot, one `side` of it, or the other side `of` an agent's robot. A robot with two
    arms has the name of its kind, a second one that of its agent. Raises ValueError for an agent
    or side that does not exist.
    """
    bodies: dict[str, Mapping[str, Any]] = {
        name: spec["body"]
        for name, spec in agents.items()
        if spec.get("body") and "kind" not in spec["body"]
    }
    robots: dict[str, Robot] = {}
    for agent, body in bodies.items():
        if "of" not in body:
            kind = str(body["robot"])
            definition = body["robot"] if isinstance(body["robot"], RobotDefinition) else kind
            x, y, z = (float(number) for number in body.get("pose", (0.0, 0.0, 0.0)))
            taken = kind in {it.name for it in robots.values()} | bodies.keys()
            name = kind if "side" in body and not taken else agent
            robots[agent] = load(scene, definition, name, (x, y, z), float(body.get("yaw", 0.0)))
    arms: dict[str, AgentArm] = {}
    for agent, body in bodies.items():
        owner = str(body.get("of", agent))
        if owner not in robots:
            raise ValueError(f"{agent}: its body is part of '{owner}', who has no robot")
        robot = robots[owner]
        side = str(body.get("side", next(iter(robot.arms))))
        if side not in robot.arms:
            raise ValueError(f"{agent}: unknown side '{side}'; known: {', '.join(robot.arms)}")
        arms[agent] = AgentArm(agent, robot, side)
    return arms
