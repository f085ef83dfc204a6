"""What a policy is shown of a kitchen in SAPIEN."""

from __future__ import annotations

import numpy as np
import pytest

pytest.importorskip("sapien")

from tests.learning.sapien.scenes import pantry_kitchen
from treec_learning.pantry.cases import BOXES, shipped_starts
from treec_learning.pantry.kinematics import tip
from treec_learning.sapien.reach import StretchReach
from treec_learning.sapien.surroundings import PantryFrame, PantryGoal, boxes_around, find_goal
from treec_sapien.environment import SapienKitchen
from treec_sapien.motion.stretch_solutions import arm_frame


@pytest.fixture(scope="module")
def pantry() -> SapienKitchen:
    return pantry_kitchen()


def goal_of(pantry: SapienKitchen, item: str) -> PantryGoal:
    found = find_goal(pantry, item)
    assert isinstance(found, PantryGoal), found
    return found


def test_a_frame_turns_points_there_and_back() -> None:
    frame = PantryFrame(np.array([2.0, 0.5, 0.0]), np.array([1.0, 0.0, 0.0]))
    assert frame.inside(np.array([2.1, 0.3, 0.7])) == pytest.approx([0.2, 0.1, 0.7])
    points = np.array([[2.1, 0.3, 0.7], [1.0, 1.0, 1.0]])
    assert frame.outside(frame.inside(points)) == pytest.approx(points)


def test_the_neighbours_stand_where_they_are_shown(pantry: SapienKitchen) -> None:
    """Seen from the robot, what has the larger y of the scene is on the left."""
    found = goal_of(pantry, "goal")
    boxes = dict(zip(BOXES, found.case.boxes, strict=True))
    assert found.case.goal[:2] == pytest.approx([0.0, 2.34 - 2.25], abs=2e-3)
    assert found.case.board == pytest.approx(0.65)
    assert boxes["left"][1, 0] == pytest.approx(-(0.67 - 0.55 - 0.03), abs=3e-3)
    assert boxes["right"][0, 0] == pytest.approx(0.55 - 0.44 - 0.03, abs=3e-3)
    assert boxes["right"][1, 2] == pytest.approx(0.65 + 0.2, abs=3e-3)
    assert boxes["top"][0, 2] == pytest.approx(0.95 - 0.018)
    assert boxes["front"][0] == pytest.approx([-0.07, -0.005, 0.65], abs=3e-3)
    assert boxes["front"][1] == pytest.approx([-0.01, 0.055, 0.71], abs=3e-3)


def test_what_is_far_is_shown_as_far_as_in_the_training() -> None:
    spec = shipped_starts().place
    goal = np.array([0.0, 0.1, 0.7])
    boxes = boxes_around(goal, 0.65, 1.4, 0.38, [], spec, behind=0.13)
    assert boxes[0, 1, 0] == pytest.approx(-spec.free[1])
    assert boxes[1, 0, 0] == pytest.approx(spec.free[1])
    assert boxes[2, 0, 1] == pytest.approx(0.1 + spec.behind[1])
    assert boxes[4, 0, 2] == pytest.approx(0.7 + spec.above[1])
    assert boxes[5].min() > 2.0


@pytest.mark.parametrize(
    ("item", "why"),
    [
        ("on the table", "does not stand on a board"),
        ("wide", "is wider than what the policies were trained with"),
    ],
)
def test_what_no_policy_was_made_for_is_told(pantry: SapienKitchen, item: str, why: str) -> None:
    assert why in str(find_goal(pantry, item))


def test_an_item_may_be_believed_elsewhere(pantry: SapienKitchen) -> None:
    off = np.array([0.0, 0.02, 0.0])
    there, believed = find_goal(pantry, "goal"), find_goal(pantry, "goal", off)
    assert isinstance(there, PantryGoal)
    assert isinstance(believed, PantryGoal)
    moved = believed.frame.outside(believed.case.goal) - there.frame.outside(there.case.goal)
    assert moved == pytest.approx(off)


def test_joints_and_configurations_belong_together(pantry: SapienKitchen) -> None:
    """The tool is where the kinematic pantry has it, before and after each action."""
    reach = StretchReach(pantry.arm("R2"), goal_of(pantry, "goal"))
    ik = pantry.arm("R2").ik
    spot, bend = reach.start(0.1, 0.05, 0.02)
    q = ik.bent(reach.commanded, bend)
    q[ik.base] = arm_frame(ik, spot)
    reach.commanded = q
    config, stand = reach.configuration(q)
    goal = reach.case.goal
    assert tip(config[None], np.array([stand]))[0] == pytest.approx(
        [goal[0] + 0.05, -0.1, goal[2] + 0.02], abs=2e-3
    )
    for action in range(10):
        after, _ = reach.configuration(reach.after(action))
        step = np.zeros(5)
        step[action // 2] = (0.02, 0.02, 0.02, 0.1, 0.1)[action // 2] * (1 if action % 2 else -1)
        assert after - config == pytest.approx(step, abs=1e-6)


def test_refusals_have_names(pantry: SapienKitchen) -> None:
    arm = pantry.arm("R2")
    reach = StretchReach(arm, goal_of(pantry, "goal"))
    assert reach.is_free(5)
    assert reach.refusal(4) == "limit"  # the extension is drawn in
    spot, bend = reach.start(-0.04, -0.05, 0.0)
    q = arm.ik.bent(reach.commanded, bend)
    q[arm.ik.base] = arm_frame(arm.ik, spot)
    q[arm.fingers] = arm.widest
    reach.commanded = q
    assert reach.refusal(5) == "left"
