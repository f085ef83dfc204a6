"""What goes over the wire, as a peer sees it that is not ROS: CycloneDDS."""

from __future__ import annotations

from collections.abc import Callable
from importlib.util import find_spec
from typing import Any

import pytest

from tests.ros.robot_type import Robot
from tests.ros.support import Yard, wait_until
from tests.ros.test_hazards import UNTIL_HALF

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
    """Its states, as the server tells everybody: among the last ones cancelling, and canceled."""
    from tests.ros.wire import GoalStatusArray

    arrays = peer.read("rt/R1/drive/_action/status", GoalStatusArray, is_late=True)
    one = robot(behaviour="endless")

    def states() -> list[tuple[str, int]]:
        return [
            (bytes(it.goal_info.goal_id.uuid).hex()[:8], it.status)
            for array in arrays()
            for it in array.status_list
        ]

    def halt() -> None:
        one.wait_for("begins")
        wait_until(states)
        one.tell_charge(0.5)
        wait_until(lambda: states()[-1][1] == 5)

    assert not yard.go(yard.tree(UNTIL_HALF), halt).ok
    assert list(dict.fromkeys(status for _, status in states()))[-2:] == [3, 5]
    (id,) = {id for id, _ in states()}
    assert {it.record["goal"] for it in yard.events if hasattr(it, "record")} == {id}


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
