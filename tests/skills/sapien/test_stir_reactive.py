"""Stirring beside a person: where the arm makes room to, and how it stops."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

pytest.importorskip("sapien")

from tests.envs.sapien.person.people import Noting, forecast, kitchen_with, person
from treec import WorkOrder
from treec.envs.sapien.environment import SapienKitchen
from treec.envs.sapien.motion.arm import Arm
from treec.envs.sapien.motion.space import Space
from treec.envs.sapien.worker import PhysicalAct
from treec.skills.stir import reactive
from treec.skills.stir.reactive import ReactiveStirring

pytestmark = pytest.mark.thorough


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
    space: Any = None
    return ReactiveStirring(act, kitchen.arm("R1"), found, space, None, np.random.default_rng(0))


def test_without_a_way_out_the_arm_stays_where_it_is(
    kitchen: SapienKitchen, stirring: ReactiveStirring
) -> None:
    arm = kitchen.arm("R1")
    ((path, _),) = stirring._ways
    assert path == pytest.approx(arm.robot.qpos[arm.joints][None])


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
