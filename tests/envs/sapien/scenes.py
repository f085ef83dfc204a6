"""A small kitchen with physics: a table, a few things on it, an oven, and a Panda beside it."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from treec import Effect, EnvironmentSetup, Outcome, Sensor, WorkOrder
from treec.world.clock import VirtualClock
from treec_sapien.environment import SapienKitchen, open_environment

OBJECTS: dict[str, dict[str, Any]] = {
    "table": {"type": "Place", "body": {"kind": "table", "size": [1.6, 0.8, 0.75]}},
    "apple": {
        "type": "Item",
        "at": "table",
        "pose": [-0.2, -0.1, 0.75],
        "body": {"kind": "round_food", "diameter": 0.05},
    },
    "cup": {"type": "Item", "at": "table", "pose": [0.1, -0.2, 0.75], "body": {"kind": "cup"}},
    "bowl": {"type": "Item", "at": "table", "pose": [0.0, 0.15, 0.75], "body": {"kind": "bowl"}},
    "oven": {
        "type": "Place",
        "at": "table",
        "pose": [0.5, 0.15, 0.75],
        "body": {"kind": "microwave"},
    },
    "oven_door": {"type": "Door", "body": {"of": "oven", "part": "door"}},
}

AGENTS: dict[str, dict[str, Any]] = {
    "R1": {"agent": "R1", "is": "Robot", "body": {"robot": "panda", "pose": [-0.65, 0, 0.75]}},
    "user": {"agent": "user", "is": "Person"},
}


def sensor(fact: str, *values: str) -> Sensor:
    """A sensor whose value may be one of these."""
    return Sensor(fact, "", (), values)


def kitchen(
    objects: Mapping[str, Mapping[str, Any]] | None = None,
    agents: Mapping[str, Mapping[str, Any]] | None = None,
    *,
    facts: tuple[Effect, ...] = (),
    sensors: tuple[Sensor, ...] = (),
    folder: Path | None = None,
    time: float = 0.0,
) -> SapienKitchen:
    """The small kitchen, or one with these things."""
    return open_environment(
        EnvironmentSetup(
            "sapien",
            "small",
            OBJECTS if objects is None else objects,
            AGENTS if agents is None else agents,
            sensors=sensors,
            facts=facts,
            folder=folder,
            time=time,
            seed=7,
        )
    )


class Told:
    """A host that notes what it is told."""

    def __init__(self, kitchen: SapienKitchen) -> None:
        self.environment = kitchen
        self.clock = VirtualClock()
        self.sensed: list[tuple[Effect, ...]] = []
        self.ended: list[tuple[float, str, Outcome]] = []

    def sense(self, order_id: str, effects: tuple[Effect, ...]) -> None:
        self.sensed.append(effects)

    def finish(self, order_id: str, outcome: Outcome) -> None:
        self.ended.append((self.environment.now, order_id, outcome))


def order(id: str = "s1", agent: str = "R1", **args: object) -> WorkOrder:
    """An order for R1."""
    return WorkOrder(id, "do", agent, {"agent": agent, **args}, 1.0)
