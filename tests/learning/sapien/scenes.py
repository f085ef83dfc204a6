"""A pantry in SAPIEN with a Stretch before it, and orders for it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from tests.envs.sapien.scenes import Told, kitchen
from treec import Outcome, WorkOrder
from treec_sapien.environment import SapienKitchen

PANTRY = {"type": "Place", "pose": [2.45, 0.55, 0.0], "yaw": -90, "body": {"kind": "pantry"}}
PLATE = {"kind": "plate", "lug": True}
STRETCH = {"R2": {"agent": "R2", "body": {"robot": "stretch", "pose": [1.6, 0.55, 0], "yaw": 180}}}


def jar(y: float, x: float = 2.34, z: float = 0.65, **body: Any) -> dict[str, Any]:
    """A jar of 6 cm."""
    return {"type": "Item", "pose": [x, y, z], "body": {"kind": "jar", "diameter": 0.06, **body}}


def pantry_kitchen() -> SapienKitchen:
    """A jar between two, with one before it and one farther away; a table with a jar, too."""
    objects = {
        "pantry": PANTRY,
        "table": {"type": "Place", "body": {"kind": "table"}},
        "goal": jar(0.55),
        "left": jar(0.67),
        "right": jar(0.44, height=0.2),
        "before": jar(0.59, 2.275, height=0.06),
        "far": jar(0.1),
        "wide": {"type": "Item", "pose": [2.4, 0.9, 0.95], "yaw": -90, "body": PLATE},
        "on the table": jar(0.0, 0.0, 0.75),
    }
    return kitchen(objects, STRETCH)


class Noting(Told):
    """A host that keeps notes, too."""

    def __init__(self, kitchen: SapienKitchen) -> None:
        super().__init__(kitchen)
        self.notes: list[tuple[str, Mapping[str, Any]]] = []

    def note(self, order_id: str, text: str, record: Mapping[str, Any]) -> None:
        self.notes.append((text, record))

    @property
    def outcome(self) -> Outcome | None:
        return self.ended[-1][2] if self.ended else None


def pick(item: str) -> WorkOrder:
    """An order to pick it."""
    return WorkOrder("s1", "pick", "R2", {"agent": "R2", "item": item}, 8.0)
