"""A run shown by py_trees_ros: its services and topics, as `py-trees-tree-watcher` uses them."""

from __future__ import annotations

import os
import sys
import threading
from collections.abc import Callable
from importlib.util import find_spec
from typing import Any
from unittest.mock import MagicMock

import pytest

from tests.ros.robot_type import Robot
from tests.ros.support import LIMIT, Yard
from treec.run.monitors import attach_monitors
from treec.run.run import CannotRun

IS_THERE = (
    find_spec("py_trees_ros") is not None and find_spec("py_trees_ros_interfaces") is not None
)


def test_without_it_it_says_how_to_get_it(yard: Yard) -> None:
    if IS_THERE:
        pytest.skip("py_trees_ros is installed here")
    run = yard.prepare("main")
    with pytest.raises(CannotRun, match="py_trees_ros cannot be used"):
        attach_monitors(run, ["py_trees_ros"])


def test_snapshots_are_streamed_to_whoever_opens_a_stream(
    yard: Yard, robot: Callable[..., Robot], monkeypatch: pytest.MonkeyPatch
) -> None:
    if not IS_THERE:
        pytest.skip("py_trees_ros is not installed here, and PyPI does not have it")
    for name in ("tf2_ros", "ros2cli", "ros2topic"):  # which it imports, and a tree does not use
        if find_spec(name) is None:
            for module in (name, f"{name}.api", f"{name}.node", f"{name}.node.strategy"):
                monkeypatch.setitem(sys.modules, module, MagicMock())
    from py_trees_ros_interfaces.msg import BehaviourTree
    from py_trees_ros_interfaces.srv import OpenSnapshotStream
    from rclpy.qos import DurabilityPolicy, QoSProfile

    os.environ["ROS_DOMAIN_ID"] = str(yard.domain)
    one = robot(behaviour="slow")
    run = yard.prepare("main")
    assert attach_monitors(run, ["py_trees_ros=pilot"]) == ["py_trees_ros: /pilot"]
    found: list[Any] = []
    has_ended = threading.Event()

    def take(tree: Any) -> None:
        found.append(tree)
        if tree.behaviours[0].status == tree.behaviours[0].SUCCESS:
            has_ended.set()

    def watch() -> None:
        one.wait_for("begins")
        late = QoSProfile(depth=10, durability=DurabilityPolicy.TRANSIENT_LOCAL)
        one.node.create_subscription(BehaviourTree, "/pilot/snapshot_streams/test", take, late)
        client = one.node.create_client(OpenSnapshotStream, "/pilot/snapshot_streams/open")
        assert client.wait_for_service(LIMIT)
        opened = threading.Event()
        answer = client.call_async(OpenSnapshotStream.Request(topic_name="test"))
        answer.add_done_callback(lambda future: opened.set())
        assert opened.wait(LIMIT)
        assert answer.result().topic_name == "/pilot/snapshot_streams/test"
        one.tell_charge(0.5)  # which is a tick
        one.go_on.set()

    assert yard.go_on(watch).ok
    assert has_ended.wait(LIMIT)
    assert [node.name for node in found[-1].behaviours] == ["main"]
    assert found[-1].statistics.count >= 1


def test_a_viewer_that_fails_does_not_end_the_run(
    yard: Yard, robot: Callable[..., Robot], capsys: pytest.CaptureFixture[str]
) -> None:
    from treec_ros.py_trees_view import PyTreesRosView

    def fail(tree: Any) -> None:
        raise RuntimeError("no room")

    os.environ["ROS_DOMAIN_ID"] = str(yard.domain)
    robot()
    shown = MagicMock(pre_tick_handlers=[], post_tick_handlers=[fail])
    with PyTreesRosView(yard.prepare("main"), shown, "pilot"):
        assert yard.go_on().ok
    told = capsys.readouterr().err
    assert told.count("py_trees_ros shows the run no longer: RuntimeError: no room") == 1
