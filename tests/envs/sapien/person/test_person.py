from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
import sapien

from tests.envs.sapien.person.people import REACHES, Noting, do, forecast, kitchen_with, person
from tests.skills.sapien.kitchens import thing
from treec import Effect, WorkOrder
from treec_sapien import state
from treec_sapien.environment import SapienKitchen, open_environment
from treec_sapien.person.contacts import ContactCounter, driven, point_jacobian
from treec_sapien.person.figure import CAPSULES, between, points
from treec_sapien.person.motion import PlacedMotion, facing, placed, read_motion
from treec_sapien.person.outlook import PersonOutlook
from treec_sapien.person.person import Person
from treec_sapien.person.tracking import JointTracking, TrackingNoise
from treec_sapien.sense.hands import holders
from treec_sapien.sense.posture import SPILLS, lean
from treec_sapien.view.camera import Camera
from treec_sapien.view.scene import SceneView
from treec_sapien.worker import Physical, PhysicalAct, Steps


@pytest.mark.parametrize(
    ("segments", "apart"),
    [
        (((0, 0, 0), (1, 0, 0), (0, 1, 0), (1, 1, 0)), 1.0),  # side by side
        (((0, 0, 0), (1, 0, 0), (0.5, -1, 0.2), (0.5, 1, 0.2)), 0.2),  # crossed
        (((0, 0, 0), (1, 0, 0), (3, 0, 0), (4, 0, 0)), 2.0),  # in one line
        (((0, 0, 0), (0, 0, 0), (0, 3, 0), (0, 3, 4)), 3.0),  # a point
    ],
)
def test_the_distance_between_segments(segments: Any, apart: float) -> None:
    assert between(*(np.array(it, float) for it in segments)) == pytest.approx(apart)


def test_the_fingertips_come_to_the_point_that_is_reached_for(tmp_path: Path) -> None:
    motion = read_motion(person(tmp_path))
    tips = points(motion.joints)[:, 8]
    assert np.linalg.norm(tips - REACHES, axis=1).min() < 0.001
    assert facing(motion.joints[0]) == pytest.approx(-90, abs=30)


def test_a_person_stands_where_the_scene_says_and_faces_there(tmp_path: Path) -> None:
    joints = placed(read_motion(person(tmp_path)).joints, (1.0, 2.0, 0.0), 30.0)
    assert joints[0, 0, :2] == pytest.approx((1.0, 2.0))
    assert facing(joints[0]) == pytest.approx(30.0)


def test_a_motion_that_returns_ends_where_it_began(tmp_path: Path) -> None:
    motion = read_motion(person(tmp_path, returns=True))
    assert motion.at(motion.seconds) == pytest.approx(motion.at(0.0))


@pytest.mark.parametrize(
    ("before", "at", "target", "moves"),
    [
        (0.0, 0.0, 0.01, 0.01),  # follows its target
        (0.0, -0.05, 0.01, 0.01),  # lags behind it, as ever
        (-0.03, 0.02, 0.02, 0.0),  # presses less: a finger that holds something
        (-0.03, 0.02, 0.026, 0.006),  # and opens
        (0.5, 0.6, 0.6, 0.0),  # gives way to who has pushed it
    ],
)
def test_how_far_drives_move_joints(before: float, at: float, target: float, moves: float) -> None:
    assert driven(*(np.array([it]) for it in (before, at, target))) == pytest.approx(moves)


@pytest.mark.parametrize(
    ("spec", "why"),
    [
        ({"recording": 7}, r"has no recording 7 \(it has 1\)"),
        ({"recording": "wave_1"}, "has no recording 'wave_1'"),
        ({"person": "giver"}, "has no recording 0 of 'giver'"),
        ({"frames": (5, 6)}, "frames 5 to 6"),
        ({"motion": "nowhere.npz"}, "no such file"),
    ],
)
def test_a_motion_that_is_not_there(tmp_path: Path, spec: dict[str, Any], why: str) -> None:
    with pytest.raises(ValueError, match=why):
        read_motion({**person(tmp_path), **spec})


@pytest.mark.parametrize(
    ("names", "wanted", "length"),
    [
        (["wave/1", "1"], "1", 41),  # its own name, though another one's ends so
        (["1", "reach_3/1"], "reach_3/1", 41),  # its own name, though it is also the first's
        (["1", "wave/2"], "reach_3/1", 40),  # with the file's name
        (["wave/1", "wave/2"], "2", 41),
        (["wave/1", "wave/2"], "reach_3/wave/2", 41),
    ],
)
def test_a_recording_is_named_as_in_the_file(
    tmp_path: Path, names: list[str], wanted: str, length: int
) -> None:
    motion = read_motion({**named_recordings(tmp_path, names), "recording": wanted})
    assert len(motion.joints) == length


def test_a_name_that_may_mean_several_recordings_is_refused(tmp_path: Path) -> None:
    several = named_recordings(tmp_path, ["nod/1", "wave/1", "wave/2"])
    with pytest.raises(ValueError, match=r"several recordings '1': write one of nod/1, wave/1$"):
        read_motion({**several, "recording": "1"})


def named_recordings(folder: Path, names: list[str]) -> dict[str, Any]:
    """One motion as several recordings of these names; the first has 40 frames, the next 41, …"""
    spec = person(folder)
    with np.load(spec["motion"]) as file:
        arrays = dict(file)
    lengths = [40 + at for at in range(len(names))]
    positions = np.concatenate([arrays["positions"][:length] for length in lengths])
    more = {"positions": positions, "lengths": lengths, "names": names}
    np.savez(spec["motion"], **{**arrays, **more})
    return spec


def test_nobody_is_forecast_while_no_skill_goes_by_that(tmp_path: Path) -> None:
    kitchen = kitchen_with({"user": person(tmp_path, frames=[60, 62])})
    live, user = forecast(kitchen, "zero_velocity"), kitchen.people["user"]
    order = WorkOrder(
        "o", "stir", "R1", {"agent": "R1"}, 1.0, needs={"forecast": {"person": "user"}}
    )
    worker = Waits()
    worker.start(order, Noting(kitchen))
    kitchen.step(1.0)
    made = len(live.milliseconds)
    assert (made > 3, user.outlook.basis) == (True, "forecast")
    worker.cancel()
    for tick in range(60, 120):
        user.look(tick / 60)
    assert (len(live.milliseconds), user.outlook.basis) == (made, "present")
    hidden = replace(user.tracking.poses[-1], joints=np.full((7, 3), np.nan))
    user.tracking.poses.append(hidden)  # what is hidden only a forecaster carries on
    user.tracking.arrive = user.tracking.take = lambda *rest: None  # type: ignore[method-assign]
    user.look(2.1)
    assert user.outlook.why != "not forecast"


def test_the_body_moves_as_recorded_and_is_seen_by_cameras(tmp_path: Path) -> None:
    kitchen = kitchen_with({"user": person(tmp_path)})
    user = kitchen.people["user"]
    view = SceneView(kitchen)
    camera = Camera.looking((1.6, -1.2, 1.8), (-0.3, 0.5, 1.0), (64, 48))
    before = view.depth_and_segmentation(camera).mask("user")
    assert before.sum() > 20
    seconds = user.motion.seconds
    kitchen.step(seconds / 2)
    hand = user.links["right_hand"].entity.pose.p
    true = points(user.joints(kitchen.now))
    assert hand == pytest.approx((true[6] + true[8]) / 2, abs=0.002)
    after = view.depth_and_segmentation(camera).mask("user")
    assert (before != after).sum() > 5
    assert {name for name, _ in view.stage.pieces if name == "user"}
    assert len(user.links) == len(CAPSULES)


def test_a_hand_that_hits_the_robot_is_counted_and_is_not_the_robots_fault(tmp_path: Path) -> None:
    tip = (-0.2, 0.0, 1.25)  # where the gripper rests
    kitchen = kitchen_with({"user": person(tmp_path, reach=list(tip))})
    user = kitchen.people["user"]
    kitchen.step(user.motion.seconds)
    assert user.contacts
    assert {robot for _, robot, _, _ in user.contacts} == {"R1"}
    assert not any(own for *_, own in user.contacts)


class Waits(Physical):
    """Is at work for a while."""

    def do(self, act: PhysicalAct) -> Steps:
        yield from act.wait(4.0)


def test_what_a_person_pushes_over_beside_a_hand_at_work_is_not_its_failure(tmp_path: Path) -> None:
    spec = person(tmp_path, reach=[-0.2, 0.05, 0.86])
    kitchen = kitchen_with({"user": spec}, cup=thing("bottle", -0.2, 0.1))
    ended = do(Noting(kitchen), Waits(), "wait", seconds=5.0)
    assert lean(kitchen, "cup") > SPILLS
    assert ended is not None
    assert ended.ok


class Turn(Physical):
    """Turns a joint, whatever comes."""

    def __init__(self, joint: str, speed: float) -> None:
        super().__init__()
        self._joint, self._speed = joint, speed

    def do(self, act: PhysicalAct) -> Steps:
        drive = act.robot.joint(self._joint)
        drive.set_drive_velocity_target(self._speed)
        while True:
            drive.set_drive_target(float(drive.drive_target[0]) + self._speed / 60)
            yield


def test_an_arm_that_is_driven_into_a_hand_touches_it_by_its_own_motion(tmp_path: Path) -> None:
    spec = person(tmp_path, reach=[-0.25, 0.25, 1.28], frames=(60, 62))
    kitchen = kitchen_with({"user": spec}, cup=thing("cup", 0.4, -0.3))
    do(Noting(kitchen), Turn("panda_joint1", 0.5), "turn", seconds=1.5)
    assert any(own for *_, own in kitchen.people["user"].contacts)


def test_a_contact_that_goes_on_becomes_the_robots_own_if_it_presses_on(tmp_path: Path) -> None:
    user = kitchen_with({"user": person(tmp_path)}).people["user"]
    user.count_contact(1.0, "R1", "hand", own_motion=False)
    user.count_contact(1.1, "R1", "wrist", own_motion=False)
    user.count_contact(1.2, "R1", "hand", own_motion=True, is_new=False)
    user.count_contact(1.3, "R1", "hand", own_motion=False, is_new=False)
    assert user.contacts == [(1.0, "R1", "hand", True), (1.1, "R1", "wrist", False)]


def test_the_jacobian_of_a_point_on_a_link() -> None:
    robot = kitchen_with({}).robots["R1"]
    link = robot.link("panda_link6")
    own = np.array([0.05, 0.02, 0.1, 1.0])
    before = (link.entity_pose.to_transformation_matrix() @ own)[:3]
    found = point_jacobian(robot, "panda_link6", before)
    q, step = robot.qpos, 1e-2
    for joint in range(len(q)):
        places = []
        for change in (-step, step):
            moved = q.copy()
            moved[joint] += change
            robot.articulation.set_qpos(moved.astype(np.float32))
            places.append((link.entity_pose.to_transformation_matrix() @ own)[:3])
        assert (places[1] - places[0]) / (2 * step) == pytest.approx(found[:, joint], abs=1e-3)


def two_things(where: Path, **setup: Any) -> SapienKitchen:
    """Somebody who reaches out and back, and two things beside the hand."""
    tips = (-0.25, 0.25, 1.1)
    spec = person(where, reach=list(tips), starts={"skill": "stir", "after": 0})
    things = {"cup": thing("cup", 0.4, -0.3), "jar": thing("jar", 0.2, -0.3)}
    return kitchen_with({"user": spec}, setup, **things)


def give(kitchen: SapienKitchen, item: str) -> None:
    """Put a thing beside the person's right hand, which takes it."""
    user, body = kitchen.people["user"], kitchen.bodies[item].links["body"]
    tip = points(user.joints(kitchen.now))[8]
    body.entity.pose = sapien.Pose(tip + np.array([0.0, -0.1, 0.1 * len(user.held)]))
    user.take(item, body, "right")


def from_hand(kitchen: SapienKitchen, item: str) -> float:
    """The distance (m) of a thing from the right hand."""
    hand = points(kitchen.people["user"].joints(kitchen.now))[[6, 8]].mean(axis=0)
    return float(np.linalg.norm(np.array(kitchen.bodies[item].entity.pose.p) - hand))


def test_a_hand_that_is_given_a_second_thing_keeps_the_first(tmp_path: Path) -> None:
    kitchen = two_things(tmp_path)
    user = kitchen.people["user"]
    for item in ("cup", "jar"):
        give(kitchen, item)
    apart = [from_hand(kitchen, item) for item in ("cup", "jar")]
    user.skill_begins("stir", kitchen.now)
    kitchen.step(user.motion.seconds / 2)
    assert [from_hand(kitchen, item) for item in ("cup", "jar")] == pytest.approx(apart, abs=0.01)
    assert holders(kitchen, "cup") == holders(kitchen, "jar") == ["user"]


def test_what_somebody_puts_down_is_in_their_hand_no_more(tmp_path: Path) -> None:
    kitchen = two_things(tmp_path)
    give(kitchen, "cup")
    kitchen.notify((Effect("at", ("cup",), "table", "reported"),))
    kitchen.people["user"].skill_begins("stir", kitchen.now)
    kitchen.step(1.5)
    assert holders(kitchen, "cup") == []
    assert kitchen.bodies["cup"].entity.pose.p[2] == pytest.approx(0.75, abs=0.02)


def test_a_resumed_run_finds_people_where_they_were_with_what_they_held(tmp_path: Path) -> None:
    kitchen = two_things(tmp_path, folder=tmp_path)
    user = kitchen.people["user"]
    give(kitchen, "cup")
    user.skill_begins("stir", kitchen.now)
    kitchen.step(1.6)
    state.save_to(kitchen, tmp_path)
    later = SapienKitchen(kitchen.setup, state.load_from(tmp_path))
    assert later.people["user"].joints(later.now) == pytest.approx(user.joints(kitchen.now))
    resumed = open_environment(replace(kitchen.setup, time=9.0))  # some time after it was saved
    again = resumed.people["user"]
    assert resumed.now == 9.0
    assert again.joints(9.0) == pytest.approx(user.joints(kitchen.now))
    assert again.links["right_hand"].entity.pose.p == pytest.approx(
        user.links["right_hand"].entity.pose.p, abs=1e-3
    )
    assert holders(resumed, "cup") == ["user"]
    apart = from_hand(kitchen, "cup")
    for one in (kitchen, resumed):
        one.step(one.now + 1.0)
    assert again.joints(resumed.now) == pytest.approx(user.joints(kitchen.now))
    assert from_hand(resumed, "cup") == pytest.approx(apart, abs=0.01)


@pytest.mark.parametrize(("back", "again"), [(True, 30.5), (False, 0.5)])
def test_who_came_for_what_failed_comes_again_when_it_is_tried_again(
    back: bool, again: float
) -> None:
    out = np.zeros((50, 7, 3))
    out[:, 5, 1] = np.linspace(0.0, 0.5, 50)
    user = Person.__new__(Person)
    user.motion = PlacedMotion(np.concatenate([out, out[::-1]]) if back else out, 25.0)
    user.begins, user._comes_again = None, False
    user._with_skill, user._after = "hand_over", 0.5
    user.skill_begins("hand_over", 0.0)
    user.skill_begins("hand_over", 20.0)  # it did not fail
    user.skill_ends("pick", ok=False)
    user.skill_begins("hand_over", 21.0)
    assert user.begins == 0.5
    user.skill_ends("hand_over", ok=False)
    user.skill_begins("hand_over", 1.0)  # they are still there
    assert user.begins == 0.5
    user.skill_begins("hand_over", 30.0)
    assert user.begins == again


def test_contacts_are_not_looked_through_while_nobody_moves_and_no_robot_is_near() -> None:
    looked: list[float] = []
    at = np.array((0.0, 0.0, 1.0))
    link = SimpleNamespace(entity_pose=SimpleNamespace(p=at + np.array((2.0, 0.0, 0.0))))
    user = SimpleNamespace(
        links={}, is_moving=lambda now: now > 9.0, joints=lambda now: at + np.zeros((7, 3))
    )
    robot = SimpleNamespace(links=(link,), targets=lambda: np.zeros(1), qpos=np.zeros(1))
    kitchen: Any = SimpleNamespace(people={"user": user}, robots={"R1": robot}, now=0.0, ticks=0)
    kitchen.scene = SimpleNamespace(get_contacts=lambda: looked.append(kitchen.now) or [])
    kitchen.held_things = dict
    counter = ContactCounter(kitchen)

    def tick(now: float) -> None:
        kitchen.now, kitchen.ticks = now, round(60 * now)
        counter.begin()
        counter.end()

    tick(1.0)
    assert looked == []
    link.entity_pose.p = at + np.array((0.5, 0.0, 0.0))
    tick(2.0)
    link.entity_pose.p = at + np.array((3.0, 0.0, 0.0))
    tick(10.0)
    assert looked == [2.0, 10.0]


def test_a_motion_that_has_not_begun_has_not_begun_in_a_resumed_run(tmp_path: Path) -> None:
    kitchen = two_things(tmp_path, folder=tmp_path)
    kitchen.step(0.5)
    state.save_to(kitchen, tmp_path)
    again = open_environment(replace(kitchen.setup, time=9.0)).people["user"]
    assert again.begins is None
    assert again.joints(9.5) == pytest.approx(again.joints(0.0))


def test_a_state_with_other_people_is_refused(tmp_path: Path) -> None:
    kept = state.save(two_things(tmp_path))
    other = kitchen_with({}, cup=thing("cup", 0.4, -0.3), jar=thing("jar", 0.2, -0.3))
    with pytest.raises(state.WrongState, match="other bodies, robots or people"):
        SapienKitchen(other.setup, kept)


def test_what_a_robot_holds_counts_to_its_body(tmp_path: Path) -> None:
    """But where it is handed to the hand that it touches."""
    kitchen = kitchen_with(
        {"user": person(tmp_path, reach=[-0.2, 0.1, 1.1], frames=(60, 62))},
        cup=thing("cup", 0.4, -0.3),
    )
    user, arm, cup = kitchen.people["user"], kitchen.arm("R1"), kitchen.bodies["cup"]
    arm.attach(cup.entity)
    for given in (None, "user"):
        kitchen.guards["R1"].giving_to = given
        cup.entity.pose = user.links["right_hand"].entity.pose
        cup.links["body"].wake_up()
        kitchen.step(kitchen.now + 0.1)
        assert {link for _, robot, link, _ in user.contacts if robot == "R1"} == (
            set() if given else {"cup"}
        )
        user.contacts.clear()


def test_tracking_is_late_noisy_and_the_same_with_the_same_seed() -> None:
    true = np.zeros((7, 3))
    one, other = (JointTracking(TrackingNoise(0.02, 0.1, 0.3), 5) for _ in range(2))
    for number in range(500):
        for tracking in (one, other):
            tracking.take(number / 25, true)
            tracking.arrive(number / 25)
    assert [it.time for it in one.poses] == [it.time for it in other.poses]
    assert one.poses[-1].time <= 499 / 25 - 0.1 + 1e-6
    assert one.count == pytest.approx(350, abs=40)
    seen = np.array([it.joints for it in one.poses])
    assert seen.std() == pytest.approx(0.02, rel=0.1)


def test_tracking_with_faults() -> None:
    true = np.arange(21.0).reshape(7, 3)
    swapped = JointTracking(TrackingNoise(0.0, 0.0, 0.0, swaps=1.0), 1)
    jumps = JointTracking(TrackingNoise(0.0, 0.0, 0.0, jumps=1.0), 1)
    for tracking in (swapped, jumps):
        tracking.take(0.0, true)
        tracking.arrive(0.0)
    found, off = swapped.poses[0].joints, jumps.poses[0].joints
    assert found is not None
    assert off is not None
    assert found[5].tolist() == true[6].tolist()
    assert (np.abs(off - true).max(axis=1) > 0).sum() == 1


def test_an_outlook_keeps_what_is_still_to_come() -> None:
    times = np.arange(26) / 25
    joints = np.repeat(times[:, None, None], 7, axis=1).repeat(3, axis=2)
    outlook = PersonOutlook(0.1, 0.0, "forecast", times, joints, np.zeros(26))
    part = outlook.until(0.5, 0.2)
    assert part.times.min() == pytest.approx(0.48)
    assert part.times.max() == pytest.approx(0.68)
    assert len(outlook.until(3.0, 0.2).times) == 1
