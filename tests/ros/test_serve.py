"""treec as a node: a tree as an action, words in, the journal out."""

from __future__ import annotations

import json
import os
import threading
from collections.abc import Callable, Iterator
from typing import Any

import pytest

from tests.ros.robot_type import Robot
from tests.ros.support import LIMIT, Yard, wait_until
from treec.files.library import load_library

Make = Callable[..., Robot]
COUNT = """\
tree: count
about: Drives, if it is told to count to five.
ports: {order: in number}
root:
  - check: order == 5
  - {skill: drive, with: {agent: R1, place: gate}}
"""


@pytest.fixture
def serve(yard: Yard) -> Iterator[Callable[..., Any]]:
    made: list[Any] = []

    def make(name: str, **more: Any) -> Any:
        from treec_ros.serve import TreecNode

        os.environ["ROS_DOMAIN_ID"] = str(yard.domain)
        made.append(TreecNode(load_library(yard.root), name, runs=yard.folder, **more))
        return made[-1]

    yield make
    for one in made:
        one.close()


class Client:
    """Another node, which sends goals for a tree and listens to the journal."""

    def __init__(self, robot: Robot) -> None:
        from rclpy.action import ActionClient
        from rclpy.qos import DurabilityPolicy, QoSProfile
        from std_msgs.msg import String
        from test_msgs.action import Fibonacci

        self.kinds: list[str] = []
        self.changed = threading.Condition()
        self.robot = robot
        self.client = ActionClient(robot.node, Fibonacci, "/treec/run")
        late = QoSProfile(depth=100, durability=DurabilityPolicy.TRANSIENT_LOCAL)
        robot.node.create_subscription(String, "/treec/journal", self._take, late)
        self.words = robot.node.create_publisher(String, "/treec/words", 10)

    def _take(self, text: Any) -> None:
        with self.changed:
            self.kinds.append(json.loads(text.data)["kind"])
            self.changed.notify_all()

    def wait_for(self, kind: str) -> None:
        with self.changed:
            assert self.changed.wait_for(lambda: kind in self.kinds, LIMIT), self.kinds

    def send(self, order: int) -> Any:
        from test_msgs.action import Fibonacci

        assert self.client.wait_for_server(LIMIT)
        return wait(self.client.send_goal_async(Fibonacci.Goal(order=order)))


def wait(future: Any) -> Any:
    done = threading.Event()
    future.add_done_callback(lambda future: done.set())
    assert done.wait(LIMIT)
    return future.result()


def test_a_tree_is_an_action(yard: Yard, robot: Make, serve: Callable[..., Any]) -> None:
    (yard.root / "count.tree.yaml").write_text(COUNT, "utf-8")
    one = robot()
    serve("count", action="test_msgs/action/Fibonacci")
    client = Client(one)
    statuses = [wait(client.send(order).get_result_async()).status for order in (5, 4)]
    assert statuses == [4, 6]  # succeeded, aborted
    assert one.log == ["goal 5", "begins", "arrived"]
    client.wait_for("run.end")
    assert client.kinds.index("skill.started") < client.kinds.index("skill.noted")


def test_words_that_come_before_the_run_has_begun_are_said_once_it_has(
    yard: Yard, robot: Make, serve: Callable[..., Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    from std_msgs.msg import String

    from treec_ros.serve import TreecNode

    client, start = Client(robot(behaviour="endless")), TreecNode._start

    def start_late(node: Any, **what: Any) -> Any:
        wait_until(client.words.get_subscription_count)
        client.words.publish(String(data="R1, stop!"))
        wait_until(lambda: node._early)
        return start(node, **what)

    monkeypatch.setattr(TreecNode, "_start", start_late)
    serve("yard")
    client.wait_for("said")


def test_a_cancelled_goal_stops_the_robot(
    yard: Yard, robot: Make, serve: Callable[..., Any]
) -> None:
    (yard.root / "count.tree.yaml").write_text(COUNT, "utf-8")
    one = robot(behaviour="endless")
    serve("count", action="test_msgs/action/Fibonacci")
    handle = Client(one).send(5)
    one.wait_for("begins")
    wait(handle.cancel_goal_async())
    assert wait(handle.get_result_async()).status == 5  # canceled
    assert one.log[-1] == "stopped"
