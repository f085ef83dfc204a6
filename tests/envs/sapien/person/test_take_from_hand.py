from __future__ import annotations

from collections import deque
from collections.abc import Generator, Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
import sapien

from experiments.forecasting.motions import write_motion
from tests.envs.sapien.person.people import Noting, do, forecast, kitchen_with, person
from tests.skills.sapien.kitchens import AGENTS, PLACES, thing
from treec import EnvironmentSetup, Sensor, WorkOrder
from treec_sapien.bodies.pose import Pose
from treec_sapien.bodies.spec import GraspPoint
from treec_sapien.environment import SapienKitchen
from treec_sapien.motion.failure import MotionFailure
from treec_sapien.motion.timing import CONTROL
from treec_sapien.people.recordings import read_recordings
from treec_sapien.person.figure import HAND, HANDS, rotations, segments
from treec_sapien.person.setting_down import BOW, STEP, arm_over
from treec_sapien.sense.location import at
from treec_sapien.skills.get_obj_from_user import sapien as taking
from treec_sapien.skills.get_obj_from_user.sapien import GetObjFromUser
from treec_sapien.skills.hand_over.sapien import HandOver
from treec_sapien.skills.pick.sapien import Pick

AT = Sensor("at", "", (), ("table", "R1", "user"))
AT_R2 = Sensor("at", "", (), ("table", "R2", "user"))
LEVEL = (0.5, 0.5, 0.5, 0.5)
"""Turns the approach, +z, to +x."""


@pytest.mark.slow
@pytest.mark.parametrize("holds", [3.0, 10.0])
def test_a_thing_is_taken_out_of_a_hand_that_holds_it_out_again(
    holds: float, tmp_path: Path
) -> None:
    spec = person(tmp_path, "offer", reach=[-0.2, 0.35, 1.1])
    spec["starts"] = {"skill": "hand_over", "after": 0.5}
    joints = read_recordings(Path(spec["motion"]))[0].joints
    out = int(np.argmax(np.linalg.norm((joints[:, 5:] - joints[:, :1])[..., :2], axis=-1).max(1)))
    stays = np.repeat(joints[out][None], int(holds * 25), axis=0)
    write_motion(tmp_path / "holds.npz", np.concatenate([joints[:out], stays, joints[:out][::-1]]))
    spec["motion"] = str(tmp_path / "holds.npz")
    kitchen = kitchen_with({"user": spec}, jar=thing("jar", -0.05, -0.15))
    forecast(kitchen)
    host = Noting(kitchen)
    do(host, Pick(), "pick", item="jar")
    given = do(host, HandOver(), "hand_over", item="jar", person="user")
    assert given is not None
    assert given.ok
    taken = do(host, GetObjFromUser(), "get_obj_from_user", seconds=120, item="jar", person="user")
    assert taken is not None
    assert taken.ok, str(taken.failure)
    user = kitchen.people["user"]
    assert at(kitchen, AT, "jar") == "R1"
    assert not user.held
    assert not any(own for *_, own in user.contacts)
    assert kitchen.guards["R1"].giving_to is None


def test_grasps_that_are_clear_of_the_hand_come_from_its_free_side() -> None:
    """The hand is 10 cm behind the thing (+x) and points at it."""
    built: Any = SimpleNamespace(pose=lambda link: Pose())
    towards, away = (
        GraspPoint("towards", (0, 0, 0), LEVEL, 0.05),
        GraspPoint("from the hand", (0, 0, 0), (0.5, -0.5, -0.5, 0.5), 0.05),
    )
    above = GraspPoint("above", (0, 0, 0), (0, 1, 0, 0), 0.05)
    wrist, tip = np.array((0.27, 0.0, 0.0)), np.array((0.1, 0.0, 0.0))
    clear = taking.clear_grasps(built, [away, above, towards], wrist, tip)
    assert [one.name for one in clear] == ["above", "towards"]
    assert taking.clear_grasps(built, [above], wrist, tip, clear=0.03) == []  # 2.5 cm


@pytest.mark.parametrize("out", [False, True])
def test_who_does_not_hold_it_out_still_is_asked_again_but_not_for_ever(out: bool) -> None:
    now, notes, asked = [0.0], list[str](), list[object]()
    act: Any = SimpleNamespace(
        attempt=0,
        now=lambda: now[0],
        note=lambda text, says: notes.extend((text, says)),
        order=SimpleNamespace(agent="R2"),
    )
    user: Any = SimpleNamespace(
        name="user", held={"jar": None}, hold_out=lambda *args: asked.append(args)
    )
    jar: Any = SimpleNamespace(
        name="jar", entity=SimpleNamespace(pose=SimpleNamespace(p=np.zeros(3)))
    )
    it: Any = taking.TakingFromHand(act, user, jar)
    it._is_out = lambda: out
    if out:  # held out, but it shakes
        it._built.entity.pose = Shaking()
    steps = (now.__setitem__(0, now[0] + CONTROL) for _ in it.run())
    with pytest.raises(MotionFailure, match="not taken: the jar: user does not hold it out"):
        deque(steps, maxlen=0)
    assert now[0] == pytest.approx(taking.ASKS * taking.PATIENCE, abs=1.0)
    says = "Could you hold the jar out to R2 again, please?"
    assert notes == ["asks user to hold the jar out again", says] * (taking.ASKS - 1)
    assert asked


def test_a_thing_that_is_held_out_and_still_is_gone_for() -> None:
    now: list[float] = [0.0]
    act: Any = SimpleNamespace(attempt=0, now=lambda: now[0])
    user: Any = SimpleNamespace(name="user", held={"jar": None}, hold_out=lambda *args: None)
    jar: Any = SimpleNamespace(
        name="jar", entity=SimpleNamespace(pose=SimpleNamespace(p=np.zeros(3)))
    )
    it: Any = taking.TakingFromHand(act, user, jar)
    taken: list[int] = []
    it._is_out = lambda: True

    def take(number: int) -> Iterator[None]:
        taken.append(number)
        yield

    it._take = take
    deque((now.__setitem__(0, now[0] + CONTROL) for _ in it.run()), maxlen=0)
    assert taken == [0]
    assert now[0] == pytest.approx(taking.FOR, abs=3 * CONTROL)


class Shaking:
    """A pose that is another each time."""

    @property
    def p(self) -> Any:
        self.count = getattr(self, "count", 0) + 1
        return np.array((0.03 * (self.count % 2), 0.0, 0.0))


def test_who_puts_a_thing_down_comes_a_step_at_most_and_keeps_the_lengths_of_their_arm() -> None:
    joints = np.array(
        [
            *[(0, 0, 1.4), (-0.2, 0, 1.35), (0.2, 0, 1.35)],
            *[(-0.2, 0, 1.05), (0.2, 0, 1.05), (-0.2, -0.25, 1.05), (0.2, -0.25, 1.05)],
        ]
    )
    in_hand = np.array((0.15, 0.01, -0.05))
    spot = np.array((0.3, -0.7, 0.756))
    out = arm_over(joints, 1, in_hand, spot)
    assert out is not None
    lengths = [np.linalg.norm(out[a] - out[b]) for a, b in ((2, 4), (4, 6))]
    assert lengths == pytest.approx([0.3, 0.25])
    step = out[0] - joints[0]
    assert 0.0 < np.linalg.norm(step[:2]) <= STEP
    assert -BOW <= step[2] <= 0.0
    begin, end = (it[HANDS[1]] for it in segments(out))
    there = sapien.Pose(p=(begin + end) / 2, q=rotations((end - begin)[None] / HAND)[0])
    assert (there * sapien.Pose(p=in_hand)).p == pytest.approx(spot, abs=1e-5)
    assert min(begin[2], end[2]) > 0.75 + 0.045  # the hand is not in the table
    assert arm_over(joints, 1, in_hand, np.array((0.3, -2.4, 0.756))) is None


@pytest.mark.parametrize("attempt", [0, 1])
def test_a_robot_that_drives_asks_for_what_it_does_not_reach_to_be_put_down(
    attempt: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    now, notes, held = [0.0], list[str](), {"jar": None}
    arm: Any = SimpleNamespace(
        rest=lambda rng: iter(()), motion=SimpleNamespace(base=SimpleNamespace(moves=True))
    )
    act: Any = SimpleNamespace(
        attempt=attempt,
        now=lambda: now[0],
        note=lambda text, says: notes.extend((text, says)),
        order=SimpleNamespace(agent="R2"),
        seed=lambda number: number,
        arm=arm,
    )
    user: Any = SimpleNamespace(name="user", held=held, set_down=lambda how: held.clear())
    how = SimpleNamespace(place="table", way=SimpleNamespace(goes_on=lambda now: now < 7.0))
    monkeypatch.setattr(taking, "how_to_set_down", lambda *args: how)
    it: Any = taking.TakingFromHand(act, user, SimpleNamespace(name="jar"))  # type: ignore[arg-type]
    it._is_held_out = _at_once

    def take(number: int) -> Iterator[None]:
        assert not attempt  # else they had to step aside, and are asked at once
        raise MotionFailure("blocked", "user is in the way", person="user")
        yield

    it._take = take

    def run() -> Iterator[None]:
        ended.append((yield from it.run()))

    ended: list[bool] = []
    deque((now.__setitem__(0, now[0] + CONTROL) for _ in run()), maxlen=0)
    assert ended == [False]  # it is on the table, to be picked up there
    assert now[0] == pytest.approx(7.0, abs=0.1)
    assert notes == [
        "asks user to put the jar on the table",
        "I cannot reach the jar. Could you put it on the table for R2, please?",
    ]


def _at_once() -> Generator[None, None, bool]:
    return True
    yield


@pytest.mark.slow
def test_a_robot_that_drives_picks_up_what_is_put_down_for_it(tmp_path: Path) -> None:
    spec = person(tmp_path, "offer", reach=[0.1, 0.25, 1.05])
    spec["starts"] = {"skill": "hand_over"}
    setup = EnvironmentSetup(
        "sapien",
        "test",
        {**PLACES, "jar": thing("jar", 0.1, 0.2)},
        {"R2": AGENTS["R2"], "user": AGENTS["user"]},
        seed=1,
        people={"user": spec},
    )
    kitchen = SapienKitchen(setup)
    forecast(kitchen)
    user, jar = kitchen.people["user"], kitchen.bodies["jar"]
    begin, end = segments(user.joints(0.0))
    side = HANDS[1]
    held_at = end[side] + 0.06 * (end - begin)[side] / HAND - (0.0, 0.0, 0.05)
    jar.entity.pose = sapien.Pose(p=held_at)
    user.take("jar", jar.links["body"], "right")
    kitchen.step(0.5)
    host = Noting(kitchen)
    order = WorkOrder(
        "take",
        "get_obj_from_user",
        "R2",
        {"agent": "R2", "item": "jar", "person": "user"},
        5.0,
        needs={"forecast": {"person": "user"}},
    )
    GetObjFromUser().start(order, host)
    while host.outcome is None and kitchen.now < 120:
        kitchen.step(kitchen.now + 0.1)
    assert host.outcome is not None
    assert host.outcome.ok, str(host.outcome.failure)
    assert "asks user to put the jar on the table" in host.texts()
    assert at(kitchen, AT_R2, "jar") == "R2"
    assert not user.held
    assert not any(own for *_, own in user.contacts)
