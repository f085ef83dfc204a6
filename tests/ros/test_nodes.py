"""Parameters and states of nodes, and frames: skills that set them, facts that they are."""

from __future__ import annotations

import math
import sys
from collections.abc import Callable, Iterator
from importlib.util import find_spec
from typing import Any

import pytest

from tests.ros.support import Yard, wait_until

SKILL = """\
skill: {name}
about: Of a test.
args: {{agent: Robot}}
again: true
runs:
  symbolic: treec.envs.symbolic:Effects
  ros: {binding}
"""
FACT = """\
  {name}:
    args: [Robot]
    value: {type}
    sensed:
      ros: {binding}
"""


@pytest.fixture
def camera(yard: Yard) -> Iterator[Any]:
    """A lifecycle node with a parameter, in the yard's domain."""
    from rclpy.lifecycle import LifecycleNode, TransitionCallbackReturn

    from treec_ros.node import RosNode

    class Camera(LifecycleNode):  # type: ignore[misc]
        fails = ""

        def on_configure(self, state: Any) -> Any:
            return getattr(TransitionCallbackReturn, self.fails or "SUCCESS")

        def on_activate(self, state: Any) -> Any:
            return TransitionCallbackReturn.SUCCESS

    made = RosNode("host", domain=yard.domain)
    node = made.ask(lambda: Camera("camera", namespace="/R1", context=made.context))
    node.declare_parameter("exposure", 0.5)
    made.executor.add_node(node)
    yield node
    made.close()


def skill(yard: Yard, name: str, binding: str) -> str:
    """Write a skill, and a tree that is this skill of R1."""
    text = SKILL.format(name=name, binding=binding)
    (yard.root / f"{name}.skill.yaml").write_text(text, "utf-8")
    for agent in ("r1", "r2"):
        yard.edit(f"{agent}.agent.yaml", "honk: {}", f"honk: {{}}, {name}: {{}}")
    return yard.tree(f"skill: {name}\nwith: {{agent: R1}}", f"own_{name}")


def fact(yard: Yard, name: str, type: str, binding: str) -> None:
    """Add a fact to the domain."""
    text = FACT.format(name=name, type=type, binding=binding)
    with open(yard.root / "yard.domain.yaml", "a", encoding="utf-8") as file:
        file.write(text)


def test_a_parameter_is_set(yard: Yard, camera: Any) -> None:
    tree = skill(yard, "expose", '{parameter: "/{{ agent }}/camera", values: {exposure: "= 0.25"}}')
    assert yard.go(tree).ok
    assert camera.get_parameter("exposure").value == 0.25


def test_a_parameter_that_a_node_refuses_is_a_failure(yard: Yard, camera: Any) -> None:
    tree = skill(yard, "expose", '{parameter: "/{{ agent }}/camera", values: {exposure: bright}}')
    assert not yard.go(tree).ok
    assert yard.reason.startswith("/R1/camera refuses: ")


def test_a_parameter_is_a_fact(yard: Yard, camera: Any) -> None:
    binding = '{parameter: "/{{ robot }}/camera", name: exposure, every: 50ms}'
    fact(yard, "exposure", "number", binding)
    tree = yard.tree("wait: {until: exposure(R1) == 0.75}")

    def change() -> None:
        from rclpy.parameter import Parameter

        wait_until(lambda: yard.run.world.facts.get("exposure", ("R1",)))
        camera.set_parameters([Parameter("exposure", value=0.75)])

    assert yard.go(tree, change).ok
    assert yard.values("exposure") == [0.5, 0.75]


def test_a_node_is_brought_to_a_state_by_all_transitions_that_it_takes(
    yard: Yard, camera: Any
) -> None:
    fact(yard, "view", "text", '{lifecycle: "/{{ robot }}/camera", every: 50ms}')
    skill(yard, "look", '{lifecycle: "/{{ agent }}/camera", to: active}')
    skill(yard, "rest", '{lifecycle: "/{{ agent }}/camera", to: unconfigured}')
    tree = """
sequence:
  - {skill: look, with: {agent: R1}}
  - {wait: {until: "view(R1) == 'active'"}}
  - {skill: rest, with: {agent: R1}}
  - {wait: {until: "view(R1) == 'unconfigured'"}}
"""
    assert yard.go(yard.tree(tree)).ok
    assert yard.values("view")[-1] == "unconfigured"


def test_a_transition_that_fails_is_named(yard: Yard, camera: Any) -> None:
    camera.fails = "FAILURE"
    assert not yard.go(skill(yard, "look", '{lifecycle: "/{{ agent }}/camera", to: active}')).ok
    assert yard.reason == "/R1/camera is unconfigured, and its 'configure' has failed"


def test_a_package_of_interfaces_that_is_missing_is_named(
    yard: Yard, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "lifecycle_msgs.srv", None)
    assert not yard.go(skill(yard, "look", '{lifecycle: "/{{ agent }}/camera", to: active}')).ok
    assert yard.reason.startswith("the interface lifecycle_msgs/srv/GetState cannot be used")


def test_a_frame_is_composed_of_all_transforms_between() -> None:
    """A robot at (2, 1) that looks along y, with a camera 0.5 m ahead of it."""
    pytest.importorskip("rclpy")
    from treec_ros.frames import Transform

    left = (0.0, 0.0, math.sin(math.pi / 4), math.cos(math.pi / 4))
    base = Transform((2.0, 1.0, 0.0), left, 7.0)
    camera = base.of(Transform((0.5, 0.0, 1.0), (0.0, 0.0, 0.0, 1.0)))
    assert camera.translation == pytest.approx((2.0, 1.5, 1.0))
    assert camera.yaw == pytest.approx(math.pi / 2)
    assert camera.came == 7.0
    assert camera.inverse().of(camera).translation == pytest.approx((0.0, 0.0, 0.0))


def test_a_frame_is_a_fact(yard: Yard, robot: Callable[..., Any]) -> None:
    if find_spec("tf2_msgs") is None:
        pytest.skip("tf2_msgs is not installed here: PyPI does not have it")
    binding = '{tf: "{{ robot }}/base", value: "place_at(x)", every: 0s, age: 200ms}'
    binding = binding.replace("place_at(x)", "'gate' if x > 1 else 'shed'")
    fact(yard, "seen", "text", binding)
    one = robot()

    def move() -> None:
        from geometry_msgs.msg import TransformStamped
        from rclpy.qos import DurabilityPolicy, QoSProfile
        from tf2_msgs.msg import TFMessage

        late = QoSProfile(depth=1, durability=DurabilityPolicy.TRANSIENT_LOCAL)
        fixed = one.node.create_publisher(TFMessage, "/tf_static", late)
        moving = one.node.create_publisher(TFMessage, "/tf", 10)
        wait_until(lambda: moving.get_subscription_count() and fixed.get_subscription_count())
        for publisher, parent, child, x in (
            (fixed, "map", "odom", 1.0),
            (moving, "odom", "R1/base", 0.5),
        ):
            transform = TransformStamped(child_frame_id=child)
            transform.header.frame_id = parent
            transform.transform.translation.x = x
            publisher.publish(TFMessage(transforms=[transform]))

    tree = """
selector:
  - {wait: 1m, while: "seen(R1) != 'gate'"}
  - {wait: 1m, while: "seen(R1) == 'gate'"}
"""
    yard.go(yard.tree(tree), move)
    assert yard.values("seen") == ["gate", None]
