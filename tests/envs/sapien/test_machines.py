from __future__ import annotations

import sapien

from tests.envs.sapien.scenes import kitchen, sensor
from treec_sapien.environment import SapienKitchen
from treec_sapien.machines import treatments
from treec_sapien.sense.machines import running
from treec_sapien.sense.unsensed import UNSENSED

RUNNING = sensor("running")


def stand(k: SapienKitchen, joint: str, position: float) -> None:
    built = k.bodies["oven"]
    qpos = built.articulation.qpos
    qpos[list(built.joints).index(joint)] = position
    built.articulation.qpos = qpos


def press(k: SapienKitchen) -> None:
    """Push the oven's button in; its spring brings it out again."""
    stand(k, "button", 0.008)
    k.machines["oven"].look(k)
    k.step(k.now + 0.1)
    for _ in range(30):
        k.physics()
    k.machines["oven"].look(k)


def test_a_button_switches_on_and_off() -> None:
    k = kitchen()
    assert running(k, RUNNING, "oven") is False
    press(k)
    assert running(k, RUNNING, "oven") is True
    assert not k.at_rest()
    press(k)
    assert running(k, RUNNING, "oven") is False
    assert running(k, RUNNING, "table") is UNSENSED


def test_with_its_door_open_it_cannot_be_switched_on() -> None:
    k = kitchen()
    stand(k, "door", 1.8)
    press(k)
    assert running(k, RUNNING, "oven") is False


def test_opened_while_it_runs_it_stops() -> None:
    k = kitchen()
    press(k)
    stand(k, "door", 1.8)
    k.machines["oven"].look(k)
    assert running(k, RUNNING, "oven") is False


def test_what_is_in_it_long_enough_while_it_runs_is_heated() -> None:
    k = kitchen()
    body = k.bodies["apple"].links["body"]
    body.entity.pose = sapien.Pose([0.45, 0.15, 0.78])
    body.wake_up()
    k.step(4.0)
    assert treatments(k, "apple") == []
    press(k)
    k.step(k.now + 2.0)
    assert treatments(k, "apple") == []
    k.step(k.now + 2.0)
    assert treatments(k, "apple") == ["heated"]
    assert treatments(k, "cup") == []
