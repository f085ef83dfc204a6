"""A room with Baxter and a few bodies, stepped by hand."""

from __future__ import annotations

import time
from collections.abc import Generator, Mapping
from typing import Any

from treec import EnvironmentSetup
from treec_sapien.bodies.make import FRONT, RIGHT, axis, bar_grasps, bar_handle, box
from treec_sapien.bodies.spec import Body, BodyHandle, BodyLink, BodyPart, Joint
from treec_sapien.environment import SapienKitchen

AGENTS: dict[str, dict[str, Any]] = {
    "left": {
        "agent": "left",
        "is": "Robot",
        "body": {"robot": "baxter", "pose": [0.0, -0.75, 0.0], "yaw": 90, "side": "left"},
    },
    "right": {"agent": "right", "is": "Robot", "body": {"of": "left", "side": "right"}},
}


def room(objects: Mapping[str, Mapping[str, Any]], seed: int = 0) -> SapienKitchen:
    """Baxter and these objects; `chest` is a kind of body that this package has."""
    bodies = ("treec_sapien.bodies", "tests.envs.dual_kitchen")
    return SapienKitchen(
        EnvironmentSetup("sapien", "room", objects, AGENTS, bodies=bodies, seed=seed)
    )


def run(kitchen: SapienKitchen, *doing: Generator[None, None, Any], limit: float = 90.0) -> float:
    """Step what is being done side by side, and physics; returns the seconds of wall time."""
    began = time.perf_counter()
    left = list(doing)
    end = kitchen.now + limit
    while left:
        assert kitchen.now < end, "it takes too long"
        for one in tuple(left):
            try:
                next(one)
            except StopIteration:
                left.remove(one)
        kitchen.physics()
        kitchen.ticks += 1
    return time.perf_counter() - began


def drawer(name: str, width: float, height: float, z: float) -> tuple[BodyLink, Joint, BodyHandle]:
    """A drawer that comes out by 30 cm towards the front."""
    face = (0.0, -0.25, z + height / 2)
    shapes = (
        box((width, 0.02, height), (0.0, -0.24, z)),
        box((width - 0.02, 0.4, 0.01), (0.0, -0.03, z)),
        *bar_handle(face, RIGHT, FRONT, 0.14),
    )
    joint = Joint(name, "slide", "body", name, face, axis(FRONT), (0.0, 0.3), 2.0, 5.0)
    return (
        BodyLink(name, shapes, mass=1.0),
        joint,
        BodyHandle(name, name, name, bar_grasps(face, RIGHT, FRONT, name)),
    )


def chest() -> Body:
    """A chest with one drawer at 0.7 m."""
    link, joint, handle = drawer("drawer", 0.4, 0.18, 0.66)
    case = (box((0.44, 0.46, 0.65), (0.0, 0.02, 0.0)), box((0.44, 0.46, 0.02), (0.0, 0.02, 0.85)))
    return Body(
        "chest",
        (BodyLink("body", case), link),
        (joint,),
        fixed=True,
        handles=(handle,),
        parts=(BodyPart("drawer", "drawer", "drawer", "drawer"),),
        opened={"drawer": 0.2},
    )
