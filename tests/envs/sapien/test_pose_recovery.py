"""A body that physics loses is put back where it was."""

from __future__ import annotations

import numpy as np
import sapien

from tests.envs.sapien.scenes import kitchen


def test_a_body_without_a_pose_is_put_back_at_rest() -> None:
    where = kitchen()
    body = where.bodies["apple"].links["body"]
    before = np.array(body.entity_pose.p)
    body.wake_up()
    where.losses.look()
    body.entity.pose = sapien.Pose([float("nan")] * 3)
    body.linear_velocity = [1.0, 0.0, 0.0]
    where.losses.look()
    assert np.allclose(body.entity_pose.p, before)
    assert np.allclose(body.linear_velocity, 0.0)
    assert where.losses.count == 1


def test_bodies_with_poses_are_let_alone() -> None:
    where = kitchen()
    body = where.bodies["apple"].links["body"]
    body.entity.pose = sapien.Pose([0.1, -0.1, 0.9])
    body.wake_up()
    where.losses.look()
    assert np.allclose(body.entity_pose.p, [0.1, -0.1, 0.9])
    assert where.losses.count == 0
