from __future__ import annotations

from dataclasses import replace
from typing import ClassVar

import numpy as np
import pytest

from tests.envs.sapien.scenes import OBJECTS, Told, kitchen, order
from treec import Effect, Sensor
from treec.nodes.worker import FaultHit
from treec_sapien.sense import location
from treec_sapien.worker import MotionFailure, Physical, PhysicalAct, Steps


class Waits(Physical):
    """Takes a second, and notes at which control step it goes on."""

    log: ClassVar[list[tuple[str, int]]] = []

    def do(self, act: PhysicalAct) -> Steps:
        for _ in range(60):
            self.log.append((act.order.id, act.kitchen.ticks))
            yield


class Waves(Physical):
    """Swings the Panda's first joint for ever."""

    def do(self, act: PhysicalAct) -> Steps:
        step = 0
        while True:
            step += 1
            act.robot.drive_to(["panda_joint1"], [0.02 * step])
            yield


class Slips(Physical):
    unless = "dropped"

    def do(self, act: PhysicalAct) -> Steps:
        yield
        raise MotionFailure("slipped")


class Obstructed(Physical):
    """Cannot reach it at first."""

    tries = 0
    seeds: ClassVar[set[int]] = set()

    def do(self, act: PhysicalAct) -> Steps:
        yield
        Obstructed.tries += 1
        Obstructed.seeds.add(act.seed())
        if Obstructed.tries < 3:
            raise MotionFailure("not reached", "by the arm from anywhere")


class Crashes(Physical):
    def do(self, act: PhysicalAct) -> Steps:
        yield
        raise RuntimeError("no solution")


class Draws(Physical):
    def do(self, act: PhysicalAct) -> Steps:
        self.drawn = (act.rng.random(), act.seed(0), act.seed(1))
        yield


@pytest.fixture(autouse=True)
def quiet() -> None:
    Waits.log.clear()


def test_a_worker_goes_on_by_one_control_step_each_sixtieth_of_a_second() -> None:
    k = kitchen()
    host = Told(k)
    Waits().start(order(), host)
    assert k.busy
    assert k.step(5.0) == pytest.approx(61 / 60)  # in the 61st step it ends
    assert [tick for _, tick in Waits.log] == list(range(60))
    ((_, id, outcome),) = host.ended
    assert (id, outcome.ok) == ("s1", True)
    assert not k.busy
    assert k.step(5.0) == 5.0


def test_workers_go_on_in_the_order_in_which_they_began() -> None:
    k = kitchen()
    host = Told(k)
    for id in ("s2", "s1"):
        Waits().start(order(id), host)
    k.step(2 / 60)
    assert [id for id, _ in Waits.log] == ["s2", "s1", "s2", "s1"]


def test_a_time_between_two_control_steps_is_come_to_all_the_same() -> None:
    k = kitchen()
    assert k.step(0.51) == 0.51
    Waits().start(order(), Told(k))
    assert k.step(0.52) == 0.52
    assert k.ticks == 31


def test_at_rest_time_passes_without_physics() -> None:
    k = kitchen()
    k.step(2.0)
    assert k.at_rest()
    steps: list[None] = []
    k.physics = lambda: steps.append(None)  # type: ignore[method-assign]
    assert k.step(3600.0) == 3600.0
    assert steps == []
    assert k.now == 3600.0


def test_what_falls_is_no_rest() -> None:
    k = kitchen()
    apple = k.bodies["apple"].links["body"]
    apple.entity.pose = type(apple.entity.pose)([0.2, 0.0, 1.5])
    apple.wake_up()
    assert not k.at_rest()
    k.step(2.0)
    assert 0.7 < k.pose("apple").p[2] < 0.8


@pytest.mark.parametrize(("other", "tries"), [(True, 3), (False, 1)])
def test_what_another_robot_may_be_in_the_way_of_is_tried_again(
    monkeypatch: pytest.MonkeyPatch, other: bool, tries: int
) -> None:
    k = kitchen()
    monkeypatch.setattr(k, "may_be_obstructed", lambda robot: other)
    Obstructed.tries = 0
    Obstructed.seeds = set()
    host = Told(k)
    Obstructed().start(order(), host)
    k.step(k.now + 10.0)
    assert Obstructed.tries == len(Obstructed.seeds) == tries  # with other random choices
    assert [outcome.ok for *_, outcome in host.ended] == [other]


@pytest.mark.parametrize(("worker", "reason"), [(Slips, "slipped"), (Crashes, "no solution")])
def test_a_failure_has_its_reason(worker: type[Physical], reason: str) -> None:
    k = kitchen()
    host = Told(k)
    worker().start(order(), host)
    k.step(1.0)
    ((time, _, outcome),) = host.ended
    assert not outcome.ok
    assert reason in str(outcome.failure)
    assert time == pytest.approx(1 / 60)


def test_stopped_the_arm_is_at_rest_within_a_tenth_of_a_second() -> None:
    k = kitchen()
    worker = Waves()
    worker.start(order(), Told(k))
    k.step(0.5)
    arm = k.robots["R1"].articulation
    assert abs(arm.qvel).max() > 0.5
    assert not k.is_at_rest("R1")
    assert str(worker.cancel().failure) == "cancelled"
    assert not k.busy
    k.step(0.6)
    assert abs(arm.qvel).max() < 0.02
    assert k.is_at_rest("R1")
    before = np.array(arm.qpos)
    k.step(1.6)
    assert np.abs(arm.qpos - before).max() < 0.005


def test_a_planned_fault_ends_it_at_its_part_of_the_time() -> None:
    k = kitchen()
    host = Told(k)
    Waves().start(replace(order(), fault=FaultHit("wheel stuck", 0.5)), host)
    k.step(5.0)
    ((time, _, outcome),) = host.ended
    assert (outcome.ok, str(outcome.failure)) == (False, "wheel stuck")
    assert time == pytest.approx(0.5, abs=0.02)


def test_chance_is_the_orders_own() -> None:
    drawn = []
    for id in ("s1", "s1", "s2"):
        k = kitchen()
        worker = Draws()
        worker.start(order(id), Told(k))
        k.step(0.1)
        drawn.append(worker.drawn)
    assert drawn[0] == drawn[1]
    assert drawn[0] != drawn[2]
    assert len({drawn[0][1], drawn[0][2]}) == 2


def test_all_facts_with_a_sensor_are_sensed() -> None:
    at = Sensor("at", "treec_sapien.sense.location:at", (("apple",), ("table",)), ("table", "R1"))
    holding = Sensor(
        "holding", "treec_sapien.sense.hands:holding", (("R1",), ("user",)), ("apple",)
    )
    k = kitchen(sensors=(at, holding))
    assert k.sense() == (
        Effect("at", ("apple",), "table", "sensed"),
        Effect("holding", ("R1",), None, "unknown"),
    )


def test_a_scene_without_bodies_is_refused() -> None:
    with pytest.raises(ValueError, match="no object of the scene 'small' has a 'body:'"):
        kitchen({"table": {"type": "Place"}})


def test_two_kitchens_do_the_same() -> None:
    seen = []
    for _ in range(2):
        k = kitchen()
        Waves().start(order(), Told(k))
        k.step(1.0)
        seen.append((k.robots["R1"].qpos.tobytes(), k.pose("apple"), k.pose("cup")))
    assert seen[0] == seen[1]


def test_things_stand_at_the_start_where_the_facts_say() -> None:
    """A task may have the apple in the bowl and the door open, whatever the scene's file says."""
    k = kitchen(
        OBJECTS, facts=(Effect("at", ("apple",), "bowl"), Effect("opened", ("oven_door",), True))
    )
    x, y, z = k.pose("apple").p
    assert (abs(x) < 0.05, abs(y - 0.15) < 0.05, z > 0.75) == (True, True, True)
    built, joint = k.joint_of("oven_door") or pytest.fail("no door")
    assert built.position(joint) > 1.0


def test_what_a_person_has_moved_is_put_where_they_say() -> None:
    k = kitchen()
    built, joint = k.joint_of("oven_door") or pytest.fail("no door")
    k.notify((Effect("at", ("apple",), "bowl"), Effect("opened", ("oven_door",), True)))
    k.step(1.0)
    assert location.at(k, Sensor("at", "", (), ("bowl", "table")), "apple") == "bowl"
    assert built.position(joint) > 1.0
    k.notify((Effect("opened", ("oven_door",), False), Effect("running", ("oven",), True)))
    assert built.position(joint) < 0.1
    assert k.machines["oven"].running


def test_what_was_taken_away_is_nowhere_until_somebody_brings_it_back() -> None:
    k = kitchen()
    places = Sensor("at", "", (), ("bowl", "table"))
    k.notify((Effect("at", ("apple",), None, "unknown"),))
    k.step(1.0)
    assert location.at(k, places, "apple") is None
    assert location.fallen(k, Sensor("fallen", "", ()), "apple") is False
    k.notify((Effect("at", ("apple",), "table"),))
    k.step(2.0)
    assert location.at(k, places, "apple") == "table"


def test_what_has_fallen_lies_on_the_floor_beside_where_it_was() -> None:
    k = kitchen()
    k.notify((Effect("at", ("cup",), None, "unknown"), Effect("fallen", ("cup",), True)))
    k.step(1.0)
    assert location.fallen(k, Sensor("fallen", "", ()), "cup") is True
    low, high = location.box(k, "table")
    x, y, _ = k.pose("cup").p
    assert not (low[0] < x < high[0] and low[1] < y < high[1])  # not below the table
    assert max(abs(x), abs(y)) < 2


def test_what_is_there_already_is_left_alone() -> None:
    k = kitchen()
    before = k.pose("apple")
    k.notify((Effect("at", ("apple",), "table"), Effect("at", ("cup",), "nowhere")))
    assert k.pose("apple") == before
    assert location.at(k, Sensor("at", "", (), ("table",)), "cup") == "table"
