"""Scenes of the physical pantry: the kitchen's pantry with things drawn by a generator.

The same generator gives the same scene. The robot begins as the starts of the kinematic pantry say
(`learning/treec_learning/pantry/starts.yaml`), and touches nothing.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from treec import EnvironmentSetup
from treec_learning.pantry.cases import StartsFile, choose_start, draw_first, shipped_starts
from treec_learning.pantry.kinematics import FOLDED_REACH
from treec_learning.sapien.reach import StretchReach
from treec_learning.sapien.surroundings import PantryGoal, find_goal
from treec_sapien.environment import SapienKitchen
from treec_sapien.motion.stretch import StretchMover
from treec_sapien.motion.stretch_solutions import arm_frame

ROBOT, THING, PANTRY = "stretch", "thing", "pantry"
"""Names in every scene."""

BOARDS = (0.4, 0.65, 0.95)
"""Heights of the boards of the kitchen's pantry (m)."""

_SIZE, _FRONT = (1.9, 0.4, 1.5), -0.2
_TRIES = 40
_GAP = 0.006  # between things (m)
_KINDS: Mapping[str, Mapping[str, tuple[float, float]]] = {
    "jar": {"diameter": (0.045, 0.065), "height": (0.1, 0.14)},
    "bottle": {"diameter": (0.05, 0.06), "height": (0.17, 0.2)},
    "tin": {"diameter": (0.05, 0.065), "height": (0.1, 0.12)},
}


@dataclass
class PantryScene:
    """A scene in SAPIEN whose robot is where an episode begins."""

    start: str
    kitchen: SapienKitchen
    goal: PantryGoal
    """With the case's start, place of the robot and first configuration."""

    @property
    def arm(self) -> StretchMover:
        """The robot's arm."""
        arm = self.kitchen.arm(ROBOT)
        assert isinstance(arm, StretchMover)
        return arm


def draw_scene(
    rng: np.random.Generator, shares: Mapping[str, float], file: StartsFile | None = None
) -> PantryScene:
    """Draw a scene; ``shares`` are the chances of the starts. Raises ValueError for an unknown one.

    A thing stands on one of the pantry's boards between two others; there may be more beside and
    behind them, and with the start `obstacle` there is one before it.
    """
    file = file or shipped_starts()
    name = choose_start(rng, shares, file)
    while True:
        scene = _try(rng, name, file)
        if scene is not None:
            return scene


def _try(rng: np.random.Generator, name: str, file: StartsFile) -> PantryScene | None:
    start, place = file.starts[name], file.place
    objects = _draw_things(rng, start.front)
    if objects is None:
        return None
    agents = {ROBOT: {"agent": ROBOT, "body": {"robot": "stretch", "pose": [0.0, -2.0, 0.0]}}}
    kitchen = SapienKitchen(EnvironmentSetup("sapien", "physical pantry", objects, agents))
    goal = find_goal(kitchen, THING)
    if isinstance(goal, str):
        return None
    stand = float(-FOLDED_REACH - rng.uniform(*place.gap))
    case = replace(goal.case, start=name, stand=stand)
    first = draw_first(rng, start, case)
    if first is None:
        return None
    goal = replace(goal, case=replace(case, first=first))
    scene = PantryScene(name, kitchen, goal)
    arm = scene.arm
    reach = StretchReach(arm, goal)
    spot, bend = reach.joints(first, stand)
    q = arm.ik.bent(kitchen.robots[ROBOT].qpos, bend)
    q[arm.ik.base], q[arm.fingers] = arm_frame(arm.ik, spot), arm.widest
    arm.motion.space.update()
    if not arm.ik.inside(q[None])[0] or not arm.motion.space.free(q):
        return None
    kitchen.robots[ROBOT].put(q)
    kitchen.forget_contacts()
    return scene


def _draw_things(rng: np.random.Generator, front: bool) -> dict[str, dict[str, Any]] | None:
    """The objects of a scene, with the pantry's front along x and open to -y; None: no room."""
    board = float(rng.choice(BOARDS))
    kinds = [kind for kind in _KINDS if kind != "bottle" or board > 0.6]
    pantry = {"type": "Place", "body": {"kind": "pantry", "size": _SIZE, "boards": BOARDS}}
    objects: dict[str, dict[str, Any]] = {PANTRY: pantry}
    taken: list[tuple[float, float, float]] = []

    def put(name: str, x: float, y: float, kind: str, body: Mapping[str, float]) -> bool:
        radius = body["diameter"] / 2
        for ox, oy, other in taken:
            if math.hypot(x - ox, y - oy) < radius + other + _GAP:
                return False
        taken.append((x, y, radius))
        pose = [x, _FRONT + y, board]
        objects[name] = {"type": "Item", "pose": pose, "body": {"kind": kind, **body}}
        return True

    def draw() -> tuple[str, dict[str, float]]:
        kind = str(rng.choice(kinds))
        return kind, {key: float(rng.uniform(*ends)) for key, ends in _KINDS[kind].items()}

    middle, deep = float(rng.uniform(-0.5, 0.5)), float(rng.uniform(0.08, 0.2))
    kind, body = draw()
    if front:
        deep = max(deep, 0.15)
    put(THING, middle, deep, kind, body)
    half = body["diameter"] / 2
    if front:
        small = {
            "diameter": float(rng.uniform(0.04, 0.06)),
            "height": float(rng.uniform(0.05, 0.08)),
        }
        aside = float(rng.choice((-1.0, 1.0)) * rng.uniform(0.03, 0.08))
        radius = small["diameter"] / 2
        most = deep - half - 0.03 - radius
        before = max(float(rng.uniform(0.5, 1.0)) * most, radius)
        if not put("obstacle", middle + aside, before, "jar", small):
            return None
    for side in (-1.0, 1.0):
        kind, body = draw()
        radius = body["diameter"] / 2
        x = middle + side * (float(rng.uniform(0.085, 0.14)) + radius)
        y = max(deep - float(rng.uniform(0.0, 0.1)), radius + 0.01)
        if not put(f"neighbour {int(side > 0) + 1}", x, y, kind, body):
            return None
        if rng.random() < 0.5:
            kind, body = draw()
            x += side * float(rng.uniform(0.08, 0.12))
            put(f"other {int(side > 0) + 1}", x, float(rng.uniform(0.05, 0.3)), kind, body)
    if rng.random() < 0.5:
        kind, body = draw()
        y = deep + half + body["diameter"] / 2 + float(rng.uniform(0.02, 0.08))
        put("behind", middle + float(rng.uniform(-0.04, 0.04)), min(y, 0.34), kind, body)
    return objects
