"""Small stages to look at: a few solids whose depth and shadow can be told by hand."""

from __future__ import annotations

from dataclasses import replace
from itertools import product

import numpy as np

from treec_sapien.bodies.pose import Pose, turn
from treec_sapien.view.camera import Floats
from treec_sapien.view.solids import SolidStage, StageSolid, as_array, ground

RED, BLUE, PANE = (0.8, 0.2, 0.2, 1.0), (0.2, 0.3, 0.8, 1.0), (0.5, 0.6, 0.7, 0.5)

CUBE = tuple((x, y, z) for x, y, z in product((-0.1, 0.1), repeat=3))
"""The corners of a cube of 0.2 m."""

SIDES = ((0, 1, 3), (0, 3, 2), (4, 7, 5), (4, 6, 7), (0, 5, 1), (0, 4, 5))
SIDES += ((2, 3, 7), (2, 7, 6), (0, 2, 6), (0, 6, 4), (1, 5, 7), (1, 7, 3))
"""Its triangles, some of them the wrong way round."""


def stage(*solids: StageSolid) -> SolidStage:
    """A floor and these solids, each fixed to a piece and a thing of its own: a, b, …"""
    piece, floor = ground()
    names = "abcdefgh"[: len(solids)]
    own = (replace(solid, piece=at) for at, solid in enumerate(solids, 1))
    return SolidStage((piece, *((name, "body") for name in names)), (floor, *own))


def poses(*places: Pose) -> Floats:
    """The poses of a floor and these pieces."""
    return as_array([Pose(), *places])


def table_and_door() -> tuple[SolidStage, Floats]:
    """A box with a door that is a thing of its own, and a ball before it."""
    piece, floor = ground()
    pieces = (piece, ("box", "body"), ("box", "door"), ("ball", "body"))
    solids = (
        floor,
        StageSolid("box", 1, RED, Pose((0, 0, 0.5)), (0.2, 0.2, 0.5)),
        StageSolid("box", 2, BLUE, Pose((0, -0.21, 0.5)), (0.2, 0.01, 0.5)),
        StageSolid("sphere", 3, RED, half=(0.05, 0.05, 0.05)),
    )
    where = as_array([Pose(), Pose(), Pose(), Pose((0.4, -0.3, 0.05))])
    return SolidStage(pieces, solids, {"hatch": ("box", "door")}), where


def tumbled(seed: int) -> Pose:
    """A pose that is turned about, near the origin."""
    rng = np.random.default_rng(seed)
    x, y, z = rng.normal(size=3)
    length = float(np.linalg.norm((x, y, z)))
    axis = (float(x) / length, float(y) / length, float(z) / length)
    px, py, pz = (float(p) for p in rng.uniform(-0.2, 0.2, 3))
    return Pose((px, py, 0.6 + pz), turn(axis, float(rng.uniform(0, 360))))
