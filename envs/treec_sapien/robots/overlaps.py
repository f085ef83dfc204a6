"""Pairs of links that may overlap, found by sampling, for packages without an SRDF.

As in MoveIt's setup assistant: adjacent links may; so may two links that overlap in the resting
pose or in half of all samples, since their hulls are then larger than the links; and two links that
never collided in any sample need no check. The result is written as an SRDF beside the adapted
model.
"""

from __future__ import annotations

import itertools
import xml.etree.ElementTree as ET
from pathlib import Path

import numpy as np
import sapien
from mplib.sapien_utils import SapienPlanningWorld

from treec import write_atomic
from treec_sapien.robots import adapt
from treec_sapien.robots.description import Description
from treec_sapien.robots.robot import enable_self_collision, place

SAMPLES = 1500
OFTEN = 0.5
Pair = frozenset[str]


def sampled_overlaps(description: Description, srdf: Path) -> frozenset[Pair]:
    """Return the pairs of ``srdf``, which is created if missing."""
    if not srdf.is_file():
        write_atomic(srdf, _text(description.kind, sample(description)))
    model = ET.parse(description.urdf).getroot()
    links = [link.get("name", "") for link in model.findall("link")]
    return adapt.overlaps_of(srdf, links)


def sample(description: Description, samples: int = SAMPLES, seed: int = 1) -> dict[Pair, str]:
    """Return the pairs that may overlap, each with its reason."""
    scene = sapien.Scene([sapien.physx.PhysxCpuSystem()])
    robot = place(scene, description, "sampled")
    with enable_self_collision([robot]):
        world = SapienPlanningWorld(scene, [robot.articulation])
    model = world.get_planned_articulations()[0]
    limits = np.array([joint.limit[0] for joint in robot.articulation.active_joints])
    limits[robot.indices(robot.base_joints)] = 0.0  # irrelevant for self-collision
    rng = np.random.default_rng(seed)
    met: dict[Pair, int] = {}
    for _ in range(samples):
        model.set_qpos(rng.uniform(limits[:, 0], limits[:, 1]), full=True)
        for pair in _colliding_pairs(world):
            met[pair] = met.get(pair, 0) + 1
    model.set_qpos(robot.home, full=True)
    at_rest = _colliding_pairs(world)
    shaped = [link.name for link in robot.articulation.links if link.collision_shapes]
    near = {
        frozenset((link.name, link.parent.name))
        for link in robot.articulation.links
        if link.parent is not None
    }
    reasons: dict[Pair, str] = {}
    for first, second in itertools.combinations(shaped, 2):
        pair = frozenset((first, second))
        if pair in near:
            reasons[pair] = "Adjacent"
        elif pair in at_rest or met.get(pair, 0) >= OFTEN * samples:
            reasons[pair] = "Default"
        elif pair not in met:
            reasons[pair] = "Never"
    return reasons


def _colliding_pairs(world: SapienPlanningWorld) -> set[Pair]:
    return {frozenset((hit.link_name1, hit.link_name2)) for hit in world.check_self_collision()}


def _text(kind: str, reasons: dict[Pair, str]) -> str:
    root = ET.Element("robot", {"name": kind})
    for pair in sorted(reasons, key=sorted):
        first, second = sorted(pair)
        ET.SubElement(
            root,
            "disable_collisions",
            {"link1": first, "link2": second, "reason": reasons[pair]},
        )
    return adapt.text_of(root)
