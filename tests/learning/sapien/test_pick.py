"""Picking with a learned reach, in physics."""

from __future__ import annotations

from collections.abc import Sequence
from functools import reduce
from pathlib import Path

import numpy as np
import pytest

pytest.importorskip("sapien")

from tests.cli.conftest import Treec, treec
from tests.learning.sapien.scenes import Noting, pantry_kitchen, pick
from tests.systems.conftest import library
from treec_learning.guarded_choice import HERE, place_after
from treec_learning.pantry.simulator import ACTIONS, SIZES, PantrySimulator
from treec_learning.policy import Floats, Policy
from treec_learning.sapien import pick as picking
from treec_learning.sapien.ahead import ReachSteps, StepsAhead
from treec_learning.sapien.pick import LearnedPick
from treec_learning.sapien.reach import StretchReach, body_of
from treec_learning.sapien.surroundings import PantryGoal, find_goal
from treec_sapien.environment import SapienKitchen
from treec_sapien.motion.failure import MotionFailure
from treec_sapien.motion.stretch_solutions import arm_frame
from treec_sapien.worker import PhysicalAct

__all__ = ["library", "treec"]

LEARNED = "treec_learning.sapien.pick:LearnedPick"


def liking(*actions: str) -> Policy:
    """A policy that always likes these actions best, whatever it sees."""
    bias = np.zeros(len(ACTIONS), dtype=np.float32)
    for rank, action in enumerate(actions):
        bias[ACTIONS.index(action)] = 10.0 - rank
    layer = np.zeros((SIZES["joints"], len(ACTIONS)), dtype=np.float32), bias
    return Policy([layer], {"learning": {"observation": "joints"}})


def reach_from(
    kitchen: SapienKitchen, ahead: float, beside: float = 0.0, above: float = 0.02
) -> tuple[PhysicalAct, StretchReach]:
    """The open hand of the arm that is put before the jar, ``ahead`` before the pantry."""
    arm = kitchen.arm("R2")
    goal = find_goal(kitchen, "goal")
    assert isinstance(goal, PantryGoal)
    spot, bend = StretchReach(arm, goal).start(ahead, beside, above)
    q = arm.ik.bent(kitchen.robots["R2"].qpos, bend)
    q[arm.ik.base], q[arm.fingers] = arm_frame(arm.ik, spot), arm.widest
    kitchen.robots["R2"].put(q)
    return PhysicalAct(pick("goal"), kitchen, Noting(kitchen)), StretchReach(arm, goal)


def run(kitchen: SapienKitchen, steps: Sequence[None]) -> None:
    for _ in steps:
        kitchen.physics()
        kitchen.ticks += 1


@pytest.fixture
def policy(monkeypatch: pytest.MonkeyPatch) -> dict[str, Policy]:
    """The policy that the worker loads: that named "it". No way is found ahead."""
    found: dict[str, Policy] = {}
    monkeypatch.setattr(picking, "load", lambda name: found["it"])
    monkeypatch.setattr(picking, "MOST", 3)
    monkeypatch.setattr(ReachSteps, "way", lambda self: None)
    return found


def test_a_policy_that_leads_nowhere_is_stopped(policy: dict[str, Policy]) -> None:
    kitchen = pantry_kitchen()
    act, reach = reach_from(kitchen, 0.1)
    policy["it"] = liking("drive -")
    before, _ = reach.configuration(kitchen.robots["R2"].qpos)
    with pytest.raises(
        MotionFailure, match=r"does not get nearer: 0\.2\d m from goal after 3 steps"
    ):
        run(kitchen, LearnedPick().reach(act, reach, "goal"))
    after, _ = reach.configuration(kitchen.robots["R2"].qpos)
    assert after[0] - before[0] == pytest.approx(-0.06, abs=5e-3)


def test_a_step_that_would_touch_is_not_made(policy: dict[str, Policy]) -> None:
    """Beside the hand stands a jar: the next likeliest step is made, and nothing is touched."""
    kitchen = pantry_kitchen()
    act, reach = reach_from(kitchen, -0.04, -0.05, 0.0)
    policy["it"] = liking("extension +", "lift +")
    began = reach.commanded.copy()
    with pytest.raises(MotionFailure, match="does not get nearer"):
        run(kitchen, LearnedPick().reach(act, reach, "goal"))
    raised = reach.commanded[reach.arm.ik.lift] - began[reach.arm.ik.lift]
    assert raised > 0.03
    assert not kitchen.contacts.of("R2").keys() - {("ground", "ground")}


def test_where_no_step_is_free_the_failure_names_the_thing(
    policy: dict[str, Policy], monkeypatch: pytest.MonkeyPatch
) -> None:
    kitchen = pantry_kitchen()
    act, reach = reach_from(kitchen, 0.1)
    policy["it"] = liking("extension +")
    monkeypatch.setattr(StretchReach, "refusal", lambda self, action: ("limit", "left")[action % 2])
    with pytest.raises(MotionFailure, match="would touch left: no step is free"):
        run(kitchen, LearnedPick().reach(act, reach, "goal"))
    monkeypatch.setattr(StretchReach, "refusal", lambda self, action: "limit")
    with pytest.raises(MotionFailure, match="not reached: every step leads beyond the limits"):
        run(kitchen, LearnedPick().reach(act, reach, "goal"))
    monkeypatch.setattr(StretchReach, "refusal", lambda self, action: "R2")
    with pytest.raises(MotionFailure, match="blocked: R2 is in the way"):
        run(kitchen, LearnedPick().reach(act, reach, "goal"))


@pytest.mark.parametrize(
    ("piece", "body"),
    [
        ("jar_4/jar_4", "jar"),
        ("jar_1_4/jar_1_4", "jar_1"),
        ("fridge_2_17/door", "fridge_2"),
        ("stretch_3/link_gripper", "stretch"),
        ("user/hand_12/user/hand_12", "user"),
        ("sous_chef_1/left hand_12/sous_chef_1/left hand_12", "sous_chef_1"),
    ],
)
def test_what_is_in_the_way_has_its_name_in_the_scene(piece: str, body: str) -> None:
    assert body_of(piece) == body


def test_a_thing_that_is_moved_meanwhile_is_not_reached_for(policy: dict[str, Policy]) -> None:
    kitchen = pantry_kitchen()
    act, reach = reach_from(kitchen, 0.1)
    policy["it"] = liking("extension +")
    steps = LearnedPick().reach(act, reach, "goal")
    next(steps)
    body = kitchen.bodies["goal"].entity
    pose = body.pose
    pose.p = pose.p + np.array([0.0, 0.02, 0.0])
    body.pose = pose
    with pytest.raises(MotionFailure, match="slipped: goal was moved meanwhile"):
        run(kitchen, steps)


def test_what_is_between_the_fingers_is_reached(policy: dict[str, Policy]) -> None:
    kitchen = pantry_kitchen()
    act, reach = reach_from(kitchen, 0.1)
    reach.case.goal[:] = reach.frame.inside(reach.arm.tcp[:3, 3])
    policy["it"] = liking("extension +")
    steps = LearnedPick().reach(act, reach, "goal")
    with pytest.raises(StopIteration) as ended:
        next(steps)
    assert ended.value.value == 0


def test_stopped_the_arm_is_at_rest_within_a_tenth_of_a_second(policy: dict[str, Policy]) -> None:
    """In the middle of a step."""
    kitchen = pantry_kitchen()
    reach_from(kitchen, 0.1)
    policy["it"] = liking("lift +")
    host = Noting(kitchen)
    worker = LearnedPick()
    worker._stand_before = lambda *args: iter(())  # type: ignore[method-assign,assignment,return-value]
    worker.start(pick("goal"), host)
    kitchen.step(kitchen.now + 0.2)
    assert not kitchen.is_at_rest("R2")
    worker.cancel()
    kitchen.step(kitchen.now + 0.1)
    assert kitchen.is_at_rest("R2")


def indifferent(simulator: PantrySimulator) -> Floats:
    return np.zeros((1, len(ACTIONS)), dtype=np.float32)


def test_a_way_is_found_out_of_the_pantry_and_in_again() -> None:
    """The hand begins beside its goal, behind the jar to the left."""
    _, reach = reach_from(pantry_kitchen(), -0.1, -0.2, 0.12)
    steps = ReachSteps(reach, indifferent)
    way = steps.way()
    assert way is not None
    places = [reduce(place_after, way[:n], HERE) for n in range(len(way) + 1)]
    assert all(steps.is_free(*one) for one in zip(places, way, strict=False))
    assert steps.is_goal(places[-1])


def test_a_way_is_searched_for_again_where_it_is_no_longer_free(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    _, reach = reach_from(pantry_kitchen(), 0.1)
    ways = iter(([4, 5, 5], [7, 9], None))
    monkeypatch.setattr(ReachSteps, "way", lambda self: next(ways))
    monkeypatch.setattr(StretchReach, "is_free", lambda self, action: action != 5)
    choose = StepsAhead(reach, lambda simulator: np.arange(10.0)[None, ::-1])
    assert [choose() for _ in range(5)] == [4, 7, 9, 0, 0]


@pytest.mark.parametrize("item", ["on the table", "wide"])
def test_the_journal_says_what_was_picked_by_planning(
    item: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    kitchen = pantry_kitchen()
    host = Noting(kitchen)
    worker = LearnedPick()
    monkeypatch.setattr(picking.Pick, "do", lambda self, act: iter((None,)))
    worker.start(pick(item), host)
    kitchen.step(kitchen.now + 0.1)
    ((text, record),) = host.notes
    assert text.startswith(f"picked by planning: {item} ")
    assert record == {"policy": "reach_among_things"}


@pytest.mark.thorough
def test_a_jar_among_others_is_picked_by_the_policy() -> None:
    """Nothing but the jar is touched, and nothing else moves."""
    kitchen = pantry_kitchen()
    host = Noting(kitchen)
    there = {name: np.array(built.pose().p) for name, built in kitchen.bodies.items()}
    LearnedPick().start(pick("goal"), host)
    while host.outcome is None:
        kitchen.step(kitchen.now + 1 / 60)
        assert {piece[0] for piece in kitchen.contacts.of("R2")} <= {"goal", "ground"}
        assert kitchen.now < 120.0
    assert host.outcome.ok, host.outcome
    assert host.notes[0][0] == "reach_among_things reached the goal"
    assert kitchen.arm("R2").grips(kitchen.bodies["goal"].entity)
    for name, before in there.items():
        if name != "goal":
            assert np.linalg.norm(np.array(kitchen.bodies[name].pose().p) - before) < 2e-3


def bind(library: Path) -> None:
    """Bind `pick` to the policy by one line."""
    path = library / "skills" / "pick" / "pick.skill.yaml"
    text = path.read_text("utf-8")
    bound = text.replace("treec_sapien.skills.pick.sapien:Pick", LEARNED)
    assert bound != text
    path.write_text(bound, "utf-8")


@pytest.mark.needs_system("mosaic")
@pytest.mark.slow
def test_one_line_binds_the_skill_to_the_policy(treec: Treec, library: Path) -> None:
    bind(library)
    assert treec("check", "-L", library).status == 0
    words = ("skill", "try", "pick", "item=pepper", "--agent", "R2", "--env", "sapien")
    result = treec(*words, "-L", library)
    assert result.status == 0, result.out + result.err
    assert "  after    holding(R2)  expected pepper, sensed pepper" in result.out


@pytest.mark.slow
@pytest.mark.needs_system("mosaic")
def test_the_salad_is_cooked_with_the_policy(treec: Treec, library: Path, tmp_path: Path) -> None:
    bind(library)
    words = ("run", "mosaic", "--env", "sapien", "--scenario", "caesar_salad", "--fast")
    result = treec(*words, "-L", library, "--runs", tmp_path)
    assert result.status == 0, result.out + result.err
    (journal,) = tmp_path.glob("*/journal.jsonl")
    assert "reach_among_things reached the pepper" in journal.read_text("utf-8")
