"""A robot in another program: an action server, a service and topics, which misbehave as told.

`python -m tests.ros.robot R1[,R2…] [behaviour]` runs them; tests in the same process use `Robot`.
Behaviours of the action server: `good`, `rejects`, `mute` (never answers a goal), `endless` (never
finishes), `calm` (the same, with feedback ten times a second), `stubborn` (refuses to cancel),
`aborts`, `fails` (succeeds with an empty result), `late` (accepts when it is told to), `slow` (lets
steps pass until it is told to go on), `heavy` (comes to a stand when it is told to), `single` (the
goal before is aborted when another one comes, as a navigator does), `withholds` (succeeds,
and gives its result when it is told to).
"""

from __future__ import annotations

import contextlib
import os
import sys
import threading
import time
from typing import Any

import rclpy
from action_msgs.srv import CancelGoal
from builtin_interfaces.msg import Time
from rclpy.action import ActionClient, ActionServer, CancelResponse, GoalResponse
from rclpy.callback_groups import ReentrantCallbackGroup
from rclpy.context import Context
from rclpy.executors import ExternalShutdownException, MultiThreadedExecutor
from rclpy.node import Node
from rosgraph_msgs.msg import Clock
from sensor_msgs.msg import BatteryState
from std_msgs.msg import String
from std_srvs.srv import SetBool
from test_msgs.action import Fibonacci

from tests.ros.support import LIMIT, wait_until

ENDLESS = ("endless", "stubborn", "calm", "heavy", "single")


class Robot:
    """A node with what one robot offers; ``log`` is what reached it, in order."""

    def __init__(self, name: str, behaviour: str = "good", domain: int | None = None) -> None:
        self.name, self.behaviour = name, behaviour
        self.log: list[str] = []
        self.go_on = threading.Event()
        """Lets a server go on that is `late`, or `slow`."""
        self.is_closed = threading.Event()
        self.changed = threading.Condition()
        self.context = Context()
        rclpy.init(context=self.context, domain_id=domain)
        self.node = Node(f"{name}_robot", context=self.context)
        group = ReentrantCallbackGroup()
        self.server = ActionServer(
            self.node,
            Fibonacci,
            f"/{name}/drive",
            self._drive,
            goal_callback=self._accept,
            cancel_callback=self._cancel,
            callback_group=group,
        )
        self.node.create_service(SetBool, f"/{name}/lamp", self._light, callback_group=group)
        self.node.create_subscription(
            String, f"/{name}/horn", lambda text: self.write(f"horn {text.data}"), 10
        )
        self.battery = self.node.create_publisher(BatteryState, f"/{name}/battery", 10)
        self.executor = MultiThreadedExecutor(4, context=self.context)
        self.executor.add_node(self.node)
        self.thread = threading.Thread(target=self._spin, daemon=True)
        self.thread.start()

    def _spin(self) -> None:
        with contextlib.suppress(ExternalShutdownException):
            self.executor.spin()

    def write(self, what: str) -> None:
        with self.changed:
            self.log.append(what)
            self.changed.notify_all()
        if __name__ == "__main__":
            os.write(1, f"{what}\n".encode())  # whole, whichever robot's thread it is

    def wait_for(self, what: str, seconds: float = LIMIT) -> None:
        """Wait until something has reached it."""
        with self.changed:
            assert self.changed.wait_for(lambda: what in self.log, seconds), (what, self.log)

    def tell_charge(self, percentage: float) -> None:
        """Publish how full its battery is, once somebody listens."""
        wait_until(self.battery.get_subscription_count)
        self.battery.publish(BatteryState(percentage=percentage))

    def _accept(self, goal: Any) -> GoalResponse:
        self.write(f"goal {goal.order}")
        if self.behaviour in ("mute", "late"):
            self.go_on.wait(LIMIT)
        return GoalResponse.REJECT if self.behaviour == "rejects" else GoalResponse.ACCEPT

    def _cancel(self, goal: Any) -> CancelResponse:
        self.write("cancel")
        stubborn = self.behaviour == "stubborn"
        return CancelResponse.REJECT if stubborn else CancelResponse.ACCEPT

    def _drive(self, goal: Any) -> Fibonacci.Result:
        self.write("begins")
        self.current = goal
        sequence = [0]
        done = Fibonacci.Result()
        while len(sequence) < goal.request.order or self.behaviour in ENDLESS:
            is_replaced = self.behaviour == "single" and self.current is not goal
            if self.behaviour == "aborts" or is_replaced:
                goal.abort()
                self.write("aborted")
                return done
            sequence = [*sequence, len(sequence)][-1000:]
            goal.publish_feedback(Fibonacci.Feedback(sequence=sequence[-50:]))
            if self.behaviour == "slow":
                self.go_on.wait(LIMIT)
            else:
                self.is_closed.wait(0.1 if self.behaviour == "calm" else 0.01)
            if self.behaviour == "stubborn" and self.go_on.is_set():
                break
            if goal.is_cancel_requested:
                if self.behaviour == "heavy":
                    self.go_on.wait(LIMIT)
                goal.canceled()
                self.write("stopped")
                return done
        if self.behaviour != "fails":
            done.sequence = sequence
        goal.succeed()
        self.write("arrived")
        if self.behaviour == "withholds":
            self.go_on.wait(LIMIT)
        return done

    def _light(self, request: Any, response: Any) -> Any:
        self.write(f"lamp {request.data}")
        if self.behaviour == "mute":
            self.go_on.wait(LIMIT)
        response.success = self.behaviour != "rejects"
        response.message = "" if response.success else "the bulb is broken"
        return response

    def run_clock(self, speed: float, is_over: threading.Event) -> None:
        """Publish `/clock`, faster than real time by that factor."""
        publisher = self.node.create_publisher(Clock, "/clock", 10)
        began = time.monotonic()
        while not is_over.wait(0.01):
            now = 100.0 + (time.monotonic() - began) * speed
            stamp = Time(sec=int(now), nanosec=int(now % 1 * 1e9))
            publisher.publish(Clock(clock=stamp))

    def command(self, order: int) -> None:
        """Send a goal, as another node of its system would."""
        client = ActionClient(self.node, Fibonacci, f"/{self.name}/drive")
        assert client.wait_for_server(LIMIT)
        client.send_goal_async(Fibonacci.Goal(order=order))

    def cancel_all(self) -> None:
        """Cancel every goal, as another node of its system would."""
        client = self.node.create_client(CancelGoal, f"/{self.name}/drive/_action/cancel_goal")
        assert client.wait_for_service(LIMIT)
        client.call_async(CancelGoal.Request())

    def close(self) -> None:
        self.go_on.set()
        self.is_closed.set()
        self.executor.shutdown(timeout_sec=1.0)
        self.thread.join(1.0)
        self.context.shutdown()


if __name__ == "__main__":
    robots = [Robot(name, *sys.argv[2:3]) for name in sys.argv[1].split(",")]
    print("ready", flush=True)
    try:
        sys.stdin.read()  # until the test ends it
    finally:
        for robot in robots:
            robot.close()
