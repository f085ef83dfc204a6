"""Policies beside a person, in physics."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

pytest.importorskip("sapien")

from tests.envs.sapien.person.people import Noting, do, forecast, kitchen_with, person
from tests.skills.sapien.kitchens import thing
from treec_learning.hand.simulator import ACTIONS
from treec_learning.sapien.learned_hand import LearnedHand, Numbers
from treec_learning.sapien.targets import HandTarget
from treec_sapien.motion.frames import compose
from treec_sapien.person.figure import points
from treec_sapien.worker import Physical, PhysicalAct, Steps

TIPS = (-0.2, 0.42, 1.25)


class Ahead(Physical):
    """A policy that goes for somebody's fingertips at full speed."""

    steps = 0

    def do(self, act: PhysicalAct) -> Steps:
        """Until it is stopped."""
        target = HandTarget(compose(act.arm.tcp[:3, :3], np.array(TIPS)), 0.02)

        def actions(seen: Numbers) -> Numbers:
            out = np.zeros((1, ACTIONS), dtype=np.float32)
            out[0, :3] = -seen[0, :3] / max(float(np.abs(seen[0, :3]).max()), 1e-6)
            out[0, 6] = -1.0
            self.steps += 1
            return out

        yield from LearnedHand(act.arm, target).follow(actions, lambda: False)


@pytest.mark.parametrize("there", [True, False])
@pytest.mark.few(0, thorough=1)
def test_no_policy_goes_into_a_hand(tmp_path: Path, there: bool) -> None:
    """Somebody holds a hand out to where it goes, or far from there; then it gets there."""
    at = TIPS if there else (0.35, 0.25, 0.95)
    spec = person(tmp_path, reach=list(at), frames=(60, 62))
    kitchen = kitchen_with({"user": spec}, cup=thing("cup", 0.4, -0.3))
    forecast(kitchen, "zero_velocity")
    kitchen.step(0.7)
    host, worker = Noting(kitchen), Ahead()
    outcome = do(host, worker, "ahead", seconds=5.0)
    assert not kitchen.people["user"].contacts
    hand = kitchen.robots["R1"].link("panda_hand_tcp").entity_pose.p
    tips = points(kitchen.people["user"].joints(kitchen.now))[8]
    to_target = float(np.linalg.norm(np.array(TIPS) - hand))
    assert worker.steps > 1
    assert outcome is None or not outcome.ok
    assert float(np.linalg.norm(tips - hand)) > 0.08
    assert (to_target > 0.08) == there
