"""Programs of the benchmark `ros` that were written by hand, and one that fills topics.

``python -m benchmarks.ros_programs WHAT …``, where WHAT is

* ``rclpy stop|next N|load N TOPICS``: a program on rclpy alone;
* ``py_trees_ros PERIOD stop|next N|load N TOPICS``: a tree of py_trees_ros that is ticked each
  PERIOD ms, of its own behaviours but for lines that tell the benchmark when a goal has ended;
* ``topics N TOPICS``: publishes TOPICS of N robots, each ten times a second.

``stop`` drives when words tell it to, and cancels on "stop"; ``next`` sends N goals one after the
other; ``load`` sends N goals that do not end, and keeps what its topics told last.
"""

from __future__ import annotations

import operator
import sys
from importlib.util import find_spec
from typing import Any
from unittest.mock import MagicMock

import rclpy
from rclpy.action import ActionClient
from rclpy.node import Node
from sensor_msgs.msg import BatteryState
from std_msgs.msg import String
from test_msgs.action import Fibonacci

PLACES = (5, 3)
"""The goals of `next`, in turns."""


def topics_of(robots: int, number: int) -> list[str]:
    """The topics of so many robots."""
    return [f"/R{i + 1}/battery_{j + 1}" for i in range(robots) for j in range(number)]


class Alone:
    """On rclpy alone: callbacks, and what they keep."""

    def __init__(self, node: Node) -> None:
        self.node = node
        self.ended = node.create_publisher(String, "/treec/journal", 10)
        self.handle: Any = None
        self.last: dict[str, Any] = {}
        self.feedback: dict[str, Any] = {}

    def send(self, client: Any, order: int, then: Any) -> None:
        """Send a goal; its feedback is kept."""

        def keep(message: Any) -> None:
            self.feedback[client._action_name] = message.feedback

        def answer(future: Any) -> None:
            self.handle = future.result()
            self.handle.get_result_async().add_done_callback(then)

        client.wait_for_server()
        goal = Fibonacci.Goal(order=order)
        client.send_goal_async(goal, keep).add_done_callback(answer)

    def stop(self) -> None:
        """Drive and stop by words."""
        client = ActionClient(self.node, Fibonacci, "/Hauler/drive")

        def hear(text: Any) -> None:
            if "stop" in text.data:
                self.handle.cancel_goal_async()
            else:
                self.send(client, 5, lambda _: self.ended.publish(String(data='"ended"')))

        self.node.create_subscription(String, "/treec/words", hear, 10)

    def next(self, number: str) -> None:
        """Send goals one after the other."""
        client = ActionClient(self.node, Fibonacci, "/R1/drive")
        left = [PLACES[index % 2] for index in range(int(number))]

        def go_on(_: Any = None) -> None:
            if left:
                self.send(client, left.pop(0), go_on)

        go_on()

    def load(self, number: str, topics: str) -> None:
        """Send goals that do not end, and keep what comes."""

        def keep(topic: str) -> Any:
            return lambda message: self.last.update({topic: message.percentage * 100})

        for topic in topics_of(int(number), int(topics)):
            self.node.create_subscription(BatteryState, topic, keep(topic), 10)
        for index in range(int(number)):
            client = ActionClient(self.node, Fibonacci, f"/R{index + 1}/drive")
            self.send(client, 5, lambda _: None)


def stand_in() -> None:
    """Let py_trees_ros be imported without what it imports and a tree does not use."""
    for name in ("tf2_ros", "ros2cli", "ros2topic"):
        if find_spec(name) is None:
            for module in (name, f"{name}.api", f"{name}.node", f"{name}.node.strategy"):
                sys.modules[module] = MagicMock()


class ByTree:
    """A tree of py_trees_ros."""

    def __init__(self, node: Node, period: str) -> None:
        stand_in()
        import py_trees
        import py_trees_ros

        self.node, self.period = node, float(period)
        self.trees, self.ros = py_trees, py_trees_ros

    def drive(self, robot: str, order: int = 5, tell: bool = False) -> Any:
        """A behaviour that sends a goal."""
        ended = self.node.create_publisher(String, "/treec/journal", 10) if tell else None

        class Drive(self.ros.action_clients.FromConstant):  # type: ignore[name-defined, misc]
            def get_result_callback(self, future: Any) -> None:
                super().get_result_callback(future)
                if ended is not None:
                    ended.publish(String(data='"ended"'))

        goal = Fibonacci.Goal(order=order)
        return Drive(f"drive {robot}", Fibonacci, f"/{robot}/drive", goal)

    def keep(self, topic: str, type_: Any, **variables: str) -> Any:
        """A behaviour that keeps what a topic told last."""
        (name,) = variables
        return self.ros.subscribers.ToBlackboard(
            topic,
            topic,
            type_,
            10,
            blackboard_variables=variables,
            initialise_variables={name: ""},
            clearing_policy=self.trees.common.ClearingPolicy.NEVER,
        )

    def all_of(self, children: list[Any]) -> Any:
        """All of them at once."""
        policy = self.trees.common.ParallelPolicy.SuccessOnAll(synchronise=False)
        return self.trees.composites.Parallel("all", policy=policy, children=children)

    def stop(self) -> None:
        """Drive and stop by words."""
        check = self.trees.common.ComparisonExpression
        trees = self.trees

        def said(name: str, words: str) -> Any:
            expression = check("words", words, lambda value, word: word in value)
            return trees.behaviours.CheckBlackboardVariableValue(name, expression)

        def idle(name: str, when: Any) -> Any:
            sequence = trees.composites.Sequence(name, memory=False)
            sequence.add_children([when, trees.behaviours.Running("rest")])
            return sequence

        silent = trees.behaviours.CheckBlackboardVariableValue(
            "nothing said", check("words", "", operator.eq)
        )
        choice = trees.composites.Selector("choice", memory=False)
        choice.add_children(
            [
                idle("stopped", said("stop?", "stop")),
                idle("at first", silent),
                self.drive("Hauler", tell=True),
            ]
        )
        self.run(self.all_of([self.keep("/treec/words", String, words="data"), choice]))

    def next(self, number: str) -> None:
        """Send goals one after the other."""
        sequence = self.trees.composites.Sequence("goals", memory=True)
        for index in range(int(number)):
            sequence.add_child(self.drive("R1", PLACES[index % 2]))
        self.run(
            self.trees.decorators.OneShot(
                "once", sequence, self.trees.common.OneShotPolicy.ON_COMPLETION
            )
        )

    def load(self, number: str, topics: str) -> None:
        """Send goals that do not end, and keep what comes."""
        kept = [
            self.keep(topic, BatteryState, **{topic.replace("/", "_"): "percentage"})
            for topic in topics_of(int(number), int(topics))
        ]
        self.run(self.all_of(kept + [self.drive(f"R{i + 1}") for i in range(int(number))]))

    def run(self, root: Any) -> None:
        """Tick the tree while the node is served."""
        self.tree = self.ros.trees.BehaviourTree(root)
        self.tree.setup(node=self.node, timeout=30.0)
        self.tree.tick_tock(period_ms=self.period)


def publish_topics(node: Node, robots: str, number: str) -> None:
    """Publish all topics ten times a second, each with a new value."""
    publishers = [
        node.create_publisher(BatteryState, topic, 10)
        for topic in topics_of(int(robots), int(number))
    ]
    count = 0

    def tell() -> None:
        nonlocal count
        count += 1
        for publisher in publishers:
            publisher.publish(BatteryState(percentage=count % 100 / 100))

    node.create_timer(0.1, tell)


def main(what: str, *words: str) -> None:
    """Run a program until it is killed."""
    rclpy.init()
    node = Node("treec")
    if what == "topics":
        publish_topics(node, *words)
    else:
        program: Any = Alone(node)
        if what == "py_trees_ros":
            program, words = ByTree(node, words[0]), words[1:]
        getattr(program, words[0])(*words[1:])
    print("ready", flush=True)
    rclpy.spin(node)


if __name__ == "__main__":
    main(*sys.argv[1:])
