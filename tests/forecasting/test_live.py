"""A forecaster at work: what it makes of poses that are late, wrong or missing."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import numpy.typing as npt
import pytest

pytest.importorskip("torch")
pytest.importorskip("sapien")

from treec_forecasting.files import ForecasterFile
from treec_forecasting.live import (
    SETTLED,
    LiveForecaster,
    Model,
    open_model,
    speed_beyond,
    stands_still,
    stay,
)
from treec_forecasting.occluded_joints import HANGS
from treec_forecasting.spikes import noise_of
from treec_forecasting.synthetic import MOTIONS, make_motion
from treec_sapien.people.skeleton import MIRRORED, PAST, RATE
from treec_sapien.person.figure import CAPSULES, RADII
from treec_sapien.person.guard import distances
from treec_sapien.person.log import AHEAD, ForecastLog, read_log
from treec_sapien.person.outlook import PersonOutlook
from treec_sapien.person.separation import SLOW
from treec_sapien.person.tracking import JointTracking, TrackingNoise
from treec_sapien.person.watched import present_pose

Floats = npt.NDArray[np.float64]
SPEC = ForecasterFile.model_validate({"forecaster": "f", "model": "constant_velocity"})
MOVES = np.array((0.8, 0.0, 0.0))
REST = np.array(
    [(0, 0, 1.4), (0, 0.2, 1.4), (0, -0.2, 1.4), (0, 0.3, 1.1), (0, -0.3, 1.1), (0.3, 0.3, 1.1),
     (0.3, -0.3, 1.1)]
)  # fmt: skip


def constant_velocity() -> Model:
    model = open_model("constant_velocity", Path())
    assert callable(model)
    return model


def tracked(
    frames: int, model: Model | str, spoil: dict[int, Floats | None] | None = None
) -> tuple[LiveForecaster, PersonOutlook]:
    """The outlook after so many poses of somebody who walks along x; some are spoilt or missing."""
    tracking = JointTracking(TrackingNoise(0.0, 0.0, 0.0), 1)
    live = LiveForecaster(SPEC, model)
    outlook = live(0.0, tracking)
    for number in range(frames):
        now = number / 25
        pose: Floats | None = REST + now * MOVES
        if spoil and number in spoil:
            pose = spoil[number]
            if pose is None:
                continue
        tracking.take(now, pose)
        tracking.arrive(now)
        outlook = live(now, tracking)
    return live, outlook


def test_a_second_is_forecast_from_ten_poses() -> None:
    _, outlook = tracked(12, constant_velocity())
    assert outlook.basis == "forecast"
    assert outlook.person_speed == SLOW  # they may move otherwise than forecast
    assert outlook.times == pytest.approx(11 / 25 + np.arange(26) / 25)
    assert outlook.joints[-1] == pytest.approx(REST + (11 / 25 + 1) * MOVES, abs=1e-4)


@pytest.mark.parametrize(
    ("frames", "why"), [(0, "no pose has come"), (4, "not seen for long enough")]
)
def test_there_is_no_forecast_from_too_little(frames: int, why: str) -> None:
    _, outlook = tracked(frames, constant_velocity())
    assert (outlook.basis, outlook.why) != ("forecast", "")
    assert outlook.why == why
    assert outlook.further == SPEC.further


def test_old_poses_are_not_forecast_from_and_then_the_person_is_lost() -> None:
    live, outlook = tracked(12, constant_velocity())
    silent = JointTracking(TrackingNoise(0.0, 0.0, 0.0), 1)
    silent.count = live._count
    late = live(outlook.seen + 0.32, silent)
    assert (late.basis, late.further) == ("present", SPEC.further)
    assert late.why == "the last pose is 0.3 s old"
    assert late.person_speed > 1
    lost = live(outlook.seen + 0.8, silent)
    assert (lost.basis, lost.why) == ("lost", "no pose for 0.8 s")
    assert lost.joints[0] == pytest.approx(outlook.joints[0])


def test_a_model_that_fails_gives_the_present_pose() -> None:
    def broken(past: Floats) -> tuple[Floats, Floats]:
        raise ZeroDivisionError

    def empty(past: Floats) -> tuple[Floats, Floats]:
        return np.full((25, 7, 3), np.nan), np.zeros(25)

    for model, why in (
        (broken, "the model failed: ZeroDivisionError"),
        (empty, "the model gave no numbers"),
        ("no weights", "no weights"),
    ):
        _, outlook = tracked(12, model)
        assert (outlook.basis, outlook.why) == ("present", why)
        assert outlook.further == SPEC.further


def test_poses_that_cannot_be_are_bridged() -> None:
    right = tracked(12, constant_velocity())
    swapped = (REST + 8 / 25 * MOVES)[list(MIRRORED)]
    jumped = REST + 9 / 25 * MOVES
    jumped[6] += 0.4
    live, outlook = tracked(12, constant_velocity(), {8: swapped, 9: jumped, 10: None})
    assert live.rejected == 1  # of the other one, six joints are believed
    assert outlook.joints == pytest.approx(right[1].joints, abs=1e-3)


@pytest.mark.parametrize("off", [(0.0, 0.2, 0.0), (0.1, -0.1, 0.12)])
@pytest.mark.parametrize("at", [7, 10, 11])
def test_one_joint_that_is_off_for_a_moment_is_bridged(off: tuple[float, ...], at: int) -> None:
    """By less than what a pose is left out for, as when a table's edge is taken for a wrist."""
    right = tracked(12, constant_velocity())
    jumped = REST + at / 25 * MOVES + np.array(off) * (np.arange(7) == 6)[:, None]
    spoil: dict[int, Floats | None] = {at: jumped}
    live, outlook = tracked(12, constant_velocity(), spoil)
    assert live.rejected == 0
    newest = 0.04 * MOVES[0] if at == 11 else 0.0  # held where it was
    assert outlook.joints[0] == pytest.approx(right[1].joints[0], abs=newest + 1e-3)
    assert outlook.joints[10] == pytest.approx(right[1].joints[10], abs=11 * newest + 1e-3)


def test_a_hand_that_sets_out_quickly_is_no_spike() -> None:
    tracking = JointTracking(TrackingNoise(0.01, 0.0, 0.0), 1)
    live = LiveForecaster(SPEC, constant_velocity())
    for number in range(24):
        pose = REST.copy()
        pose[6, 0] += 7.5 * (max(number - 19, 0) / 25) ** 2  # 15 m/s²
        tracking.take(number / 25, pose)
        tracking.arrive(number / 25)
    outlook = live(23 / 25, tracking)
    assert outlook.joints[0, 6] == pytest.approx(pose[6], abs=0.04)


@pytest.mark.parametrize("sigma", [0.01, 0.03])
def test_noise_is_no_motion(sigma: float) -> None:
    rng = np.random.default_rng(1)
    still = REST + rng.normal(0.0, sigma, (200, 10, 7, 3))
    walks = still + np.arange(10)[:, None, None] / 25 * MOVES
    times = np.arange(10) / 25
    assert np.mean([noise_of(times, it) for it in walks]) == pytest.approx(sigma, rel=0.15)
    assert np.mean([stands_still(it, sigma) for it in still]) > 0.9
    assert np.mean([stands_still(it, sigma) for it in walks]) < 0.01


def test_what_goes_on_being_elsewhere_is_believed() -> None:
    elsewhere = REST + np.array((0.0, 3.0, 0.0))
    beyond: dict[int, Floats | None] = dict.fromkeys(range(12, 40), elsewhere)
    live, outlook = tracked(40, constant_velocity(), beyond)
    assert outlook.basis == "forecast"
    assert live.rejected == pytest.approx(10, abs=2)
    assert outlook.joints[0] == pytest.approx(elsewhere)


def test_somebody_who_stands_still_is_forecast_to_stay() -> None:
    """Networks expect everybody to be about to do something."""
    model = open_model("steady", Path())
    assert callable(model)
    tracking = JointTracking(TrackingNoise(0.005, 0.0, 0.0), 1)
    live = LiveForecaster(SPEC, model)
    for number in range(20):
        tracking.take(number / 25, REST)
        tracking.arrive(number / 25)
    outlook = live(19 / 25, tracking)
    assert outlook.basis == "forecast"
    assert np.abs(outlook.joints[-1] - REST).max() < 0.03


def test_who_has_moved_a_moment_ago_is_not_forecast_to_stay_yet() -> None:
    """Who comes slowly, or turns, moves little for a moment, and was forecast to stay."""

    def goes(past: Floats) -> tuple[Floats, Floats]:
        still.append(stands_still(past))
        return np.repeat(past[-1:, :7], 25, axis=0) + 1.0, np.zeros(25)

    still: list[bool] = []
    tracking = JointTracking(TrackingNoise(0.0, 0.0, 0.0), 1)
    live = LiveForecaster(SPEC, goes)
    stays = []
    for number in range(60):
        moved = min(number, 20) + max(number - 50, 0)
        tracking.take(number / 25, REST + moved / 25 * MOVES)
        tracking.arrive(number / 25)
        joints = live(number / 25, tracking).joints
        stays.append(bool(np.abs(joints[-1] - joints[0]).max() < 0.5))
    first = still.index(True) + PAST - 1  # it is asked from the tenth pose on
    assert still.count(True) == pytest.approx(SETTLED * RATE, abs=1)
    settled = first + round(SETTLED * RATE)
    assert stays[9:] == [False] * (settled - 9) + [True] * (53 - settled) + [False] * 7


def test_somebody_who_stands_still_may_begin_to_move() -> None:
    """The forecast that they stay has nothing in it of what they may do until a robot stops."""
    assert stands_still(still := np.repeat(np.append(REST, REST[:1], axis=0)[None], 10, axis=0))
    assert speed_beyond(still, stay(still)[0]) == 0.0


def test_a_forecast_that_nobody_moves_lacks_the_speed_that_was_measured() -> None:
    _, outlook = tracked(12, open_model("zero_velocity", Path()))
    assert outlook.basis == "forecast"
    assert outlook.person_speed == pytest.approx(0.8)


def test_who_has_left_is_known_to_have_left() -> None:
    tracking = JointTracking(TrackingNoise(0.0, 0.0, 0.0), 1)
    live = LiveForecaster(SPEC, constant_velocity())
    tracking.take(0.0, None)
    tracking.arrive(0.0)
    outlook = live(0.1, tracking)
    assert outlook.absent
    assert not outlook.is_blind


def test_a_forecaster_that_is_not_there_is_a_reason_and_no_error() -> None:
    assert "unknown forecaster 'nobody'" in str(open_model("nobody", Path()))


def test_the_shipped_forecaster_expects_a_reaching_hand_to_go_on() -> None:
    joints = make_motion("reach", 1, 3)["positions"].astype(float)[:, :7]
    model = open_model("steady", Path())
    tracking = JointTracking(TrackingNoise(0.0, 0.0, 0.0), 1)
    live = LiveForecaster(SPEC, model)
    begin = int(np.argmax(np.linalg.norm(joints[1:, 6] - joints[:-1, 6], axis=1))) - 3
    for number in range(begin):
        tracking.take(number / 25, joints[number])
        tracking.arrive(number / 25)
    outlook = live((begin - 1) / 25, tracking)
    true = joints[begin + 9, 6]
    stays = np.linalg.norm(joints[begin - 1, 6] - true)
    assert np.linalg.norm(outlook.joints[10, 6] - true) < 0.7 * stays
    assert live.milliseconds


def test_made_up_motion_is_the_same_with_the_same_seed() -> None:
    one, other, third = (make_motion("offer", 2, seed) for seed in (1, 1, 2))
    assert all(np.array_equal(one[name], other[name]) for name in one)
    assert not np.array_equal(one["positions"], third["positions"])


@pytest.mark.parametrize("motion", MOTIONS)
def test_made_up_people_move_as_people_do(motion: str) -> None:
    for seed in range(5):
        joints = make_motion(motion, 1, seed)["positions"].astype(float)
        speeds = RATE * np.diff(joints, axis=0)
        assert np.linalg.norm(speeds, axis=2).max() < 4.0
        trunk = speeds[:, 0]
        if motion in ("reach", "offer", "leave"):  # they begin and end at rest
            trunk = np.concatenate([np.zeros((1, 3)), trunk, np.zeros((1, 3))])
        starts_and_stops = RATE * np.diff(trunk, axis=0)
        assert np.linalg.norm(starts_and_stops, axis=1).max() < 7.0


def test_forecasts_are_journaled_in_whole_millimetres() -> None:
    class Person:
        name = "user"
        outlook = tracked(12, constant_velocity())[1]

    class Act:
        def __init__(self) -> None:
            self.time = 0.0
            self.notes: list[tuple[str, dict[str, object]]] = []

        def now(self) -> float:
            return self.time

        def watched(self) -> Person:
            return person

        def note(self, text: str, **record: object) -> None:
            self.notes.append((text, record))

    person, act = Person(), Act()
    log = ForecastLog(act)  # type: ignore[arg-type]
    log.look()
    log.look()  # the same one is not kept twice
    person.outlook = tracked(14, constant_velocity())[1]
    act.time = 1.1
    log.look()
    ((text, record),) = act.notes
    assert text == ""
    times, wrists = read_log(record)
    assert times.tolist() == pytest.approx([0.44, 0.52])
    assert wrists.shape == (2, len(AHEAD), 2, 3)
    assert wrists[0, 1, 1] == pytest.approx(REST[6] + (0.44 + 0.4) * MOVES, abs=0.0006)


def hide(pose: Floats, *joints: int) -> Floats:
    """The pose without some joints."""
    out = pose.copy()
    out[list(joints)] = np.nan
    return out


def at(number: int) -> Floats:
    """Where the person who walks is then."""
    return REST + number / 25 * MOVES


def test_hidden_joints_go_on_with_the_neck() -> None:
    spoil = {number: hide(at(number), 3, 5) for number in range(8, 14)}
    live, outlook = tracked(14, constant_velocity(), dict(spoil))
    assert outlook.basis == "forecast"
    assert outlook.joints[0] == pytest.approx(at(13), abs=1e-6)
    assert live.rejected == 0
    # and so where the neck is hidden, too: the shoulder that is seen leads
    spoil = {number: hide(at(number), 0, 1, 3, 5) for number in range(8, 14)}
    _, outlook = tracked(14, constant_velocity(), dict(spoil))
    assert outlook.joints[0] == pytest.approx(at(13), abs=1e-6)


def test_a_hidden_arm_is_wider_the_longer_nobody_has_seen_it() -> None:
    spoil = {number: hide(at(number), 5) for number in range(12, 60)}
    names = [it.name for it in CAPSULES]
    speed = float(np.linalg.norm(MOVES))  # as it had when it was seen last
    for frames, wider, why in (
        (12, 0.0, ""),
        (17, speed * 5 / 25, ""),
        (60, SPEC.further, "the left wrist is hidden"),
        (80, 0.0, ""),  # it is seen again
    ):
        _, outlook = tracked(frames, constant_velocity(), dict(spoil))
        assert (outlook.basis, outlook.why, outlook.further) == ("forecast", why, 0.0)
        assert outlook.joints[0] == pytest.approx(at(frames - 1), abs=0.01)
        grown = dict(zip(names, outlook.radii - RADII, strict=True))
        for name in names:
            hidden = name in ("left_forearm", "left_hand")
            assert grown[name] == pytest.approx(wider if hidden else 0.0), name


def test_errors_that_last_make_a_forecast_wider() -> None:
    class Lasting(JointTracking):
        lasting = 0.03  # type: ignore[assignment]

    found = []
    for source in (JointTracking, Lasting):
        tracking = source(TrackingNoise(0.0, 0.0, 0.0), 1)
        live = LiveForecaster(SPEC, constant_velocity())
        for number in range(12):
            tracking.take(number / 25, at(number))
            tracking.arrive(number / 25)
            outlook = live(number / 25, tracking)
        found.append(outlook.spread)
    assert found[1] == pytest.approx(found[0] + 0.03)


@pytest.mark.thorough
def test_what_is_hidden_is_told_once_and_when_it_is_seen_again() -> None:
    told: list[str] = []
    spoil = {number: hide(at(number), 5) for number in range(12, 40)}
    user = SimpleNamespace(name="user", outlook=None)
    act = SimpleNamespace(
        now=lambda: user.outlook.made,
        watched=lambda: user,
        note=lambda text, **record: told.append(text) if text else None,
    )
    user.outlook = tracked(10, constant_velocity())[1]
    log = ForecastLog(act)  # type: ignore[arg-type]
    for frames in range(10, 60, 3):
        user.outlook = tracked(frames, constant_velocity(), dict(spoil))[1]
        log.look()
    assert told == [
        "user is forecast, but the left wrist is hidden: it may be 0.25 m off",
        "all of user is seen again",
    ]


def test_the_guard_keeps_away_from_where_a_hidden_arm_may_be() -> None:
    arm = (np.array([[[0.3, 0.8, 1.1]]]), np.array([[[0.3, 0.8, 1.3]]]), np.array([0.05]))
    spoil = {number: hide(at(number), 5) for number in range(12, 60)}
    _, hidden = tracked(60, constant_velocity(), dict(spoil))
    _, seen = tracked(60, constant_velocity())
    hidden, seen = (replace(it, joints=seen.joints) for it in (hidden, seen))
    apart = distances(arm, seen) - distances(arm, hidden)
    assert apart[..., 7] == pytest.approx(SPEC.further)  # the left hand
    assert apart[..., 8] == pytest.approx(0.0)


def test_an_arm_that_was_never_seen_hangs_and_is_wide() -> None:
    spoil = {number: hide(at(number), 4, 6) for number in range(20)}
    _, outlook = tracked(20, constant_velocity(), dict(spoil))
    assert (outlook.basis, outlook.why) == ("forecast", "the right elbow is hidden")
    shoulder = at(19)[2]
    assert outlook.joints[0][4] == pytest.approx(shoulder - (0.0, 0.0, HANGS[0]), abs=1e-6)
    assert outlook.joints[0][6] == pytest.approx(shoulder - (0.0, 0.0, sum(HANGS)), abs=1e-6)
    grown = dict(zip([it.name for it in CAPSULES], outlook.radii - RADII, strict=True))
    assert grown["right_hand"] == grown["right_upper_arm"] == pytest.approx(SPEC.further)
    assert grown["left_hand"] == 0.0


def test_without_a_shoulder_that_was_ever_seen_nobody_is_known() -> None:
    spoil = {number: hide(at(number), 0, 2) for number in range(20)}
    _, outlook = tracked(20, constant_velocity(), dict(spoil))
    why = "no pose has come: the neck is not seen yet"
    assert (outlook.basis, outlook.why) == ("lost", why)
    assert not len(outlook.times)
    spoil[5] = at(5)  # all were seen once
    _, outlook = tracked(12, constant_velocity(), dict(spoil))
    assert outlook.joints[0] == pytest.approx(at(11), abs=1e-6)


def test_a_joint_that_was_seen_before_the_neck_has_no_place_from_it() -> None:
    spoil = {number: hide(at(number), 0, 1) for number in range(4)}
    spoil |= {number: hide(at(number), 5) for number in range(4, 20)}
    _, outlook = tracked(20, constant_velocity(), dict(spoil))
    assert outlook.why == "the left wrist is hidden"
    assert outlook.joints[0][5][:2] == pytest.approx(at(19)[3][:2], abs=1e-6)  # below the elbow


def test_arms_without_shoulders_are_nobody() -> None:
    """They would keep a body where it was while its owner walks away."""
    spoil = {number: hide(at(number), 0, 1, 2) for number in range(12, 40)}
    _, outlook = tracked(21, constant_velocity(), dict(spoil))
    assert outlook.basis == "present"
    assert outlook.why == "the last pose is 0.4 s old: neither shoulder is seen"
    _, outlook = tracked(40, constant_velocity(), dict(spoil))
    assert (outlook.basis, outlook.further) == ("lost", SPEC.further)


def test_a_shoulder_that_is_off_for_a_moment_takes_no_hidden_arm_with_it() -> None:
    spoil: dict[int, Floats | None] = {n: hide(at(n), 5) for n in range(12, 30)}
    for number in (11, 20):
        off = at(number) if number == 11 else hide(at(number), 5)
        off[1] += (0.0, 0.4, 0.0)
        off[0] += (0.0, 0.2, 0.0)
        spoil[number] = off
    for frames in (13, 21, 30):
        _, outlook = tracked(frames, constant_velocity(), spoil)
        assert outlook.joints[0][5] == pytest.approx(at(frames - 1)[5], abs=0.04)


def test_a_hand_that_was_fast_when_it_was_hidden_may_go_on_so() -> None:
    def quick(number: int) -> Floats:
        pose = REST.copy()
        pose[5] += (1.5 * number / 25, 0.0, 0.0)
        return pose

    spoil: dict[int, Floats | None] = {n: quick(n) for n in range(12)}
    spoil |= {n: hide(REST, 5) for n in range(12, 15)}
    _, outlook = tracked(15, constant_velocity(), spoil)
    assert outlook.wider is not None
    assert outlook.wider.max() == pytest.approx(1.5 * 3 / 25, abs=0.01)


def test_who_is_seen_again_once_is_not_believed_at_once() -> None:
    spoil: dict[int, Floats | None] = {n: hide(at(n), 5) for n in range(12, 50)}
    wider = []
    for frames in range(50, 55):
        _, outlook = tracked(frames, constant_velocity(), spoil)
        wider.append(0.0 if outlook.wider is None else float(outlook.wider.max()))
    assert wider == pytest.approx([SPEC.further] * 3 + [0.0, 0.0])


def test_why_no_pose_comes_is_told() -> None:
    tracking = JointTracking(TrackingNoise(0.0, 0.0, 0.0), 1)
    live = LiveForecaster(SPEC, constant_velocity())
    tracking.why = "nobody is in the picture"
    assert live(0.0, tracking).why == "no pose has come: nobody is in the picture"
    tracking.take(0.0, REST)
    tracking.arrive(0.0)
    live(0.0, tracking)
    lost = live(2.0, tracking)
    assert (lost.basis, lost.why) == ("lost", "no pose for 2.0 s: nobody is in the picture")


def test_the_present_pose_is_the_last_one_with_all_joints() -> None:
    """A joint that is nowhere is in nobody's way: robots would go there."""
    tracking = JointTracking(TrackingNoise(0.0, 0.0, 0.0), 1)
    for number in range(12):
        tracking.take(number / 25, hide(at(number), 6) if number > 6 else at(number))
        tracking.arrive(number / 25)
    outlook = present_pose(11 / 25, tracking)
    assert outlook.seen == pytest.approx(6 / 25)
    assert outlook.joints[0] == pytest.approx(at(6))
    assert np.isfinite(outlook.lacking)
    blind = JointTracking(TrackingNoise(0.0, 0.0, 0.0), 1)
    blind.take(0.0, hide(at(0), 6))
    blind.arrive(0.0)
    assert present_pose(0.0, blind).is_blind


@pytest.mark.thorough
def test_all_is_seen_again_only_once_all_is() -> None:
    told: list[str] = []
    spoil: dict[int, Floats | None] = {n: hide(at(n), 5) for n in range(12, 40)}
    spoil |= {n: hide(at(n), 4) for n in range(40, 44)}
    user = SimpleNamespace(name="user", outlook=tracked(10, constant_velocity())[1])
    act = SimpleNamespace(
        now=lambda: user.outlook.made,
        watched=lambda: user,
        note=lambda text, **record: told.append(text) if text else None,
    )
    log = ForecastLog(act)  # type: ignore[arg-type]
    for frames in range(10, 60):
        user.outlook = tracked(frames, constant_velocity(), spoil)[1]
        log.look()
        if told[1:]:
            break
    assert told[-1] == "all of user is seen again"
    assert frames >= 47
