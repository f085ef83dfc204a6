"""A table with a Panda on it, a Stretch beside it, a shelf and a person's open hand."""

from __future__ import annotations

from typing import Any

from treec import EnvironmentSetup, WorkOrder
from treec_sapien.environment import SapienKitchen
from treec_sapien.worker import Physical, PhysicalAct

PLACES: dict[str, dict[str, Any]] = {
    "table": {"type": "Place", "body": {"kind": "table", "size": [1.5, 0.9, 0.75]}},
    "shelf": {
        "type": "Place",
        "pose": [1.9, 0.0, 0.0],
        "yaw": -90,
        "body": {"kind": "shelf", "size": [0.9, 0.35, 1.25], "boards": [0.55, 0.9]},
    },
}
AGENTS: dict[str, dict[str, Any]] = {
    "R1": {"agent": "R1", "body": {"robot": "panda", "pose": [-0.6, 0.0, 0.75]}},
    "R2": {"agent": "R2", "body": {"robot": "stretch", "pose": [0.4, -1.0, 0.0], "yaw": 180}},
    "user": {"agent": "user", "body": {"kind": "palm", "pose": [-0.3, 0.58, 0.0]}},
}


def thing(kind: str, x: float, y: float, z: float = 0.75, **body: Any) -> dict[str, Any]:
    """A free thing that stands there."""
    return {"type": "Item", "pose": [x, y, z], "body": {"kind": kind, **body}}


def kitchen(agent: str, seed: int = 1, **things: dict[str, Any]) -> SapienKitchen:
    """The kitchen with these things, of the robots only the one that acts."""
    agents = {name: AGENTS[name] for name in (agent, "user")}
    return SapienKitchen(
        EnvironmentSetup("sapien", "test", {**PLACES, **things}, agents, seed=seed)
    )


class Doing:
    """Somebody who does one skill after another in a kitchen, by the workers alone."""

    def __init__(self, where: SapienKitchen, agent: str) -> None:
        self.kitchen = where
        self.agent = agent
        self.count = 0

    def __call__(self, worker: type[Physical], **args: str) -> None:
        """Do a skill to its end. Raises Failed; a skill that takes two minutes fails the test."""
        self.count += 1
        order = WorkOrder(f"s{self.count}", "do", self.agent, {"agent": self.agent, **args}, 1.0)
        end = self.kitchen.ticks + 120 * 60
        for _ in worker().do(PhysicalAct(order, self.kitchen)):
            self.kitchen.physics()
            self.kitchen.ticks += 1
            assert self.kitchen.ticks < end
        for _ in range(30):
            self.kitchen.physics()
        self.kitchen.ticks += 30
