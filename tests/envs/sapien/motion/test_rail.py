"""Two arms of one robot where a person may hold one of them up: it is not where its course was."""

from __future__ import annotations

from collections.abc import Generator
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from tests.envs.sapien.motion.bench import Bench, FreeRate, lift
from treec_sapien.motion.activity import ArmActivities
from treec_sapien.motion.arm import Arm
from treec_sapien.motion.failure import MotionFailure
from treec_sapien.motion.frames import Array, Index
from treec_sapien.motion.motion import Motion
from treec_sapien.motion.rail import RETURN, Rail
from treec_sapien.motion.timing import CONTROL
from treec_sapien.motion.traffic import Traffic


def lift_again(arm: Arm, block: Any, seed: int) -> Generator[None, None, bool]:
    """Lift a block; again where the other arm was in the way, as skills do."""
    for left in reversed(range(3)):
        try:
            return (yield from lift(arm, block, seed))
        except MotionFailure as failure:
            if failure.name != "blocked" or not left:
                raise
        yield from arm.motion.pause(2.0)
    return False


def arms_in_contact(bench: Bench) -> bool:
    """Whether two parts of the robot overlap."""
    name = bench.robot.articulation.name
    hits = bench.motion.space.contacts(bench.robot.qpos)
    return any(one.startswith(f"{name}") and two.startswith(f"{name}") for one, two in hits)


class TwoZones:
    """Two arms with one joint each, which stands for where they are in two zones of one place each.

    One passes the first zone and then the second, the other the second and then the first.
    """

    def __init__(self) -> None:
        self.ticks = 0
        self.traffic = Traffic(lambda: self.ticks / 60)
        self.arms = {"left": None, "right": None}
        self.guard = None
        self.q = np.zeros(2)
        drive = SimpleNamespace(set_drive_target=id, set_drive_velocity_target=id)
        self.robot = SimpleNamespace(joints=["l", "r"], joint=lambda _: drive)
        rows = np.arange(200.0)[:, None]
        motion: Any = self
        self.rails = [Rail(motion, side, np.array([i]), rows) for i, side in enumerate(self.arms)]

    def clear_ahead(self, who: str, joints: Index, rows: Array) -> bool:
        return self.traffic.clear_ahead(who, self.q, joints, rows, self._is_free)

    def _is_free(self, whole: Array) -> bool:
        zones = np.digitize(whole, (60, 100, 140))  # 0 before, 1 and 2 in one, 3 behind
        left, right = zones[:, 0], np.array((0, 2, 1, 3))[zones[:, 1]]
        return not ((left == right) & (left % 3 > 0)).any()

    def step(self, *wanted: float) -> None:
        for i, (rail, rate) in enumerate(zip(self.rails, wanted, strict=True)):
            if rail.place < rail.last:
                rail.step(rate)
                self.q[i] = rail.place
                if rail.place == rail.last:
                    rail.leave()
        self.ticks += 1


def test_of_two_arms_in_each_others_way_the_later_one_goes_back() -> None:
    """Each had waited for 10 s until it gave up, and kept the other from going on."""
    zones = TwoZones()
    while zones.ticks < 100:  # the first is held up by a person, so that the other comes in, too
        zones.step(0.6 if zones.ticks < 90 else 0.0, 1.0)
    left, right = zones.rails
    assert 60 <= right.place < 100
    zones.q[0] = left.place = 70.0  # pushed in
    farthest = right.place
    while left.place < left.last or right.place < right.last:
        zones.step(1.0, 1.0)
        assert zones.ticks < 500
        farthest = min(farthest, right.place)
    assert 0.0 < farthest < 60.0
    assert not zones.traffic.others("nobody")


def test_who_waits_for_one_that_goes_on_does_not_go_back() -> None:
    zones = TwoZones()
    zones.step(0.2, 1.0)
    back = 0
    while min(rail.place for rail in zones.rails) < 199:
        before = [rail.place for rail in zones.rails]
        zones.step(0.2, 1.0)
        back += any(rail.place < at for rail, at in zip(zones.rails, before, strict=True))
        assert zones.ticks < 3000
    assert back == 0


@pytest.mark.thorough
@pytest.mark.parametrize(
    ("slowed", "ones", "seed"),
    [
        ("left", (1, 3), 1),
        ("right", (2, 0), 1),
        pytest.param("left", (2, 0), 1, marks=pytest.mark.slow),
        pytest.param("left", (4, 2), 3, marks=pytest.mark.slow),  # one gives up, and tries again
    ],
)
def test_arms_never_touch_where_one_is_held_up(
    slowed: str, ones: tuple[int, int], seed: int
) -> None:
    bench = Bench("baxter")
    its = set(bench.motion.arms[slowed].joints.tolist())

    def guard(joints: Index, here: Array, ahead: Array, steps: float) -> float:
        held_up = its.issuperset(joints.tolist()) and bench.ticks % 100 < 70
        return 0.0 if held_up else 1.0

    bench.motion.guard = FreeRate(guard)
    sides = ("left", "right")
    doing = {
        i: lift_again(bench.motion.arms[side], bench.blocks[ones[i]], seed + i)
        for i, side in enumerate(sides)
    }
    held, met, together = {}, 0, 0
    while doing:
        for i, one in list(doing.items()):
            try:
                next(one)
            except StopIteration as stop:
                held[i] = stop.value
                del doing[i]
        together += len(bench.motion.traffic.others("nobody")) == 2
        met += bench.ticks % 10 == 0 and arms_in_contact(bench)
        bench.step()
        assert bench.ticks < 6000
    assert held == {0: True, 1: True}
    assert met == 0
    assert together > 30


class Pushed:
    """One joint, whose drive's target somebody else may set: it gives way."""

    def __init__(self) -> None:
        self.target, self.shares = 0.0, [1.0]
        self.guard = FreeRate(lambda *rest: self.shares[-1])
        self.arms = {"arm": None}
        self.robot = SimpleNamespace(
            joints=["j"], joint=lambda _: self, targets=lambda: np.array([self.target])
        )

    def set_drive_target(self, target: float) -> None:
        self.target = target

    def set_drive_velocity_target(self, speed: float) -> None:
        pass


def test_what_was_pushed_off_its_rows_comes_back_slowly_and_goes_on() -> None:
    motion = Pushed()
    stub: Any = motion
    rail = Rail(stub, "arm", np.array([0]), np.arange(0.0, 1.0, 0.01)[:, None])
    for _ in range(30):
        rail.step()
    place = rail.place
    motion.target += 0.2
    rail.step(0.0)
    assert rail.is_still
    back = rail.ahead(1.0)[:2, 0]  # where the other arms are looked for
    assert back == pytest.approx(motion.target - 0.2 / 40 * np.array([1, 2]))
    assert motion.target == pytest.approx(0.01 * place + 0.2)  # it waits where it was pushed to
    motion.shares.append(0.0)
    rail.step()
    assert motion.target == pytest.approx(0.01 * place + 0.2)  # somebody is in the way
    motion.shares.append(1.0)
    before = motion.target
    for _ in range(39):
        rail.step()
        assert 0.0 < before - motion.target <= RETURN * CONTROL + 1e-9
        assert rail.place == place
        before = motion.target
    while rail.place < rail.last:
        rail.step()
    assert motion.target == pytest.approx(0.99)


def follow(motion: Any, patience: dict[str, float], count: int) -> Generator[None, None, None]:
    """Follow so many rows as the robot's left arm."""
    motion.activities, motion.patience, motion.traffic = ArmActivities(), patience, None
    rows = 0.01 * np.arange(1.0, count)[:, None]
    return Motion._follow_guarded(motion, "left", np.array([0]), rows)


def test_only_the_time_for_which_a_person_holds_a_motion_up_is_counted() -> None:
    """It had been blocked by the first glimpse of a person after the other arm's ten seconds."""
    motion: Any = Pushed()
    motion.shares.append(0.0)
    steps = follow(motion, {"left": 0.5, "right": 0.1}, 100)  # each arm's skill has its own
    for _ in range(90):  # something else holds it up
        next(steps)
    motion.guard.held_up_by = "user"
    for _ in range(30):
        next(steps)
    with pytest.raises(MotionFailure, match="blocked: user is in the way"):
        next(steps)


def test_who_gets_on_by_half_of_what_is_left_is_not_blocked() -> None:
    """Near its end no motion gets on by five per cent of ten seconds."""
    motion: Any = Pushed()
    motion.guard.held_up_by = "user"
    motion.shares.append(0.03)
    assert sum(1 for _ in follow(motion, {}, 25)) * CONTROL > 11.0  # it had been blocked after 10
