"""Where all links of a robot are, against what physics says."""

from __future__ import annotations

import numpy as np
import pytest

from tests.envs.sapien.motion.bench import Bench
from treec_sapien.motion.frames import matrix
from treec_sapien.motion.kinematic_tree import Tree


@pytest.mark.parametrize("kind", ["panda", "baxter"])
def test_every_link_is_where_physics_has_it(kind: str) -> None:
    robot = Bench(kind).robot
    tree = Tree(robot.articulation)
    root = matrix(robot.articulation.root_pose)
    rows = robot.home + np.random.default_rng(0).uniform(-0.2, 0.2, (3, len(robot.joints)))
    found = tree.poses(rows, root)
    for row, movers in zip(rows, found, strict=True):
        robot.put(row)
        for link in robot.articulation.links:
            here = movers[tree.mover[link.name]] @ tree.offset[link.name]
            assert np.allclose(here, matrix(link.entity_pose), atol=2e-5), link.name


def test_only_what_has_moved_is_worked_out_again() -> None:
    robot = Bench("baxter").robot
    tree, root = Tree(robot.articulation), matrix(robot.articulation.root_pose)
    joints = robot.indices(robot.arms["left"].joints)
    known = tree.poses(robot.home[None], root)[0]
    row = robot.home.copy()
    row[joints] += 0.3
    moved = tree.moved_by(joints)
    assert 0 < np.sum(moved) < len(tree)
    assert np.allclose(tree.again(row[None], known, moved), tree.poses(row[None], root))
