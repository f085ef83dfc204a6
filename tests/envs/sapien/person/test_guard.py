from __future__ import annotations

from dataclasses import replace
from itertools import product
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
import sapien

from tests.envs.sapien.person.people import Noting, do, forecast, kitchen_with, person
from tests.skills.sapien.kitchens import thing
from treec import Reported
from treec_sapien.environment import SapienKitchen
from treec_sapien.motion.frames import Array, inverse, matrix
from treec_sapien.motion.reach import ReachRow, ReachSolution
from treec_sapien.person.arm_shape import across, around, corners_of
from treec_sapien.person.figure import CAPSULES, HANDS, RADII, between, segments
from treec_sapien.person.guard import (
    HAND_PARTS,
    OWN_HAND,
    beside_given,
    is_before_stop,
)
from treec_sapien.person.outlook import nothing_known
from treec_sapien.person.separation import STOPPING
from treec_sapien.person.watched import absent
from treec_sapien.robots.describe import load
from treec_sapien.skills.pick.sapien import Pick
from treec_sapien.skills.stir.sapien import Stir
from treec_sapien.worker import Physical, PhysicalAct, Steps

JOINT = 0.6


class Swing(Physical):
    """Turns the first joint towards a person who stands at the side, and back."""

    to = JOINT

    def do(self, act: PhysicalAct) -> Steps:
        path = np.stack([act.arm.home, act.arm.home])
        path[0] = act.robot.qpos[act.arm.joints]
        path[1, 0] = self.to
        yield from act.arm.motion.follow("arm", act.arm.joints, act.arm.times(path))


class SwingBack(Swing):
    to = 0.0


def standing(folder: Path, tips: tuple[float, float, float], **things: object) -> SapienKitchen:
    """Somebody who holds a hand out to a point, and stays so."""
    spec = person(folder, reach=list(tips), frames=(60, 62))
    return kitchen_with({"user": spec}, **(things or {"cup": thing("cup", 0.4, -0.3)}))


def apart(kitchen: SapienKitchen) -> float:
    """The distance from the gripper to the person's fingertips."""
    from treec_sapien.person.figure import points

    hand = kitchen.robots["R1"].link("panda_hand_tcp").entity_pose.p
    return float(np.linalg.norm(points(kitchen.people["user"].joints(kitchen.now))[8] - hand))


def test_no_motion_of_any_skill_goes_into_a_hand(tmp_path: Path) -> None:
    kitchen = standing(tmp_path, (-0.25, 0.33, 1.28))
    forecast(kitchen, "zero_velocity")
    host = Noting(kitchen)
    kitchen.step(0.7)
    assert do(host, Swing(), "swing", seconds=4.0) is None  # it waits
    assert 0.12 < apart(kitchen) < 0.33
    assert not kitchen.people["user"].contacts
    turned = float(kitchen.robots["R1"].qpos[0])
    assert 0.02 < turned < JOINT - 0.05


def test_who_stays_in_the_way_blocks_a_motion_and_is_asked_to_step_aside(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """An arm had been held at no speed for ever beside somebody who stands still."""
    kitchen = standing(tmp_path, (-0.25, 0.33, 1.28))
    forecast(kitchen, "zero_velocity")
    host = Noting(kitchen)
    kitchen.step(0.7)
    monkeypatch.setattr("treec_sapien.motion.motion.PATIENCE", 0.5)
    monkeypatch.setattr("treec_sapien.worker._TRIES", 2)
    monkeypatch.setattr("treec_sapien.worker._PAUSE", 0.1)
    outcome = do(host, Swing(), "swing", seconds=9.0)
    assert outcome is not None
    assert outcome.failure == Reported("blocked: user is in the way")
    assert host.texts().count("asks user to step aside") == 1  # and the arm draws back
    (says,) = (record["says"] for *_, record in host.notes if "says" in record)
    assert says == "You are in R1's way: could you step aside, please?"
    (spent,) = (record["activities"] for *_, record in host.notes if "activities" in record)
    assert spent["R1"]["person"] > 0.6
    assert not kitchen.people["user"].contacts


def test_solutions_outside_of_the_stop_distance_come_first(tmp_path: Path) -> None:
    kitchen = beside_gripper(tmp_path)
    arm, q = kitchen.arm("R1"), kitchen.robots["R1"].qpos
    near, far = (q.copy() for _ in range(2))
    near[arm.joints[0]], far[arm.joints[0]] = JOINT, -JOINT
    row = ReachRow(np.stack([np.eye(4)] * 3), (0, 1, 2))
    own = arm.robot.indices(arm.chain.names)
    one, two = (ReachSolution(row, np.stack([at[own]] * 3), None, 0.1) for at in (near, far))
    assert arm.motion.away_from_people(arm, [one, two], q) == [two, one]
    kitchen.guards["R1"].giving_to = "user"
    assert arm.motion.away_from_people(arm, [one, two], q) == [one, two]


def test_a_stopped_skill_leaves_what_its_arm_has_spent_its_time_on(tmp_path: Path) -> None:
    notes: list[Any] = []
    told = SimpleNamespace(note=lambda *what: notes.append(what))
    kitchen = kitchen_with({}, {"host": told}, cup=thing("cup", 0.4, -0.3))
    assert do(Noting(kitchen), Swing(), "swing", seconds=0.2) is None
    assert notes == [("swing0", "", {"activities": {"R1": {"working": pytest.approx(0.2)}}})]


def test_away_from_a_person_it_may_move(tmp_path: Path) -> None:
    kitchen = standing(tmp_path, (-0.2, 0.16, 1.28))
    forecast(kitchen, "zero_velocity")
    kitchen.step(0.7)
    outcome = do(Noting(kitchen), _Away(), "swing", seconds=6.0)
    assert outcome is not None
    assert outcome.ok


class _Away(Swing):
    to = -JOINT


def test_where_nobody_was_ever_seen_nothing_moves(tmp_path: Path) -> None:
    kitchen = standing(tmp_path, (0.3, 0.9, 1.28))
    forecast(kitchen, "zero_velocity", dropout=1.0)
    before: Array = kitchen.robots["R1"].qpos.copy()
    assert do(Noting(kitchen), Swing(), "swing", seconds=2.0) is None
    assert kitchen.robots["R1"].qpos == pytest.approx(before, abs=0.01)


def test_a_person_who_has_left_is_in_nobodys_way(tmp_path: Path) -> None:
    spec = person(tmp_path, reach=None, pose=[0.0, 6.0, 0.0])
    kitchen = kitchen_with({"user": spec})
    forecast(kitchen, "zero_velocity")
    kitchen.step(0.3)
    outcome = do(Noting(kitchen), Swing(), "swing", seconds=6.0)
    assert outcome is not None
    assert outcome.ok


@pytest.mark.parametrize("place", [(2.4, 0.9, 0.0), (1.9, -1.75, 0.0)])
def test_a_person_at_the_shelf_or_the_counter_is_in_the_room(
    tmp_path: Path, place: tuple[float, float, float]
) -> None:
    kitchen = kitchen_with({"user": person(tmp_path, reach=None, pose=list(place))})
    forecast(kitchen, "zero_velocity")
    kitchen.step(0.3)
    assert not kitchen.people["user"].outlook.absent


def towards_hand(kitchen: SapienKitchen) -> float:
    """The share of its speed that an arm may have that hands something to a hand beside it."""
    arm, guard = kitchen.arm("R1"), kitchen.guards["R1"]
    here = kitchen.robots["R1"].qpos[arm.joints]
    ahead = here.copy()
    ahead[0] += 0.02
    guard.giving_to = "user"
    return guard.share(arm.joints, here, ahead, 4.0)


def beside_gripper(folder: Path) -> SapienKitchen:
    """Somebody who is tracked and holds a hand out beside the gripper."""
    kitchen = standing(folder, (-0.2, 0.2, 1.18))
    tracked(kitchen)
    return kitchen


def tracked(kitchen: SapienKitchen) -> None:
    """Let a second pass in which a person is tracked: where nothing moves, nobody would be seen."""
    forecast(kitchen, "zero_velocity")
    for tick in range(60):
        kitchen.people["user"].look(tick / 60)
    kitchen.step(1.0)
    kitchen.arm("R1")


def test_of_what_has_no_body_the_gripper_may_not_come_to_the_hand(tmp_path: Path) -> None:
    """Such as the handle of a door: nothing of it comes to the person's hand before the gripper."""
    kitchen = beside_gripper(tmp_path)
    empty = towards_hand(kitchen)
    kitchen.arm("R1").holding = kitchen.robots["R1"].link("panda_link0").entity
    assert towards_hand(kitchen) == pytest.approx(empty)
    assert 0.0 < empty < 0.9


def test_the_arm_keeps_from_the_hand_what_its_place_may_be_off(tmp_path: Path) -> None:
    kitchen = beside_gripper(tmp_path)
    user = kitchen.people["user"]
    shares = []
    for spread in (0.0, 0.03, 0.08):
        user.outlook = replace(user.outlook, spread=np.full_like(user.outlook.spread, spread))
        shares.append(towards_hand(kitchen))
    assert shares[0] > shares[1] > shares[2] == 0.0


def past_fingertips(kitchen: SapienKitchen, **known: float) -> float:
    """The share of its speed that an arm may have that turns away beside somebody's fingertips."""
    user, arm = kitchen.people["user"], kitchen.arm("R1")
    spread = np.full_like(user.outlook.spread, known.get("spread", 0.0))
    seen = kitchen.now - known.get("age", 0.0)
    wider = np.zeros(len(CAPSULES))
    wider[HANDS[1]] = known.get("hidden", 0.0)
    user.outlook = replace(user.outlook, spread=spread, seen=seen, lacking=0.4, wider=wider)
    here = kitchen.robots["R1"].qpos[arm.joints]
    ahead = here.copy()
    ahead[0] -= 0.04
    return kitchen.guards["R1"].share(arm.joints, here, ahead, 4.0)


def test_beside_a_hand_whose_place_is_uncertain_an_arm_is_slower(tmp_path: Path) -> None:
    kitchen = standing(tmp_path, (-0.06, -0.02, 1.2))
    tracked(kitchen)
    certain, spread, old, hidden = (
        past_fingertips(kitchen, **known)
        for known in ({}, {"spread": 0.08}, {"age": 0.2}, {"hidden": 0.08})
    )
    assert certain > max(spread, old)
    assert hidden == pytest.approx(spread)  # the hand is the nearest part


def test_a_hidden_hand_may_be_to_any_side_of_where_it_is_thought_to_be(tmp_path: Path) -> None:
    """What moves straight past it, or away, may come nearer to where it is."""
    kitchen = standing(tmp_path, (-0.06, -0.02, 1.2))
    tracked(kitchen)
    far, near = (past_fingertips(kitchen, hidden=hidden) for hidden in (0.05, 0.25))
    assert near < far
    assert near < 0.2


@pytest.mark.parametrize("kind", ["panda", "baxter", "stretch"])
def test_nothing_of_a_gripper_sticks_out_of_its_shape(kind: str) -> None:
    scene = sapien.Scene([sapien.physx.PhysxCpuSystem()])
    robot = load(scene, kind, kind, (0.0, 0.0, 0.0), 0)
    for about in robot.arms.values():
        tool = matrix(robot.link(about.tcp).entity_pose)
        arm: Any = SimpleNamespace(tcp=tool, robot=robot)
        fingers = [link for links in about.gripper.links for link in links]
        for links in ([about.hand], fingers):
            found = across(arm, links)
            assert found is not None
            (begin, end), radius = found
            for link in map(robot.link, links):
                for shape in link.collision_shapes:
                    at = inverse(tool) @ matrix(link.entity_pose) @ matrix(shape.local_pose)
                    corners = corners_of(shape) @ at[:3, :3].T + at[:3, 3]
                    off = between(begin[None], end[None], corners, corners) - radius
                    assert off.max() <= 1e-6
            assert radius < 0.08


def test_a_capsule_goes_around_points() -> None:
    for half in ((0.3, 0.1, 0.05), (0.1, 0.1, 0.1), (0.02, 0.0, 0.2)):
        corners = np.array(list(product((-1.0, 1.0), repeat=3))) * half + (0.5, -0.2, 0.1)
        (begin, end), radius = around(corners)
        off = between(begin[None], end[None], corners, corners) - radius
        assert off.max() == pytest.approx(0.0, abs=1e-9)
        assert radius < 1.8 * sorted(half)[1]


def test_shapes_without_corners_go_by_the_box_around_them() -> None:
    ball: Any = SimpleNamespace(radius=0.1)
    assert np.ptp(corners_of(ball), axis=0) == pytest.approx((0.2, 0.2, 0.2))
    rod: Any = SimpleNamespace(radius=0.1, half_length=0.3)
    assert np.ptp(corners_of(rod), axis=0) == pytest.approx((0.8, 0.2, 0.2))
    with pytest.raises(TypeError, match=r"^no capsule goes around a SimpleNamespace$"):
        corners_of(SimpleNamespace())


def gripper_to_hand(kitchen: SapienKitchen, q: Array) -> float:
    """The distance (m) of the gripper, as physics has it, from the hands and forearms."""
    arm, user = kitchen.arm("R1"), kitchen.people["user"]
    kitchen.robots["R1"].put(q)
    begin, end = (it[HAND_PARTS] for it in segments(user.joints(kitchen.now)))
    radii = RADII[HAND_PARTS]
    least = np.inf
    for name in (arm.about.hand, *arm.finger_links):
        link = arm.robot.link(name)
        for shape in link.collision_shapes:
            at = matrix(link.entity_pose) @ matrix(shape.local_pose)
            corners = corners_of(shape) @ at[:3, :3].T + at[:3, 3]
            off = between(begin[None], end[None], corners[:, None], corners[:, None]) - radii
            least = min(least, float(off.min()))
    return least


def test_an_arm_stops_before_the_hand_that_it_gives_something_to(tmp_path: Path) -> None:
    kitchen = beside_gripper(tmp_path)
    arm, guard, user = kitchen.arm("R1"), kitchen.guards["R1"], kitchen.people["user"]
    guard.giving_to = "user"
    before = kitchen.robots["R1"].qpos
    step = 0.01 * np.eye(len(arm.joints))[0]  # 0.6 rad/s towards the hand
    for spread in (0.0, 0.02):
        joints = np.repeat(user.joints(kitchen.now)[None], len(user.outlook.times), axis=0)
        off = np.full(len(joints), spread)
        user.outlook = replace(
            user.outlook, joints=joints, spread=off, seen=kitchen.now, lacking=0.0
        )
        q = before.copy()
        for _ in range(120):
            here = q[arm.joints]
            share = guard.share(arm.joints, here, here + 4 * step, 4.0)
            q[arm.joints] = here + share * step
        assert share < 0.01
        assert spread + OWN_HAND <= gripper_to_hand(kitchen, q) < spread + OWN_HAND + 0.03
        kitchen.robots["R1"].put(before)


def test_an_arm_keeps_from_that_hand_what_it_may_come_until_the_arm_has_stopped(
    tmp_path: Path,
) -> None:
    """Beyond its forecast, which lacks some of its speed."""
    kitchen = beside_gripper(tmp_path)
    user = kitchen.people["user"]
    shares = []
    certain = replace(user.outlook, seen=kitchen.now, spread=np.zeros_like(user.outlook.spread))
    for lacking in (0.0, 0.25, 0.4, 0.9):
        user.outlook = replace(certain, lacking=lacking)
        shares.append(towards_hand(kitchen))
    assert shares[0] > shares[1] > shares[2] > shares[3] == 0.0


def test_an_arm_stops_before_a_hand_that_comes_faster_than_forecast() -> None:
    room = np.array((-0.01, 0.0, 0.03, 0.1, 0.2))
    for speed in (0.0, 0.3, 1.0):
        most = beside_given(room, speed)
        own = most * STOPPING.reaction + most**2 / (2 * STOPPING.deceleration)
        theirs = speed * (STOPPING.reaction + most / STOPPING.deceleration)
        assert (most > 0.0).tolist() == (room > speed * STOPPING.reaction).tolist()
        assert ((own + theirs)[most > 0.0] <= room[most > 0.0]).all()
    assert beside_given(room, 0.0)[-1] > beside_given(room, 0.3)[-1] > 0.0


@pytest.mark.parametrize(("beside", "may"), [(0, [False, True]), (1, [True, False])])
def test_a_finger_does_not_open_into_a_hand(beside: int, may: list[bool], tmp_path: Path) -> None:
    kitchen = standing(tmp_path, (-0.25, 0.25, 1.28))
    tracked(kitchen)
    arm, guard, user = kitchen.arm("R1"), kitchen.guards["R1"], kitchen.people["user"]
    assert [guard.may_open(arm, finger) for finger in (0, 1)] == [True, True]
    tips = [kitchen.robots["R1"].link(it[0]).entity_pose.p for it in arm.about.gripper.links]
    side = (tips[beside] - tips[1 - beside]) / np.linalg.norm(tips[0] - tips[1])
    joints = user.outlook.joints + np.array((9.0, 0.0, 0.0))
    joints[:, 6] = tips[beside] + 0.06 * side
    joints[:, 4] = joints[:, 6] + 0.25 * side
    joints[:, 6] += 0.17 * side  # the fingertips are there
    joints[:, 4] += 0.17 * side
    user.outlook = replace(user.outlook, joints=joints)
    assert [guard.may_open(arm, finger) for finger in (0, 1)] == may
    for far, spread, may_both in ((0.02, 0.0, True), (0.02, 0.03, False), (0.06, 0.03, True)):
        uncertain = np.full(len(joints), spread)
        user.outlook = replace(user.outlook, joints=joints + far * side, spread=uncertain)
        assert all(guard.may_open(arm, finger) for finger in (0, 1)) == may_both
    user.outlook = nothing_known(kitchen.now, "not seen yet", 0.25)
    assert not any(guard.may_open(arm, finger) for finger in (0, 1))
    user.outlook = absent(kitchen.now, kitchen.now)
    assert all(guard.may_open(arm, finger) for finger in (0, 1))


def test_where_somebody_will_be_when_an_arm_can_have_stopped_does_not_stop_it() -> None:
    ahead = np.array((-0.04, 0.0, 0.1, 0.2, 0.3, 0.4))
    slow, fast = is_before_stop(ahead, np.array((0.0, 1.0))).T
    assert slow.tolist() == [True, True, True, True, False, False]  # 0.17 s, and the next
    assert fast.tolist() == [True] * 6
    assert is_before_stop(np.array((0.5,)), np.zeros(1)).all()  # nothing else is known
    assert is_before_stop(np.array((0.1, 0.5, 0.6)), np.zeros(1))[:, 0].tolist() == [1, 1, 0]


def test_an_arm_goes_out_of_the_way_of_a_hand_that_comes(tmp_path: Path) -> None:
    """Upwards past where the hand will be in 0.4 s, when the arm is gone."""
    kitchen = standing(tmp_path, (-0.06, 0.5, 1.2))
    tracked(kitchen)
    user, arm = kitchen.people["user"], kitchen.arm("R1")
    here = kitchen.robots["R1"].qpos[arm.joints]
    ahead = here.copy()
    ahead[1] -= 0.02
    shares = []
    for comes in (0.2, 0.4):
        known = user.outlook
        times = kitchen.now + np.arange(11) / 25
        far = np.clip((times - kitchen.now - comes + 0.16) / 0.16, 0.0, 1.0)
        joints = known.joints[:1] - far[:, None, None] * np.array((0.0, 0.45, 0.0))
        spread = np.full(11, 0.1)
        user.outlook = replace(known, times=times, joints=joints, spread=spread)
        shares.append(kitchen.guards["R1"].share(arm.joints, here, ahead, 4.0))
        user.outlook = known
    assert shares[0] < 0.8
    assert shares[1] == 1.0


def pushed(kitchen: SapienKitchen, by: float = 0.1, ticks: int = 45) -> float:
    """How far (rad) an arm that was pushed is from where it was, some ticks later."""
    robot = kitchen.robots["R1"]
    kitchen.arm("R1")
    before = robot.qpos
    q = before.copy()
    q[0] += by
    robot.articulation.set_qpos(q.astype(np.float32))
    for _ in range(ticks):
        kitchen.people["user"].look(kitchen.now)
        kitchen._tick()
    return float(robot.qpos[0] - before[0])


def test_an_arm_that_somebody_pushes_gives_way_and_does_not_swing_back(tmp_path: Path) -> None:
    kitchen = standing(tmp_path, (-0.25, 0.25, 1.28))
    forecast(kitchen, "zero_velocity")
    kitchen.step(0.7)
    assert pushed(kitchen, -0.1) == pytest.approx(-0.1, abs=0.03)
    arm = kitchen.arm("R1")
    q = kitchen.robots["R1"].qpos[arm.joints]
    away = q - 0.02 * np.eye(len(q))[0]
    assert kitchen.guards["R1"].share(arm.joints, q, away, 4.0) > 0.0
    pushed(kitchen, -0.1, ticks=20)
    assert kitchen.guards["R1"].share(arm.joints, q, away, 4.0) == 0.0


def test_an_arm_stands_still_while_somebody_turns_what_it_holds(tmp_path: Path) -> None:
    kitchen = standing(tmp_path, (-0.25, 0.25, 1.28))
    tracked(kitchen)
    arm, guard, cup = kitchen.arm("R1"), kitchen.guards["R1"], kitchen.bodies["cup"]
    arm.holding = cup.entity
    here = kitchen.robots["R1"].qpos[arm.joints]
    away = here - 0.02 * np.eye(len(here))[0]
    guard.give_way()
    assert guard.share(arm.joints, here, away, 4.0) > 0.0
    cup.entity.set_pose(sapien.Pose(cup.entity.pose.p + np.array((0.0, 0.02, 0.0))))
    guard.give_way()
    assert guard.share(arm.joints, here, away, 4.0) == 0.0


def test_an_arm_that_nobody_can_have_pushed_swings_back(tmp_path: Path) -> None:
    spec = person(tmp_path, reach=None, pose=[0.0, 3.0, 0.0])
    kitchen = kitchen_with({"user": spec})
    forecast(kitchen, "zero_velocity")
    kitchen.step(0.7)
    assert pushed(kitchen) == pytest.approx(0.0, abs=0.02)


class _Followed(Swing):
    """A swing that keeps its rows, and the drives' targets at each control step."""

    def do(self, act: PhysicalAct) -> Steps:
        arm, robot = act.arm, act.robot
        path = np.stack([robot.qpos[arm.joints], arm.home])
        path[1, 0] = self.to
        self.rows = arm.times(path)
        self.targets: list[Array] = []
        for _ in arm.motion.follow("arm", arm.joints, self.rows):
            self.targets.append(robot.targets()[arm.joints])
            yield


def test_without_people_rows_are_followed_one_a_control_step() -> None:
    kitchen = kitchen_with({})
    swing = _Followed()
    outcome = do(Noting(kitchen), swing, "swing", seconds=6.0)
    assert outcome is not None
    assert outcome.ok
    assert np.array(swing.targets) == pytest.approx(swing.rows, abs=1e-6)
    assert not kitchen.guards


def test_beside_a_person_in_the_way_rows_are_followed_more_slowly(tmp_path: Path) -> None:
    kitchen = standing(tmp_path, (-0.25, 0.25, 1.28))
    forecast(kitchen, "zero_velocity")
    kitchen.step(0.7)
    swing = _Followed()
    assert do(Noting(kitchen), swing, "swing", seconds=2.0) is None
    assert len(swing.targets) > len(swing.rows)
    assert not np.allclose(swing.targets[: len(swing.rows)], swing.rows, atol=0.05)


@pytest.mark.slow
def test_room_is_made_past_what_has_come_into_the_way_since(tmp_path: Path) -> None:
    """A post stands in the middle of the way out that was planned before it was there."""
    kitchen = kitchen_with({"user": person(tmp_path, starts={"skill": "stir", "after": 4})})
    forecast(kitchen, "steady")
    host = Noting(kitchen)
    do(host, Pick(), "pick", item="ladle")
    builder = kitchen.scene.create_actor_builder()
    builder.add_box_collision(half_size=(0.03, 0.03, 0.3))
    builder.initial_pose = sapien.Pose((*AWAY, 1.06))
    post = builder.build_kinematic("post")
    touched: list[float] = []

    class Watched(Stir):
        def step(self) -> bool:
            began = kitchen.people["user"].begins
            if began is not None and kitchen.now > began + 0.5:
                post.set_pose(sapien.Pose((*IN_THE_WAY, 1.06)))
            touched.extend(
                kitchen.now
                for contact in kitchen.scene.get_contacts()
                if post in [body.entity for body in contact.bodies]
            )
            return super().step()

    do(host, Watched(), "stir", container="pot", tool="ladle", seconds=12.0)
    assert "makes room for user" in host.texts()
    assert "goes on stirring: user has gone" in host.texts()
    assert not touched


AWAY, IN_THE_WAY = (-0.1, -3.0), (-0.1, -0.05)


FAULTS: dict[str, dict[str, float]] = {
    "as it is": {},
    "300 ms late": {"delay": 0.3},
    "late, and nobody knows": {"delay": 0.3, "unnoticed": 0.3},
    "left and right swapped": {"swaps": 0.3},
    "jumps": {"jumps": 0.3},
    "all of it": {"delay": 0.2, "swaps": 0.2, "jumps": 0.2, "dropout": 0.3, "sigma": 0.03},
}


@pytest.mark.slow
@pytest.mark.parametrize("fault", FAULTS)
@pytest.mark.parametrize("seed", [3, 4, 5])
def test_stirring_never_touches_a_person_by_its_own_motion(
    fault: str, seed: int, tmp_path: Path
) -> None:
    spec = person(tmp_path, seed=seed, starts={"skill": "stir", "after": 4})
    kitchen = kitchen_with({"user": spec})
    host = Noting(kitchen)
    do(host, Pick(), "pick", item="ladle")
    forecast(kitchen, "steady", **FAULTS[fault])
    outcome = do(host, Stir(), "stir", container="pot", tool="ladle")
    rooms = host.texts().count("makes room for user")
    print(f"{fault}, {seed}: {outcome and outcome.ok}, room made {rooms} times")
    assert [it for it in kitchen.people["user"].contacts if it[3]] == []


@pytest.mark.slow
def test_stirring_without_any_pose_does_not_begin(tmp_path: Path) -> None:
    kitchen = kitchen_with({"user": person(tmp_path, starts={"skill": "stir", "after": 1})})
    host = Noting(kitchen)
    do(host, Pick(), "pick", item="ladle")
    forecast(kitchen, "steady", dropout=1.0)
    kitchen.people["user"].outlook = kitchen.people["user"].forecast(  # type: ignore[misc]
        kitchen.now, kitchen.people["user"].tracking
    )
    assert do(host, Stir(), "stir", seconds=8.0, container="pot", tool="ladle") is None
    assert not kitchen.people["user"].contacts
    assert "user is not forecast: no pose has come; margins are 0.25 m wider" in host.texts()


def test_who_is_far_enough_for_any_speed_is_not_looked_at_closely(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The share of the speed is the same to the digit, near and far."""
    kitchen = standing(tmp_path, (-0.1, 0.4, 1.28))
    forecast(kitchen, "zero_velocity")
    for tick in range(60):
        kitchen.people["user"].look(tick / 60)
    arm, guard = kitchen.arm("R1"), kitchen.guards["R1"]
    here = arm.robot.qpos[arm.joints]
    steps = [sign * by * np.eye(7)[0] for by in (0.002, 0.02, 0.1) for sign in (1.0, -1.0)]
    quick = [guard.share(arm.joints, here, here + step, 4.0) for step in steps]
    monkeypatch.setattr("treec_sapien.person.guard._least_room", lambda *it: -np.inf)
    assert [guard.share(arm.joints, here, here + step, 4.0) for step in steps] == quick
    assert min(quick) < 1.0 == max(quick)
