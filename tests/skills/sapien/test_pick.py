"""In which order a thing's grasps are tried."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

pytest.importorskip("sapien")

from treec_sapien.bodies.kinds import make
from treec_sapien.bodies.pose import Pose
from treec_sapien.bodies.spec import GraspPoint
from treec_sapien.dual_kitchen.grasp import Grasp
from treec_sapien.motion.failure import MotionFailure
from treec_sapien.motion.frames import about, quaternion
from treec_sapien.skills.pick.sapien import Pick, in_turn
from treec_sapien.worker import Physical

BUILT = SimpleNamespace(pose=lambda link=None: Pose((1.0, 2.0, 0.75)))
LYING = SimpleNamespace(pose=lambda link=None: Pose((1.0, 2.0, 0.75), (0.7071, 0.7071, 0.0, 0.0)))


def grasp(name: str, degrees: float) -> GraspPoint:
    """A hand that points so many degrees down from level."""
    turn = about(np.array([0.0, 1.0, 0.0]), np.radians(90 + degrees))
    w, x, y, z = (float(it) for it in quaternion(turn))
    return GraspPoint(name, (0.0, 0.0, 0.05), (w, x, y, z), 0.05, "body")


FRONT, SLANT, ABOVE = grasp("front", 0.0), grasp("slant", 30.0), grasp("above", 90.0)


def test_a_robot_that_drives_takes_things_from_the_side_first() -> None:
    all_of_them = (ABOVE, FRONT, SLANT)
    assert in_turn(BUILT, all_of_them, drives=True) == [[FRONT, SLANT], all_of_them]  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("grasps", "drives"), [((ABOVE,), True), ((FRONT, SLANT), True), ((ABOVE, FRONT), False)]
)
def test_all_are_tried_at_once_where_none_is_better(
    grasps: tuple[GraspPoint, ...], drives: bool
) -> None:
    assert in_turn(BUILT, grasps, drives=drives) == [grasps]  # type: ignore[arg-type]


def test_what_lies_is_taken_as_it_lies() -> None:
    assert in_turn(LYING, (ABOVE, FRONT), drives=True) == [(ABOVE, FRONT)]  # type: ignore[arg-type]


def at_origin(link: str = "body") -> Pose:
    return Pose()


@pytest.mark.parametrize("worker", [Pick, Grasp])
@pytest.mark.parametrize("kind", ["toaster", "dishwasher", "table"])
def test_what_is_fixed_or_has_joints_is_not_taken(
    kind: str, worker: type[Physical], monkeypatch: pytest.MonkeyPatch
) -> None:
    """A toaster's button had made it a KeyError."""

    monkeypatch.setattr("treec_sapien.skills.pick.sapien.in_hand", lambda *where: None)
    made = make(kind, {}, ("treec_sapien.bodies",))
    joints: Any = object() if made.joints else None
    act: Any = SimpleNamespace(
        kitchen=SimpleNamespace(
            bodies={
                "it": SimpleNamespace(name="it", body=made, articulation=joints, pose=at_origin)
            }
        ),
        arg=lambda name: "it",
        order=SimpleNamespace(needs={}),
        arm=SimpleNamespace(holding=None),
        hand=None,
        robot=SimpleNamespace(base_joints=()),
        seed=lambda attempt: 1,
    )
    with pytest.raises(MotionFailure, match="not reached: it is fixed in its place: no hand"):
        list(worker().do(act))


def test_what_is_in_the_hand_already_is_not_taken_anew(monkeypatch: pytest.MonkeyPatch) -> None:
    """Who was held up by a person after the lift had opened the hand for a second grasp."""
    jar = make("jar", {}, ("treec_sapien.bodies",))
    built = SimpleNamespace(name="it", body=jar, pose=at_origin)
    kitchen = SimpleNamespace(bodies={"it": built}, stood={})
    rested: list[object] = []
    act: Any = SimpleNamespace(
        kitchen=kitchen,
        arg=lambda name: "it",
        order=SimpleNamespace(agent="R2"),
        arm=SimpleNamespace(holding=None, rest=lambda rng: iter([rested.append(rng)])),
        hand="R2's",
        seed=lambda attempt: 1,
    )
    monkeypatch.setattr("treec_sapien.skills.pick.sapien.in_hand", lambda *where: "it")
    pick = Pick()
    list(pick.do(act))
    assert len(rested) == 1
    assert kitchen.stood == {}, "it was in the hand before: where it stood is not known"
    pick._stood = at_origin()
    list(pick.do(act))
    assert kitchen.stood["it"] == ("R2", pick._stood)
