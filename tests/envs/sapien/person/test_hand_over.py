from __future__ import annotations

from collections import deque
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from tests.envs.sapien.motion.bench import Bench
from tests.envs.sapien.person.people import Noting, do, forecast, kitchen_with, person
from tests.skills.sapien.kitchens import thing
from treec import Sensor
from treec_sapien.motion.arm import Arm
from treec_sapien.motion.failure import MotionFailure
from treec_sapien.motion.frames import Array, Index
from treec_sapien.person.figure import CAPSULES, HANDS, points
from treec_sapien.person.outlook import PersonOutlook
from treec_sapien.sense.location import at
from treec_sapien.skills.hand_over import reactive
from treec_sapien.skills.hand_over.sapien import HandOver
from treec_sapien.skills.pick.sapien import Pick

AT = Sensor("at", "", (), ("table", "R1", "user"))


@pytest.mark.slow
@pytest.mark.parametrize("model", ["steady", "zero_velocity"])
def test_a_thing_is_brought_to_the_hand_and_moves_with_it(model: str, tmp_path: Path) -> None:
    starts = {"skill": "hand_over", "after": 0.5}
    spec = person(tmp_path, "offer", reach=[-0.2, 0.35, 1.1], starts=starts)
    kitchen = kitchen_with({"user": spec}, jar=thing("jar", -0.05, -0.15))
    forecast(kitchen, model)
    host = Noting(kitchen)
    do(host, Pick(), "pick", item="jar")
    outcome = do(host, HandOver(), "hand_over", item="jar", person="user")
    assert outcome is not None
    assert outcome.ok
    assert "lets go: user has the jar" in host.texts()
    user = kitchen.people["user"]
    assert not any(own for *_, own in user.contacts)
    assert at(kitchen, AT, "jar") == "user"
    assert kitchen.motion("R1").traffic.others("nobody") == []
    kitchen.step(kitchen.now + user.motion.seconds)
    hand = points(user.joints(kitchen.now))[[6, 8]].mean(axis=0)
    assert np.linalg.norm(np.array(kitchen.bodies["jar"].entity.pose.p) - hand) < 0.25


@pytest.mark.slow
def test_where_no_hand_comes_it_gives_up_and_keeps_the_thing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(reactive, "PATIENCE", 2.0)
    kitchen = kitchen_with(
        {"user": person(tmp_path, "offer", starts={"after": 900})}, jar=thing("jar", -0.05, -0.15)
    )
    forecast(kitchen, "steady")
    host = Noting(kitchen)
    do(host, Pick(), "pick", item="jar")
    outcome = do(host, HandOver(), "hand_over", item="jar", person="user")
    assert outcome is not None
    assert str(outcome.failure) == "not taken: the jar by user"
    assert host.texts()[-1] == "gives up: no hand of user has come"
    assert at(kitchen, AT, "jar") == "R1"
    assert kitchen.guards["R1"].giving_to is None


def test_a_hand_arrives_when_it_is_near_where_its_forecast_ends() -> None:
    ahead = np.arange(26) / 25 - 0.1
    way = np.clip(ahead / 0.5, 0.0, 1.0)[:, None] * np.array((0.5, 0.0, 0.0))
    assert reactive.arrival(ahead, way) == pytest.approx(0.5 - reactive.STAYS, abs=0.05)
    assert reactive.arrival(ahead, 0.0 * way) == 0.0  # it is there
    assert reactive.arrival(np.zeros(1), way[:1]) == 0.0  # the present pose


def test_a_hand_that_still_moves_when_the_forecast_ends_arrives_later() -> None:
    ahead = np.arange(26) / 25 - 0.1
    slow, fast = (
        reactive.arrival(ahead, ahead[:, None] * np.array((speed, 0.0, 0.0)))
        for speed in (1.0, 1.5)
    )
    near = ahead[-1] - reactive.STAYS / np.array((1.0, 1.5))
    beyond = reactive.LATER * (np.array((1.0, 1.5)) - reactive.STILL)
    assert (slow, fast) == pytest.approx(tuple(near + beyond), abs=0.05)


def test_the_nearest_points_on_a_hand() -> None:
    wrist, tip = np.zeros((3, 3)), np.array(((0.2, 0, 0), (0.2, 0, 0), (0, 0, 0)))
    for point, nearest in (((0.1, 0.3, 0), 0.1), ((0.5, 0.1, 0), 0.2), ((-1, 0, 0), 0.0)):
        found = reactive.nearest_on(wrist, tip, np.array(point, float))
        assert found[:, 0] == pytest.approx((nearest, nearest, 0.0))
        assert not found[:, 1:].any()


def test_the_other_arm_is_looked_out_for_and_told_where_this_one_goes(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    bench = Bench("baxter")
    arm, traffic = bench.motion.arms["left"], bench.motion.traffic
    stub: Any = SimpleNamespace(links={})
    handing = reactive.HandingOver(stub, arm, stub, stub)
    step = np.full(len(arm.joints), 0.002)
    looked: list[Array] = []

    def clear_ahead(who: str, joints: Index, rows: Array) -> bool:
        looked.append(rows)
        return len(looked) > 1

    monkeypatch.setattr(bench.motion, "clear_ahead", clear_ahead)
    assert not handing._is_free(step)
    (course,) = traffic.others("right")
    assert len(course.rows) == 1  # it stands
    assert handing._is_free(step)
    (course,) = traffic.others("right")
    assert course.rows == pytest.approx(looked[1])
    assert looked[1][0] == pytest.approx(arm.robot.targets()[arm.joints] + step)


def test_nothing_is_given_to_a_hand_that_is_hidden() -> None:
    """The gripper itself may hide it, and it may have gone."""
    bench = Bench("panda")
    (arm,) = bench.motion.arms.values()
    stub: Any = SimpleNamespace(now=lambda: 0.0)
    handing = reactive.HandingOver(stub, arm, stub, stub)
    tool = arm.tcp[:3, 3]
    joints = np.tile(tool + np.array((0.6, 0.0, 0.3)), (1, 7, 1))
    joints[0, 6], joints[0, 4] = (tool + np.array((x, 0.0, 0.0)) for x in (0.15, 0.4))
    seen = PersonOutlook(0.0, 0.0, "forecast", np.zeros(1), joints, np.zeros(1))
    assert handing._side(seen) == "right"
    for width, side in ((0.05, "right"), (0.25, None)):
        wider = np.zeros(len(CAPSULES))
        wider[HANDS[1]] = width
        assert handing._side(replace(seen, wider=wider)) == side


def test_a_gripper_that_is_held_up_beside_a_hand_brings_the_thing_around_to_its_fingertips() -> (
    None
):
    wrist, tip = np.array((0.3, 0.4, 1.1)), np.array((0.3, 0.2, 1.1))
    assert reactive.before_fingertips(wrist, tip) == pytest.approx((0.3, 0.1, 1.1))
    wanted = np.array((0.2, -0.1, 0.0))  # towards the hand, and along it

    def beside(way: Array) -> float:
        return 0.0 if way[0] > 0 else 1.0

    around = reactive.way_around(wanted, beside)
    assert around == pytest.approx(np.linalg.norm(wanted) * np.array((0.0, -1.0, 0.0)))
    assert not reactive.way_around(wanted, lambda way: 0.0).any()


def handing_over_at(now: list[float], **more: Any) -> tuple[Any, list[str]]:
    """One handing over with a stub of everything but its decisions; and what it notes."""
    notes: list[str] = []
    act: Any = SimpleNamespace(
        now=lambda: now[0],
        note=lambda text, **record: notes.append(text),
        kitchen=SimpleNamespace(guards={}),
        robot=SimpleNamespace(name="R1", hold=lambda joints: None),
    )
    bench = Bench("panda")
    (arm,) = bench.motion.arms.values()
    user: Any = SimpleNamespace(name="user", outlook=None)
    thing: Any = SimpleNamespace(name="jar")
    handing = reactive.HandingOver(act, arm, thing, user)
    for name, value in more.items():
        setattr(handing, name, value)
    return handing, notes


def test_an_arm_goes_around_once_the_guard_has_held_it_up_while_a_hand_is_there() -> None:
    handing, notes = handing_over_at([0.0])
    wanted = np.array((0.1, 0.0, 0.0))
    for _ in range(59):
        handing._note_held_up("right", wanted, 0.0)
    handing._note_held_up("right", wanted, 0.9)  # it goes on
    for _ in range(59):
        handing._note_held_up("right", wanted, 0.0)
    assert handing._around is None
    for _ in range(2):
        handing._note_held_up("right", wanted, 0.0)
    assert handing._around is not None
    assert notes == ["brings the jar around to the fingertips"]
    handing._note_held_up(None, wanted, 1.0)  # the hand has gone
    assert handing._around is None


@pytest.mark.parametrize(
    ("leaves", "until", "why"),
    [(0.0, 20.0, "has come"), (12.0, 32.0, "has come"), (99.0, 40.0, "takes it")],
)
def test_an_arm_waits_for_as_long_as_a_hand_is_there(leaves: float, until: float, why: str) -> None:
    now = [0.0]
    handing, notes = handing_over_at(
        now,
        _side=lambda outlook: "right" if now[0] < leaves else None,
        _is_at_thing=lambda side, within: False,
        _step=lambda side: None,
    )
    steps = (now.__setitem__(0, now[0] + 0.5) for _ in handing.run())
    with pytest.raises(MotionFailure, match="not taken"):
        deque(steps, maxlen=0)
    assert now[0] == pytest.approx(until, abs=0.6)
    assert notes == [f"gives up: no hand of user {why}"]


class HandBesideRight:
    """Somebody who holds a hand out beside where Baxter's right arm rests."""

    name = "user"

    def __init__(self, bench: Bench, wrist: tuple[float, float, float]) -> None:
        self._bench = bench
        self.links: dict[str, Any] = {}
        self.taken: list[str | None] = []
        joints = np.tile(np.array((0.3, 0.9, 1.3)), (1, 7, 1))
        joints[0, 6], joints[0, 4] = wrist, np.array(wrist) + np.array((0.0, 0.3, 0.05))
        self._joints = joints

    @property
    def outlook(self) -> PersonOutlook:
        now = self._bench.ticks / 60
        return PersonOutlook(
            now, now, "forecast", np.array((now,)), self._joints, np.zeros(1), person_speed=0.4
        )

    def take(self, name: str, body: object, side: str | None) -> None:
        self.taken.append(side)


def in_hand(arm: Arm) -> Any:
    """A thing of 4 cm at an arm's tool, for its place alone."""

    class Held:
        @property
        def pose(self) -> Any:
            return SimpleNamespace(p=arm.tcp[:3, 3] - np.array((0.0, 0.0, 0.02)))

        def compute_global_aabb_tight(self) -> Array:
            return np.stack([self.pose.p, self.pose.p + 0.04])

    return SimpleNamespace(name="block", entity=Held(), links={"body": Held()})


def handed_past_the_other_arm(away_at: float, seconds: float) -> tuple[int, bool]:
    """Looks at which Baxter's arms met, and whether the hand got what the left arm brought.

    The right one rests in the way, and is turned out of it after some seconds.
    """
    bench = Bench("baxter")
    left, right = (bench.motion.arms[side] for side in ("left", "right"))
    person = HandBesideRight(bench, (0.22, 0.0, 1.1))
    stub: Any = SimpleNamespace(
        now=lambda: bench.ticks / 60,
        note=lambda text, **record: None,
        robot=bench.robot,
        kitchen=SimpleNamespace(guards={}, ticks=0),
    )
    someone: Any = person
    handing = reactive.HandingOver(stub, left, in_hand(left), someone).run()
    out = np.stack([right.home, right.home])
    out[1, 0] -= 1.2
    turning = None
    met = 0
    while bench.ticks < seconds * 60 and not person.taken:
        next(handing, None)
        if bench.ticks >= away_at * 60:
            turning = turning or right.move(out)
            next(turning, None)
        bench.step()
        stub.kitchen.ticks = bench.ticks
        if bench.ticks % 5 == 0:
            name = bench.robot.articulation.name
            hits = bench.motion.space.contacts(bench.robot.qpos)
            met += any(one.startswith(name) and two.startswith(name) for one, two in hits)
    return met, person.taken == ["right"]


@pytest.mark.slow
def test_a_thing_is_brought_past_the_other_arm_when_that_has_gone(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    assert handed_past_the_other_arm(away_at=3.0, seconds=12.0) == (0, True)
    assert handed_past_the_other_arm(away_at=99.0, seconds=5.0) == (0, False)  # it waits
    monkeypatch.setattr(reactive.HandingOver, "_is_free", lambda self, delta: True)
    met, _ = handed_past_the_other_arm(away_at=99.0, seconds=5.0)
    assert met > 0  # it is in the way


FAULTS: dict[str, dict[str, float]] = {
    "300 ms late": {"delay": 0.3},
    "late, and nobody knows": {"delay": 0.3, "unnoticed": 0.3},
    "left and right swapped": {"swaps": 0.3},
    "jumps": {"jumps": 0.3},
    "no pose at all": {"dropout": 1.0},
    "all of it": {"delay": 0.2, "swaps": 0.2, "jumps": 0.2, "dropout": 0.3, "sigma": 0.03},
}


@pytest.mark.slow
@pytest.mark.parametrize("fault", FAULTS)
@pytest.mark.parametrize("seed", [3, 4, 5])
def test_handing_over_never_touches_a_person_by_its_own_motion(
    fault: str, seed: int, tmp_path: Path
) -> None:
    """The hand may be touched by the thing that it takes, and by nothing else."""
    starts = {"skill": "hand_over", "after": 0.5}
    spec = person(tmp_path, "offer", seed, reach=[-0.2, 0.35, 1.1], starts=starts)
    kitchen = kitchen_with({"user": spec}, jar=thing("jar", -0.05, -0.15))
    host = Noting(kitchen)
    do(host, Pick(), "pick", item="jar")
    forecast(kitchen, "steady", **FAULTS[fault])
    outcome = do(host, HandOver(), "hand_over", item="jar", person="user", seconds=40.0)
    given = "released" in "".join(map(str, (record for *_, record in host.notes)))
    print(f"{fault}, {seed}: {'given' if given else outcome and outcome.failure}")
    assert [it for it in kitchen.people["user"].contacts if it[3]] == []
    assert not (given and fault == "no pose at all")
