"""What goes over the wire, as a peer sees it that is not ROS: CycloneDDS."""

from __future__ import annotations

from collections.abc import Callable
from importlib.util import find_spec
from typing import Any

import pytest

from tests.ros.robot_type import Robot
from tests.ros.support import Yard, wait_until

Make = Callable[..., Robot]


@pytest.fixture
def peer(yard: Yard) -> Any:
    if find_spec("cyclonedds") is None:
        pytest.skip("cyclonedds is not installed here: `make test-ros` runs this test")
    from tests.ros.wire import Peer

    return Peer(yard.domain)


def test_what_becomes_of_a_goal_is_seen_with_the_id_that_the_journal_has(
    yard: Yard, robot: Make, peer: Any
) -> None:
    """Of one goal at least: a peer misses what is sent before both sides have found each other."""
    from tests.ros import wire

    action = "/R1/drive/_action"
    goals = peer.overhear(f"{action}/send_goal", wire.SendGoal, wire.SendGoalReply)
    cancels = peer.overhear(f"{action}/cancel_goal", wire.CancelGoal, wire.CancelGoalReply)
    feedback = peer.read(f"rt{action}/feedback", wire.FeedbackMessage)
    arrays = peer.read(f"rt{action}/status", wire.GoalStatusArray, is_late=True)
    yard.edit("drive.skill.yaml", "timeout: 5s", "timeout: 200ms")
    robot(behaviour="endless")

    def heard() -> dict[str, list[int]]:
        """The states of goals of which all is known."""
        asked = {it.goal_id.uuid.hex()[:8] for it in goals() if it.goal.order == 5}
        asked &= {it.goal_info.goal_id.uuid.hex()[:8] for it in cancels()}
        asked &= {it.goal_id.uuid.hex()[:8] for it in feedback() if list(it.feedback.sequence)}
        found: dict[str, list[int]] = {}
        for array in arrays():
            for one in array.status_list:
                found.setdefault(one.goal_info.goal_id.uuid.hex()[:8], []).append(one.status)
        return {id: states for id, states in found.items() if id in asked and states[-1] == 5}

    def listen() -> None:
        wait_until(heard)
        yard.run.loop.stop()

    tree = "skill: drive\nwith: {agent: R1, place: gate}\nretry: {times: 200, every: 50ms}"
    yard.go(yard.tree(tree), listen)
    (id, states), *_ = heard().items()
    assert list(dict.fromkeys(states))[-2:] == [3, 5]
    assert id in {it.record["goal"] for it in yard.events if hasattr(it, "record")}


def test_a_server_whose_requests_somebody_else_reads_is_not_ready_which_is_said(
    yard: Yard, robot: Make, peer: Any
) -> None:
    """Fast DDS takes a service for there only if as many read requests as write replies."""
    from tests.ros.wire import SendGoal

    yard.edit("drive.skill.yaml", "accept: 5s", "accept: 1s")
    requests = peer.read("rq/R1/drive/_action/send_goalRequest", SendGoal)
    one = robot()
    tree = """
sequence:
  - {wait: {until: battery(R1) == 50}}
  - {skill: drive, with: {agent: R1, place: gate}}
"""

    def tell() -> None:
        name = "rq/R1/drive/_action/send_goalRequest"

        def readers() -> int:
            return len(yard.ros.node.get_subscriptions_info_by_topic(name, no_mangle=True))

        wait_until(lambda: yard.is_open and readers() == 2)
        one.tell_charge(0.5)

    assert not yard.go(yard.tree(tree), tell).ok
    assert yard.reason == (
        "the server of /R1/drive is not ready within 1 s: "
        "a part of it is missing, or another program reads its requests"
    )
    assert (one.log, requests()) == ([], [])


def test_messages_of_another_version_are_named_and_not_taken(yard: Yard, peer: Any) -> None:
    from tests.ros.wire import OtherBattery

    writer = peer.writer("rt/R1/battery", OtherBattery, "ab" * 32)

    def tell() -> None:
        wait_until(lambda: yard.words or writer.write(OtherBattery(12)))
        yard.run.loop.stop()

    yard.go(yard.tree("wait: 1m"), tell)
    words = "/R1/battery: a publisher has sensor_msgs/msg/BatteryState of another version; "
    assert yard.words[0].startswith(words)
    assert yard.values("battery") == []


def test_no_goal_is_sent_to_a_server_of_another_version(yard: Yard, robot: Make, peer: Any) -> None:
    """Another program claims to give feedback of a type of the same name, beside the server."""
    from tests.ros.wire import OtherFeedback

    one = robot()
    writer = peer.writer("rt/R1/drive/_action/feedback", OtherFeedback, "ab" * 32)
    tree = """
sequence:
  - {wait: {until: battery(R1) == 50}}
  - {skill: drive, with: {agent: R1, place: gate}}
"""

    def tell() -> None:
        topic = "/R1/drive/_action/feedback"
        wait_until(lambda: yard.is_open and yard.ros.node.count_publishers(topic) == 2)
        one.tell_charge(0.5)

    assert not yard.go(yard.tree(tree), tell).ok
    assert yard.reason == (
        "the server of /R1/drive has test_msgs/action/Fibonacci of another version"
    )
    assert yard.noted == ["ended never sent"]
    assert one.log == []
    del writer
