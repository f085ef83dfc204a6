"""Elbows that swing: the hands stay where they are, and nothing is touched on the way."""

from __future__ import annotations

import numpy as np

from tests.envs.dual_kitchen.room import room
from treec_sapien.motion.frames import twist
from treec_sapien.motion.null_space import swings


def test_the_hands_stay_while_the_elbows_swing() -> None:
    kitchen = room({"pot": {"pose": [0.0, 1.5, 0.0], "body": {"kind": "pot"}}})
    arms = [kitchen.arm(side) for side in ("left", "right")]
    motion = arms[0].motion
    q = motion.robot.qpos
    found = swings(arms, q)
    assert len(found) >= 2
    for swing in found:
        assert len({len(rows) for rows in swing.rows}) == 1
        rows = np.repeat(q[None], len(swing.rows[0]), axis=0)
        for arm, own in zip(arms, swing.rows, strict=True):
            rows[:, arm.joints] = own
            poses = np.stack([arm.chain.poses(arm.problem(row).now) for row in rows])
            away = twist(np.repeat(poses[:1], len(poses), axis=0), poses)
            assert np.max(np.linalg.norm(away, axis=1)) < 2e-3
            assert np.max(np.abs(np.diff(own, axis=0)), initial=0.0) < 0.31
        assert motion.space.all_free(rows)
        assert np.max(np.abs(swing.after(arms, q) - q)) > 0.2
