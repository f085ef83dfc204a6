from __future__ import annotations

import math
from dataclasses import replace

import pytest
import sapien

from tests.envs.sapien.scenes import AGENTS, OBJECTS, Told, kitchen, order
from treec_sapien.environment import SapienKitchen
from treec_sapien.worker import Physical, PhysicalAct, Steps

LYING = [math.cos(math.pi / 4), math.sin(math.pi / 4), 0.0, 0.0]


def tip(k: SapienKitchen, item: str) -> None:
    body = k.bodies[item].links["body"]
    x, y, _ = k.pose(item).p
    body.entity.pose = sapien.Pose([x, y, 0.82], LYING)
    body.wake_up()


class Tips(Physical):
    """Something falls over while it is at work for a second."""

    falls = "cup"

    def do(self, act: PhysicalAct) -> Steps:
        yield from act.wait(0.3)
        tip(act.kitchen, self.falls)
        yield from act.wait(0.7)


class Rolls(Tips):
    falls = "apple"


def near(item: str, x: float = -0.2) -> SapienKitchen:
    """The kitchen with a thing below R1's hand."""
    return kitchen({**OBJECTS, item: {**OBJECTS[item], "pose": [x, 0.0, 0.75]}})


def ended(k: SapienKitchen, worker: Physical, **args: object) -> tuple[bool, str]:
    host = Told(k)
    worker.start(order(**args), host)
    k.step(3.0)
    ((_, _, outcome),) = host.ended
    return outcome.ok, str(outcome.failure or "")


def test_what_falls_over_next_to_the_hand_makes_the_skill_a_failure() -> None:
    assert ended(near("cup"), Tips()) == (False, "knocked over: cup")


def test_with_liquid_in_it_it_has_spilled() -> None:
    full = {**OBJECTS["cup"], "pose": [-0.2, 0.0, 0.75], "liquid": True}
    assert ended(kitchen({**OBJECTS, "cup": full}), Tips()) == (False, "spilled: cup")


def test_what_the_skill_is_about_may_be_tipped() -> None:
    assert ended(near("cup"), Tips(), item="cup")[0]


def test_what_falls_far_away_was_not_its_doing() -> None:
    assert ended(near("cup", x=0.7), Tips())[0]


def test_what_cannot_stand_cannot_fall() -> None:
    assert ended(near("apple"), Rolls())[0]


def test_of_two_at_work_the_nearer_one_did_it() -> None:
    agents = {**AGENTS, "R2": {"body": {"robot": "panda", "pose": [0.9, 0, 0.75], "yaw": 180}}}
    k = kitchen({**OBJECTS, "cup": {**OBJECTS["cup"], "pose": [-0.2, 0.0, 0.75]}}, agents)
    host = Told(k)
    Tips().start(order("s1", "R1"), host)

    class Waits(Physical):
        def do(self, act: PhysicalAct) -> Steps:
            yield from act.wait(1.0)

    Waits().start(order("s2", "R2"), host)
    k.step(3.0)
    assert {id: outcome.ok for _, id, outcome in host.ended} == {"s1": False, "s2": True}


@pytest.mark.parametrize("item", ["cup", "bowl"])
def test_what_lay_at_first_has_not_fallen(item: str) -> None:
    k = near(item)
    tip(k, item)
    k.step(1.0)
    again = type(k)(replace(k.setup), None)
    assert again.falls.by(("R1",), -1, ()) is None
    assert k.falls.by(("R1",), -1, ()) is None  # nobody was at work
