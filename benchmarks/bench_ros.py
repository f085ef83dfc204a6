"""ROS 2: from "stop" to the cancel and its confirmation, from a result to the next goal, CPU.

It needs real rclpy: `make test-ros` makes an environment that has it, and
``.venv-ros/bin/python -m benchmarks ros`` runs this there. The robot is a program of its own
(`tests/ros/robot.py`) on the same machine.
"""

from __future__ import annotations

import os
import re
import resource
import shutil
import statistics
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from benchmarks.process import ROOT
from benchmarks.table import Cell, Table

WAREHOUSE = ROOT / "engine" / "treec" / "templates" / "warehouse"
DRIVES = """\
runs:
  symbolic: treec.envs.symbolic:Effects
  ros: {action: "/{{ agent }}/drive", type: test_msgs/action/Fibonacci, goal: {order: 5}}"""
LIBRARY = ROOT / "tests" / "ros" / "library"
SECONDS = 10.0


def run(small: bool) -> list[Table]:
    """All tables."""
    os.environ.setdefault("ROS_AUTOMATIC_DISCOVERY_RANGE", "LOCALHOST")
    os.environ["ROS_DOMAIN_ID"] = str(1 + os.getpid() % 100)
    times = 3 if small else 20
    with library() as root:
        rows = [*stops(times), *goals(root, times)]
        load = [cpu(root, number, 1.0 if small else SECONDS) for number in (1, 10)]
    return [
        Table(
            "Times of a goal",
            ("from … to", "times", "median, ms", "worst, ms"),
            rows,
            (
                "The warehouse whose skills are goals of one action, the clock is real. From "
                "`StartedRun.say` to the moment at which the robot's program is asked to cancel, "
                "and to that at which treec knows that the goal has ended: the robot looks every "
                "10 ms whether it is to stop.",
            ),
        ),
        Table(
            "CPU while actions go on, each with feedback 10 times a second",
            ("actions", "seconds", "CPU of treec, %", "by rclpy alone, %"),
            load,
            (
                "Of one core, in the process of treec: its loop, the executor and DDS; feedback "
                "becomes a fact twice a second. Beside it a program on rclpy alone with the same "
                "goals and subscriptions, that drops the feedback.",
            ),
        ),
    ]


@contextmanager
def library() -> Iterator[Path]:
    """A copy of the tests' library, for ten robots."""
    with tempfile.TemporaryDirectory() as folder:
        root = Path(folder) / "library"
        shutil.copytree(LIBRARY, root)
        drive = (root / "drive.skill.yaml").read_text("utf-8")
        drive = drive.replace("timeout: 5s", "timeout: 10m").replace("every: 50ms", "every: 500ms")
        drive = drive.replace("accept: 5s", "accept: 30s")
        (root / "drive.skill.yaml").write_text(drive, "utf-8")
        for number in range(3, 11):
            text = (root / "r1.agent.yaml").read_text("utf-8").replace("R1", f"R{number}")
            (root / f"r{number}.agent.yaml").write_text(text, "utf-8")
        yield root


def tree(root: Path, name: str, body: str) -> None:
    """Write a tree into the library."""
    lines = "".join(f"  {line}\n" for line in body.splitlines())
    text = f"tree: {name}\nabout: Of a benchmark.\nroot:\n{lines}"
    (root / f"{name}.tree.yaml").write_text(text, "utf-8")


@contextmanager
def robots(names: str, behaviour: str) -> Iterator[Callable[[str], float]]:
    """Robots in a process of their own; gives what waits for a line that they print."""
    process = subprocess.Popen(
        [sys.executable, "-m", "tests.ros.robot", names, behaviour],
        cwd=ROOT,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )

    def wait_for(line: str) -> float:
        assert process.stdout is not None
        for found in process.stdout:
            if found.strip() == line:
                return time.perf_counter()
        raise SystemExit(f"the robot ended before '{line}'")

    try:
        wait_for("ready")
        yield wait_for
    finally:
        process.kill()
        process.wait()


class Records:
    """When records came, by what they say."""

    def __init__(self) -> None:
        self.mark = 0.0
        self._changed = threading.Condition()
        self._found: list[tuple[str, float]] = []

    def take(self, record: Any) -> None:
        """Take a record of a run."""
        now = time.perf_counter()
        note = record.data.get("record", {}) if record.kind == "skill.noted" else {}
        with self._changed:
            self._found.append((str(note.get("ros", record.kind)), now))
            self._changed.notify_all()

    def wait_for(self, what: str, after: float) -> float:
        """When the first such record after a moment came."""
        begun = time.perf_counter()
        with self._changed:
            while True:
                for name, when in self._found:
                    if name == what and when >= after:
                        return when
                if not self._changed.wait(20.0) or time.perf_counter() > begun + 20.0:
                    raise SystemExit(f"no '{what}'")


def stops(times: int) -> list[tuple[Cell, ...]]:
    """From what a person says to the cancel on the wire, and to the confirmation."""
    import treec

    records, wire, confirmed = Records(), [], []
    with tempfile.TemporaryDirectory() as folder, robots("Hauler", "endless") as wait_for:
        root = Path(folder) / "warehouse"
        shutil.copytree(WAREHOUSE, root)
        for file in root.glob("skills/*/*.yaml"):
            text = re.sub("^runs: .*$", DRIVES, file.read_text("utf-8"), flags=re.MULTILINE)
            file.write_text(text, "utf-8")
        system = root / "trees" / "warehouse.system.yaml"
        runs_on = "runs_on: {default: symbolic, Hauler: ros}"
        text = system.read_text("utf-8").replace("runs_on: {default: symbolic}", runs_on)
        system.write_text(text, "utf-8")
        with treec.open(root).start("warehouse", on_record=records.take) as run:
            run.say("Hauler, bring the crate 40.")
            for _ in range(times):
                wait_for("begins")
                accepted = records.wait_for("accepted", records.mark)
                time.sleep(0.2)  # whatever its beginning has caused
                began = time.perf_counter()
                run.say("Hauler, stop!")
                wire.append(wait_for("cancel") - began)
                confirmed.append(records.wait_for("ended", accepted) - began)
                records.mark = time.perf_counter()
                run.say("Hauler, go on.")
    return [
        row('"Hauler, stop!" to the cancel at the robot', wire),
        row('"Hauler, stop!" to the confirmed end', confirmed),
    ]


def goals(root: Path, times: int) -> list[tuple[Cell, ...]]:
    """From a result to the next goal."""
    import treec

    steps = "".join(
        f"  - {{skill: drive, with: {{agent: R1, place: {place}}}}}\n"
        for _ in range(times)
        for place in ("gate", "shed")
    )
    tree(root, "goals", f"sequence:\n{steps}")
    found = []
    with robots("R1", "good") as wait_for:
        run = treec.open(root).start(tree="goals", system="yard", env="ros")
        with run:
            for index in range(times):
                ended = wait_for("arrived")
                found.append(wait_for("goal 3" if index % 2 == 0 else "goal 5") - ended)
    return [row("a result to the next goal, at the robot", found)]


def row(name: str, seconds: list[float]) -> tuple[Cell, ...]:
    """A row of times."""
    return (name, len(seconds), statistics.median(seconds) * 1000, max(seconds) * 1000)


ALONE = """
import sys, time, resource, rclpy
from rclpy.action import ActionClient
from rclpy.node import Node
from sensor_msgs.msg import BatteryState
from test_msgs.action import Fibonacci
rclpy.init()
node = Node("alone")
number, seconds = int(sys.argv[1]), float(sys.argv[2])
clients = [ActionClient(node, Fibonacci, f"/R{i + 1}/drive") for i in range(number)]
for i in range(number):
    node.create_subscription(BatteryState, f"/R{i + 1}/battery", lambda message: None, 10)
for client in clients:
    client.wait_for_server()
futures = [c.send_goal_async(Fibonacci.Goal(order=5), lambda m: None) for c in clients]
for future in futures:
    rclpy.spin_until_future_complete(node, future)
def cpu():
    used = resource.getrusage(resource.RUSAGE_SELF)
    return used.ru_utime + used.ru_stime
before, end = cpu(), time.monotonic() + seconds
while time.monotonic() < end:
    rclpy.spin_once(node, timeout_sec=0.1)
print(cpu() - before)
for future in futures:
    rclpy.spin_until_future_complete(node, future.result().cancel_goal_async())
"""


def cpu(root: Path, number: int, seconds: float) -> tuple[Cell, ...]:
    """CPU of a run in which so many actions go on, and of rclpy alone."""
    import treec

    body = "parallel:\n" + "".join(
        f"  - {{skill: drive, with: {{agent: R{index + 1}, place: gate}}}}\n"
        for index in range(number)
    )
    tree(root, f"drive{number}", body)
    names = ",".join(f"R{index + 1}" for index in range(number))
    with robots(names, "calm"):
        records = Records()
        run = treec.open(root).start(
            tree=f"drive{number}", system="yard", env="ros", on_record=records.take
        )
        with run:
            at = 0.0
            for _ in range(number):
                at = records.wait_for("accepted", at) + 1e-6
            before = used()
            time.sleep(seconds)
            own = used() - before
        done = subprocess.run(
            [sys.executable, "-c", ALONE, str(number), str(seconds)],
            capture_output=True,
            text=True,
            check=True,
        )
    return (number, seconds, own / seconds * 100, float(done.stdout) / seconds * 100)


def used() -> float:
    """CPU seconds of this process."""
    found = resource.getrusage(resource.RUSAGE_SELF)
    return found.ru_utime + found.ru_stime
