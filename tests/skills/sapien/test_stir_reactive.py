"""Stirring beside a person: when and where to the arm makes room, and how it stops."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

pytest.importorskip("sapien")

from tests.envs.sapien.person.people import Noting, forecast, kitchen_with, person
from treec import WorkOrder
from treec_sapien.environment import SapienKitchen
from treec_sapien.motion.arm import Arm
from treec_sapien.motion.space import Space
from treec_sapien.person.outlook import PersonOutlook
from treec_sapien.skills.stir import reactive
from treec_sapien.skills.stir.reactive import GRACE, Overtaken, PotSpace, ReactiveStirring
from treec_sapien.worker import PhysicalAct

pytestmark = pytest.mark.thorough


POT = PotSpace(np.array((0.0, 0.0)), 0.1, 0.75, 0.85)


class TurningWay:
    """A way to stir that turns the first joint."""

    def __init__(self, kitchen: SapienKitchen) -> None:
        arm = kitchen.arm("R1")
        q = arm.robot.qpos[arm.robot.indices(arm.chain.names)]
        self._chain = np.stack([q, q])
        self._chain[1, arm.chain.where(arm.about.joints)[0]] += 0.3

    def part(self, number: int) -> Any:
        return self._chain[::-1] if number % 2 else self._chain


@pytest.fixture
def kitchen(tmp_path: Path) -> SapienKitchen:
    """Somebody far away stands there for good."""
    kitchen = kitchen_with({"user": person(tmp_path, reach=[3.0, 3.0, 0.9], frames=(60, 62))})
    forecast(kitchen)
    return kitchen


@pytest.fixture
def stirring(kitchen: SapienKitchen, monkeypatch: pytest.MonkeyPatch) -> ReactiveStirring:
    """Nothing is held, and there is no way out to anywhere."""
    monkeypatch.setattr(reactive, "held_body", lambda act, tool: None)
    monkeypatch.setattr(Space, "all_free", lambda self, rows: False)
    monkeypatch.setattr(Space, "free", lambda self, q: True)
    monkeypatch.setattr(Arm, "path_to", lambda self, goals, rng: None)
    needs = {"forecast": {"person": "user"}}
    order = WorkOrder("s1", "stir", "R1", {"agent": "R1", "tool": "ladle"}, 1.0, needs=needs)
    act = PhysicalAct(order, kitchen, Noting(kitchen))
    found: Any = TurningWay(kitchen)
    return ReactiveStirring(
        act, kitchen.arm("R1"), found, lambda: POT, None, np.random.default_rng(0)
    )


def test_without_a_way_out_the_arm_stays_where_it_is(
    kitchen: SapienKitchen, stirring: ReactiveStirring
) -> None:
    arm = kitchen.arm("R1")
    (path,) = stirring._ways
    assert path == pytest.approx(arm.robot.qpos[arm.joints][None])


def test_a_way_farther_is_looked_for_in_vain_once_for_each_place_of_the_person(
    stirring: ReactiveStirring, monkeypatch: pytest.MonkeyPatch
) -> None:
    looked: list[float] = []
    monkeypatch.setattr(reactive, "straight_ways", lambda *args: looked.append(1.0) or [])
    monkeypatch.setattr(stirring, "_is_above", lambda: True)
    monkeypatch.setattr(stirring._judge, "clearance", lambda *args: 0.0)
    room: Any = SimpleNamespace(rows=np.zeros((3, 7)), place=2.0)
    joints = np.zeros((5, 7, 3))
    outlook = PersonOutlook(0.0, 0.0, "forecast", np.arange(5.0), joints, np.zeros(5))
    for moved in (0.0, 0.0, 0.02, 0.1, 0.1):
        stirring._person.outlook = replace(outlook, joints=joints + moved)
        assert stirring._farther(room, is_free=True) is None
    assert len(looked) == 2


def test_stopped_half_way_the_joints_are_driven_no_further(
    kitchen: SapienKitchen, stirring: ReactiveStirring, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(stirring, "_look", lambda: None)
    monkeypatch.setattr(kitchen.arm("R1").motion, "guard", None)
    robot = kitchen.robots["R1"]
    joints = [robot.joint(name) for name in kitchen.arm("R1").about.joints]
    steps = stirring.run(1, 1.0)
    for _ in range(20):
        next(steps)
        kitchen.physics()
        kitchen.ticks += 1
    assert max(abs(joint.drive_velocity_target[0]) for joint in joints) > 0.05
    steps.close()
    assert [float(joint.drive_velocity_target[0]) for joint in joints] == [0.0] * len(joints)


def with_hand_at(*places: tuple[float, float, float], **more: Any) -> PersonOutlook:
    """Somebody beside the pot whose right hand is forecast to be at these places."""
    joints = np.array([(1, 0.9, 1.4), (1, 1.1, 1.4), (1, 0.7, 1.4), *[(1, 0.9, 1)] * 4], float)
    every = np.repeat(joints[None], len(places), axis=0)
    every[:, 6] = places
    every[:, 4] = every[:, 6] + np.array((0.0, 0.25, 0.0))
    times = np.linspace(0.0, 1.0, len(places))
    return PersonOutlook(
        0.0, 0.0, "forecast", times, every, np.zeros(len(places)), **{"person_speed": 0.4, **more}
    )


def test_room_is_made_for_who_goes_on_otherwise_than_forecast() -> None:
    stays = with_hand_at((0.6, 0.3, 1.0), (0.6, 0.3, 1.0))
    comes = with_hand_at((0.6, 0.3, 1.0), (0.0, 0.0, 1.0))
    assert POT.room(stays, 0.0) > 0.1
    assert POT.room(comes, 0.0) < 0
    assert POT.room(replace(stays, onward=comes.joints), 0.0) == POT.room(comes, 0.0)


def test_room_is_made_for_where_a_hidden_hand_may_be() -> None:
    seen = with_hand_at((0.6, 0.3, 1.0), (0.6, 0.3, 1.0))
    wider = np.zeros(9)
    wider[8] = 0.25  # the right hand
    assert POT.room(replace(seen, wider=wider), 0.0) == pytest.approx(POT.room(seen, 0.0) - 0.25)


def test_room_is_made_for_a_hand_that_comes_to_the_arm_at_work() -> None:
    passes = with_hand_at((-0.6, -0.1, 1.1), (-0.6, -0.1, 1.1))
    arm = np.array([[(-0.6, 0.0, 1.1)]]), np.array([[(-0.2, 0.0, 1.1)]]), np.array([0.05])
    assert POT.room(passes, 0.0) > 0.1
    assert POT.room(passes, 0.0, arm) < 0


@pytest.mark.parametrize(("basis", "later", "reacts"), [
    ("forecast", 0.0, True),
    ("present", 0.0, False),
    ("present", GRACE + 0.1, True),
])  # fmt: skip
def test_poses_that_are_late_for_a_moment_stop_the_arm_and_no_more(
    basis: Any, later: float, reacts: bool, stirring: ReactiveStirring
) -> None:
    """It is out of the container only if they stay away; where a hand comes, at once."""
    person, act = stirring._person, stirring._act
    stirring._at_work = np.zeros((1, 1, 3)) + 9.0, np.zeros((1, 1, 3)) + 9.0, np.zeros(1)
    person.outlook = with_hand_at((0.9, 0.9, 1.0))
    stirring._look()
    assert not stirring._waits
    act.now = lambda: later  # type: ignore[method-assign]
    person.outlook = replace(with_hand_at((0.05, 0.0, 1.0)), basis=basis)
    stirring._look()
    assert stirring._waits
    assert stirring._is_free is not reacts


def test_a_container_that_was_pushed_away_is_stirred_where_it_is_now(
    kitchen: SapienKitchen, stirring: ReactiveStirring, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Not where it was: the arm would wait there for who has long gone, or stir the air."""
    pot: Any = SimpleNamespace(pose=SimpleNamespace(p=np.array((0.5, 0.3, 0.75))))
    monkeypatch.setattr(stirring, "_container", pot)
    monkeypatch.setattr(stirring, "_where", np.array((-0.3, 0.3, 0.75)))
    monkeypatch.setattr(stirring, "_look", lambda: False)
    monkeypatch.setattr(stirring, "_is_above", lambda: True)
    monkeypatch.setattr(stirring, "_is_passable", lambda rail, way: True)
    monkeypatch.setattr(stirring, "_best", lambda ways, lifted=1: None)
    monkeypatch.setattr(stirring, "_up", lambda: kitchen.arm("R1").home[None])
    with pytest.raises(Overtaken):
        next(stirring._make_room())
