"""Where two hands get at one thing together: a seed decides it, and what is avoided is avoided."""

from __future__ import annotations

import numpy as np
import pytest

from tests.envs.dual_kitchen.room import room
from treec_sapien.motion.base import ReachWish
from treec_sapien.motion.bimanual import _ways
from treec_sapien.motion.bimanual_base_poses import base_pose_for_two
from treec_sapien.motion.frames import Array

OBJECTS = {
    "table": {"pose": [0.0, 0.4, 0.0], "body": {"kind": "table", "size": [1.6, 0.8, 0.75]}},
    "pot": {"pose": [0.5, 0.2, 0.75], "body": {"kind": "pot"}},
}


@pytest.mark.slow
def test_a_place_serves_both_hands_and_a_seed_decides_it() -> None:
    kitchen = room(OBJECTS)
    arms = [kitchen.arm(side) for side in ("left", "right")]
    motion, pot = arms[0].motion, kitchen.bodies["pot"]
    up = np.array([0.0, 0.0, 0.2])
    wishes = [
        ReachWish(arm, _ways(pot, handle.grasps, up), pot.entity)
        for arm, handle in zip(arms, pot.body.handles, strict=True)
    ]

    def find(*avoided: Array) -> tuple[Array, list[Array]]:
        found = base_pose_for_two(motion, wishes, avoided, np.random.default_rng(4))
        assert found is not None
        return found[0], [options[0].q for options in found[1]]

    place, rows = find()
    again, same = find()
    assert np.array_equal(place, again)
    assert all(np.array_equal(one, other) for one, other in zip(rows, same, strict=True))
    for arm, row, wish in zip(arms, rows, wishes, strict=True):
        with arm.may_touch(wish.touch):
            assert motion.space.all_free(arm.whole(motion.rest_configuration(), row))
    gap = np.abs(find(place)[0] - place)
    assert np.hypot(*gap[:2]) > 0.14 or gap[2] > 0.19
