"""`treec ros doctor` says what is missing before anything moves."""

from __future__ import annotations

import os
from collections.abc import Callable
from importlib.util import find_spec

import pytest

from tests.ros.robot_type import Robot
from tests.ros.support import LIBRARY, Yard
from treec.cli import main

Make = Callable[..., Robot]


def lines(yard: Yard, capsys: pytest.CaptureFixture[str], wait: float) -> tuple[int, list[str]]:
    os.environ["ROS_DOMAIN_ID"] = str(yard.domain)
    status = main(["ros", "doctor", "yard", "--wait", str(wait), "-L", str(yard.root)])
    return status, capsys.readouterr().out.splitlines()


def test_what_is_there_and_what_is_missing(
    yard: Yard, robot: Make, capsys: pytest.CaptureFixture[str]
) -> None:
    (yard.root / "r2.agent.yaml").unlink()
    yard.edit("light.skill.yaml", "/{{ agent }}/lamp", "/{{ agent }}/lmp")
    yard.edit("yard.domain.yaml", "every: 0s", "qos: {durability: transient_local}")
    robot()
    status, out = lines(yard, capsys, 4.0)
    assert status == 1
    assert out[0] == f"ok       domain {yard.domain}, discovery LOCALHOST, rmw_fastrtps_cpp"
    assert out[1:] == [
        "ok       drive: /R1/drive (test_msgs/action/Fibonacci)",
        "ok       honk: /R1/horn (std_msgs/msg/String)",
        "MISSING  light: no server of the service /R1/lmp (std_srvs/srv/SetBool); did you mean "
        "'/R1/lamp'?",
        "MISSING  battery: the quality of service of /R1/battery does not fit (policy durability): "
        "see `qos`",
        "ok       time is real",
    ]


def test_nodes_and_frames_that_are_missing(yard: Yard, capsys: pytest.CaptureFixture[str]) -> None:
    pytest.importorskip("rclpy")
    binding = '{lifecycle: "/{{ agent }}/camera", to: active}'
    text = "skill: look\nabout: Look.\nagain: true\nargs: {agent: Robot}\n"
    text += f"runs: {{ros: {binding}}}\n"
    (yard.root / "look.skill.yaml").write_text(text, "utf-8")
    yard.edit("r1.agent.yaml", "honk: {}", "look: {}")
    with open(yard.root / "yard.domain.yaml", "a", encoding="utf-8") as file:
        file.write(
            '  east: {args: [Robot], value: number, sensed: {ros: {tf: "{{ robot }}", value: x}}}\n'
        )
    _, out = lines(yard, capsys, 0.0)
    start = "MISSING  look: no server of the service /R1/camera/get_state"
    assert any(line.startswith(start) for line in out)
    tf = [line for line in out if line.startswith("MISSING  east: ")]
    if find_spec("tf2_msgs") is None:
        assert "install the package tf2_msgs" in tf[0]
    else:
        assert tf == [f"MISSING  east: no transform of the frame {name}" for name in ("R1", "R2")]


def test_nothing_is_missing(yard: Yard, robot: Make, capsys: pytest.CaptureFixture[str]) -> None:
    (yard.root / "r2.agent.yaml").unlink()
    robot()
    status, out = lines(yard, capsys, 10.0)
    assert status == 0, out
    assert out[-1] == "nothing is missing"


def test_time_that_stands_still_is_named(
    yard: Yard, robot: Make, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("TREEC_ROS_ARGS", "-p use_sim_time:=true")
    _, out = lines(yard, capsys, 0.0)
    assert "MISSING  use_sim_time is set and nobody publishes /clock: time stands still" in out


def test_without_ros_it_says_how_to_get_it(capsys: pytest.CaptureFixture[str]) -> None:
    try:
        import rclpy  # noqa: F401
    except ImportError:
        assert main(["ros", "doctor", "yard", "-L", str(LIBRARY)]) == 2
        assert "pip install 'treec[ros]'" in capsys.readouterr().err
    else:
        pytest.skip("rclpy is installed here")
