"""Skills that YAML alone binds to an action, a service or a topic; facts that a topic tells."""

from __future__ import annotations

from collections.abc import Callable

from tests.ros.robot_type import Robot
from tests.ros.support import Yard, wait_until

Make = Callable[..., Robot]
LIGHT = "skill: light\nwith: {agent: R1}"


def test_an_action_is_a_skill(yard: Yard, robot: Make) -> None:
    one = robot()
    assert yard.go("main").ok
    assert one.log == ["goal 5", "begins", "arrived"]
    assert yard.noted == ["sent", "accepted", "ended succeeded"]
    assert yard.values("near") == ["gate"]
    assert yard.values("progress")[-1] == 4  # of the result; of feedback before


def test_feedback_becomes_facts(yard: Yard, robot: Make) -> None:
    yard.edit("drive.skill.yaml", "every: 50ms", "every: 1ms")
    one = robot(behaviour="slow")

    def go_on() -> None:
        one.wait_for("begins")
        wait_until(lambda: yard.run.world.facts.get("progress", ("R1",)))
        one.go_on.set()

    assert yard.go("main", go_on).ok
    assert yard.values("progress")[0] == 2


def test_a_result_may_be_a_failure(yard: Yard, robot: Make) -> None:
    robot(behaviour="fails")
    assert not yard.go("main").ok
    assert yard.reason == "drove 0 metres (succeeded)"
    assert yard.values("near") == []


def test_a_service_is_a_skill(yard: Yard, robot: Make) -> None:
    one = robot()
    assert yard.go(yard.tree(LIGHT)).ok
    assert one.log == ["lamp True"]
    assert yard.values("lamp") == [True]


def test_a_service_says_why_not(yard: Yard, robot: Make) -> None:
    robot(behaviour="rejects")
    assert not yard.go(yard.tree(LIGHT)).ok
    assert yard.reason == "the bulb is broken"


def test_a_message_is_a_skill(yard: Yard, robot: Make) -> None:
    one = robot()
    assert yard.go(yard.tree("skill: honk\nwith: {agent: R1, words: toot}")).ok
    one.wait_for("horn toot")


def test_a_message_that_nobody_hears_is_a_failure(yard: Yard) -> None:
    yard.edit("honk.skill.yaml", "accept: 5s", "accept: 300ms")
    assert not yard.go(yard.tree("skill: honk\nwith: {agent: R1, words: toot}")).ok
    assert yard.reason == "nobody listens to /R1/horn (0.3 s)"


def test_a_fact_is_told_by_a_topic_and_is_unknown_once_it_is_old(yard: Yard, robot: Make) -> None:
    yard.edit("yard.domain.yaml", "age: 3s", "age: 100ms")
    one = robot()
    tree = """
selector:
  - {wait: 1m, while: battery(R1) != 50}
  - {wait: 1m, while: battery(R1) == 50}
"""

    yard.go(yard.tree(tree), lambda: one.tell_charge(0.5))
    assert yard.values("battery") == [50.0, None]


def test_two_robots_act_at_once(yard: Yard, robot: Make) -> None:
    first, second = robot("R1", "slow"), robot("R2", "slow")
    tree = """
parallel:
  - {skill: drive, with: {agent: R1, place: gate}}
  - {skill: drive, with: {agent: R2, place: shed}}
"""

    def go_on() -> None:
        first.wait_for("begins")
        second.wait_for("begins")
        first.go_on.set()
        second.go_on.set()

    assert yard.go(yard.tree(tree), go_on).ok
    assert sorted(map(str, yard.values("near"))) == ["gate", "shed"]
