"""A node of ROS 2 whose executor runs in a thread of its own."""

from __future__ import annotations

import os
import shlex
import threading
from collections.abc import Callable
from typing import Any

import rclpy
from rclpy.clock import Clock, ClockType
from rclpy.context import Context
from rclpy.executors import ExternalShutdownException, SingleThreadedExecutor
from rclpy.node import Node
from rclpy.qos import DurabilityPolicy, QoSProfile, ReliabilityPolicy
from rclpy.signals import SignalHandlerOptions

from treec_ros.files import Qos

ARGUMENTS = "TREEC_ROS_ARGS"
"""The environment variable with arguments for ROS: `-p use_sim_time:=true -r __ns:=/yard`."""


class RosNode:
    """A node, a context of its own, and the thread that serves it.

    Everything that uses the node is done in that thread, by :meth:`call`, so that an answer never
    comes before it is expected.
    """

    def __init__(self, name: str, domain: int | None = None, **options: Any) -> None:
        arguments = shlex.split(os.environ.get(ARGUMENTS, ""))
        if arguments and arguments[0] != "--ros-args":
            arguments.insert(0, "--ros-args")
        self.context = Context()
        rclpy.init(
            args=arguments,
            context=self.context,
            domain_id=domain,
            signal_handler_options=SignalHandlerOptions.NO,
        )
        self.node = Node(name, context=self.context, **options)
        self.executor = SingleThreadedExecutor(context=self.context)
        self.executor.add_node(self.node)
        self._thread = threading.Thread(target=self._spin, name="treec ros", daemon=True)
        self._thread.start()

    @property
    def uses_sim_time(self) -> bool:
        """Whether its time is that of the topic `/clock`."""
        return bool(self.node.get_parameter("use_sim_time").value)

    def now(self) -> float:
        """The time of its clock, in seconds."""
        return float(self.node.get_clock().now().nanoseconds) / 1e9

    def call(self, function: Callable[[], object]) -> None:
        """Call it in the executor's thread, soon."""
        self.executor.create_task(function)

    def ask(self, function: Callable[[], Any], seconds: float = 5.0) -> Any:
        """Call it in the executor's thread and wait for what it returns. Raises what it raises."""
        done, values, errors = threading.Event(), [], []

        def ask() -> None:
            try:
                values.append(function())
            except Exception as error:
                errors.append(error)
            finally:
                done.set()

        self.call(ask)
        if not done.wait(seconds):
            raise TimeoutError("the node of ROS does not answer")
        if errors:
            raise errors[0]
        return values[0]

    def close(self) -> None:
        """Stop the thread and end the node; nothing happens the second time."""
        if not self.context.ok():
            return
        self.executor.shutdown(timeout_sec=1.0)
        self._thread.join(1.0)
        self.node.destroy_node()
        self.context.shutdown()

    def _spin(self) -> None:
        while self.context.ok():
            try:
                self.executor.spin()
            except ExternalShutdownException:
                return
            except Exception as error:  # of one callback: the others go on
                self.node.get_logger().error(f"{type(error).__name__}: {error}")
                continue
            return


def profile(qos: Qos) -> QoSProfile:
    """Return the profile that a file describes."""
    return QoSProfile(
        depth=qos.depth,
        reliability=getattr(ReliabilityPolicy, qos.reliability.upper()),
        durability=getattr(DurabilityPolicy, qos.durability.upper()),
    )


def policy_of(event: Any) -> str:
    """The policy that does not fit, of an event about incompatible quality of service."""
    name = str(event.last_policy_kind).rpartition(".")[2].lower()
    return name.removeprefix("rmw_qos_policy_").removesuffix("_qos_policy")


def has_other_version(node: Any, topic: str) -> bool:
    """Whether a publisher's type has another definition than that of this node's subscription.

    Of those that do not tell the hash of theirs, as programs without ROS, it is not known.
    """
    name = (node.get_name(), node.get_namespace())
    own = {
        str(end.topic_type_hash)
        for end in node.get_subscriptions_info_by_topic(topic)
        if (end.node_name, end.node_namespace) == name
    }
    others = {str(end.topic_type_hash) for end in node.get_publishers_info_by_topic(topic)}
    return bool(own) and any(it.startswith("RIHS") and it not in own for it in others)


def steady_timer(
    node: Any, period: float, callback: Callable[[], None], *, autostart: bool = True
) -> Any:
    """A timer of real time, whatever time the node has."""
    steady = Clock(clock_type=ClockType.STEADY_TIME)
    return node.create_timer(period, callback, clock=steady, autostart=autostart)
