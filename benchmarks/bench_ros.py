"""ROS 2: from "stop" to the cancel and its confirmation, from a result to the next goal, CPU.

It needs real rclpy: `make test-ros` makes an environment that has it, and
``.venv-ros/bin/python -m benchmarks ros`` runs this there. Beside treec the same tree is a program
on rclpy alone and, where it can be imported, a tree of py_trees_ros (`benchmarks/ros_programs.py`).
Each is a process of its own; so are the robots (`tests/ros/robot.py`), on the same machine.
"""

from __future__ import annotations

import os
import re
import shutil
import statistics
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from importlib.metadata import version
from importlib.util import find_spec
from itertools import count
from pathlib import Path
from typing import Any

from benchmarks.process import ROOT
from benchmarks.table import Cell, Table

WAREHOUSE = ROOT / "engine" / "treec" / "templates" / "warehouse"
LIBRARY = ROOT / "tests" / "ros" / "library"
DRIVES = """\
runs:
  symbolic: treec.envs.symbolic:Effects
  ros: {action: "/{{ agent }}/drive", type: test_msgs/action/Fibonacci, goal: {order: 5}}"""
SENSED = """\
  {name}:
    args: [Robot]
    value: number
    sensed:
      ros:
        topic: "/{{{{ robot }}}}/{name}"
        type: sensor_msgs/msg/BatteryState
        value: message.percentage * 100
        every: {every}
"""
SECONDS = 10.0
LIMIT = 60.0
"""Seconds that anything may take that is waited for."""
TOPICS = 5
"""Topics of a robot."""
HAND = ("rclpy alone",)
PERIODS = (10, 100)
"""Milliseconds between two ticks of py_trees_ros."""
_domains = count(1 + os.getpid() % 90)


def run(small: bool) -> list[Table]:
    """All tables."""
    os.environ.setdefault("ROS_AUTOMATIC_DISCOVERY_RANGE", "LOCALHOST")
    names = ["treec", *HAND]
    has_trees = bool(find_spec("py_trees_ros") and find_spec("py_trees_ros_interfaces"))
    if has_trees:
        names += [f"py_trees_ros, {period} ms" for period in PERIODS]
    times, seconds = (3, 1.0) if small else (20, SECONDS)
    found: dict[str, dict[str, list[float]]] = {name: {} for name in names}
    for _ in range(1 if small else 2):  # in turns, so that each meets the same machine
        for name in names:
            for title, values in {**stops(name, times), **goals(name, times)}.items():
                found[name].setdefault(title, []).extend(values)
    titles = list(found["treec"])
    rows: list[tuple[Cell, ...]] = [
        (
            title,
            name,
            len(found[name][title]),
            statistics.median(found[name][title]) * 1000,
            max(found[name][title]) * 1000,
        )
        for title in titles
        for name in names
    ]
    sizes = ((1, TOPICS),) if small else ((1, TOPICS), (10, TOPICS))
    load: list[tuple[Cell, ...]] = []
    for robots, topics in sizes:
        used = {name: [cpu(name, robots, topics, seconds)] for name in [*names, EACH]}
        if not small:
            for name in used:
                used[name].append(cpu(name, robots, topics, seconds))
        for name, shares in used.items():
            load.append((robots, robots * topics, name, min(shares) * 100, max(shares) * 100))
    return [
        Table(
            "Times of a goal",
            ("from … to", "by", "times", "median, ms", "worst, ms"),
            rows,
            (
                "Words are published on a topic; of the cancel the robot's program tells by a "
                "line, of the confirmed end the program that sent the goal. The robot looks every "
                "10 ms whether it is to stop. treec reads the sentence (`Hauler, stop!`), the "
                "others look for the word. With py_trees_ros the time between ticks is said.",
            ),
        ),
        Table(
            "CPU while actions go on, each with feedback 10 times a second, and topics likewise",
            ("actions", "topics", "by", "least, % of a core", "most, %"),
            load,
            (
                f"Of the process, for {seconds:g} s, each {1 if small else 2} times in turns. In "
                "treec facts are sensed once a second, and feedback becomes facts twice a second; "
                f"'{EACH}': facts are sensed at each message. The others keep each message.",
            ),
        ),
        Table("Versions", ("software", "version"), versions(has_trees)),
    ]


EACH = "treec, each message"


def versions(has_trees: bool) -> list[tuple[Cell, ...]]:
    """What it ran on."""
    packages = ("ros-rclpy", "ros-rmw-fastrtps-cpp", "ros-fastrtps")
    found: list[tuple[Cell, ...]] = [(name, version(name)) for name in packages]
    if has_trees:
        from benchmarks.ros_programs import stand_in

        stand_in()
        from py_trees_ros.version import __version__

        found += [("py_trees", version("py_trees")), ("py_trees_ros", __version__)]
    return found


@contextmanager
def library(every: str = "1s") -> Iterator[Path]:
    """A copy of the tests' library, for ten robots with topics of their own."""
    with tempfile.TemporaryDirectory() as folder:
        root = Path(folder) / "library"
        shutil.copytree(LIBRARY, root)
        drive = (root / "drive.skill.yaml").read_text("utf-8")
        drive = drive.replace("timeout: 5s", "timeout: 10m").replace("every: 50ms", "every: 500ms")
        (root / "drive.skill.yaml").write_text(drive.replace("accept: 5s", "accept: 30s"), "utf-8")
        for number in range(3, 11):
            text = (root / "r1.agent.yaml").read_text("utf-8").replace("R1", f"R{number}")
            (root / f"r{number}.agent.yaml").write_text(text, "utf-8")
        domain = (root / "yard.domain.yaml").read_text("utf-8").partition("  battery:")[0]
        for index in range(TOPICS):
            domain += SENSED.format(name=f"battery_{index + 1}", every=every)
        (root / "yard.domain.yaml").write_text(domain, "utf-8")
        yield root


def write_tree(root: Path, body: str) -> None:
    """Write the tree `own` into a library."""
    lines = "".join(f"  {line}\n" for line in body.splitlines())
    text = f"tree: own\nabout: Of a benchmark.\nroot:\n{lines}"
    (root / "own.tree.yaml").write_text(text, "utf-8")


class Process:
    """A program in a process of its own, and the lines that it prints."""

    def __init__(self, stack: ExitStack, *words: object) -> None:
        self.process = subprocess.Popen(
            [sys.executable, "-m", *map(str, words)],
            cwd=ROOT,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            text=True,
        )
        stack.callback(self.process.wait)
        stack.callback(self.process.kill)
        self._changed = threading.Condition()
        self._lines: list[tuple[str, float]] = []
        self._read = 0
        threading.Thread(target=self._listen, daemon=True).start()

    def _listen(self) -> None:
        assert self.process.stdout is not None
        for line in self.process.stdout:
            with self._changed:
                self._lines.append((line.strip(), time.perf_counter()))
                self._changed.notify_all()

    def wait_for(self, line: str) -> float:
        """When a line came; those before it are passed over."""
        with self._changed:
            until = time.perf_counter() + LIMIT
            while time.perf_counter() < until:
                for index in range(self._read, len(self._lines)):
                    if self._lines[index][0] == line:
                        self._read = index + 1
                        return self._lines[index][1]
                self._changed.wait(1.0)
        words = " ".join(map(str, self.process.args))  # type: ignore[arg-type]
        raise SystemExit(f"no line '{line}' came of {words} in {LIMIT:g} s: {self._lines}")

    def cpu(self) -> float:
        """CPU seconds that it has used."""
        text = Path(f"/proc/{self.process.pid}/stat").read_text()
        user, system = text.rpartition(")")[2].split()[11:13]
        return (int(user) + int(system)) / os.sysconf("SC_CLK_TCK")


def program(stack: ExitStack, name: str, root: Path, *words: object) -> Process:
    """Begin the program of that name: treec runs the tree `own` of the library."""
    if name.startswith("treec"):
        run = ("run", "own", "--system", "yard", "--env", "ros")
        return Process(stack, "treec", *run, "-L", root, "--runs", root.parent / "runs")
    what: tuple[object, ...] = ("rclpy",)
    if name.startswith("py_trees_ros"):
        what = ("py_trees_ros", *re.findall("[0-9]+", name))
    return Process(stack, "benchmarks.ros_programs", *what, *words)


@contextmanager
def robots(names: str, behaviour: str) -> Iterator[tuple[ExitStack, Process]]:
    """Robots in a process and a domain of their own."""
    os.environ["ROS_DOMAIN_ID"] = str(1 + next(_domains) % 100)
    with ExitStack() as stack:
        robot = Process(stack, "tests.ros.robot", names, behaviour)
        robot.wait_for("ready")
        yield stack, robot


class Person:
    """Says words on a topic, and hears from the journal when a goal has ended."""

    def __init__(self, stack: ExitStack) -> None:
        from std_msgs.msg import String

        from treec_ros.node import RosNode

        self._ros = RosNode("person", domain=int(os.environ["ROS_DOMAIN_ID"]))
        stack.callback(self._ros.close)
        self._text = String
        self._changed = threading.Condition()
        self._ended = 0.0
        node = self._ros.node
        self._words = self._ros.ask(lambda: node.create_publisher(String, "/treec/words", 10))
        self._ros.ask(lambda: node.create_subscription(String, "/treec/journal", self._take, 100))

    def _take(self, text: Any) -> None:
        now = time.perf_counter()
        if '"ended"' in text.data:
            with self._changed:
                self._ended = now
                self._changed.notify_all()

    def say(self, words: str) -> float:
        """Say it once somebody listens; returns when."""
        until = time.perf_counter() + LIMIT
        while not self._words.get_subscription_count() and time.perf_counter() < until:
            time.sleep(0.01)
        began = time.perf_counter()
        self._words.publish(self._text(data=words))
        return began

    def wait_for_end(self, after: float) -> float:
        """When the first goal after that moment was told to have ended."""
        with self._changed:
            if not self._changed.wait_for(lambda: self._ended > after, LIMIT):
                raise SystemExit("no end of a goal was told")
            return self._ended


def stops(name: str, times: int) -> dict[str, list[float]]:
    """From what a person says to the cancel on the wire, and to the confirmation."""
    wire, confirmed = [], []
    with tempfile.TemporaryDirectory() as folder, robots("Hauler", "endless") as (stack, robot):
        root = Path(folder) / "warehouse"
        shutil.copytree(WAREHOUSE, root)
        for file in root.glob("skills/*/*.yaml"):
            text = re.sub("^runs: .*$", DRIVES, file.read_text("utf-8"), flags=re.MULTILINE)
            file.write_text(text, "utf-8")
        system = root / "trees" / "warehouse.system.yaml"
        runs_on = "runs_on: {default: symbolic, Hauler: ros}"
        text = system.read_text("utf-8").replace("runs_on: {default: symbolic}", runs_on)
        system.write_text(text, "utf-8")
        person = Person(stack)
        if name == "treec":
            serve = ("ros", "serve", "warehouse", "-L", root, "--runs", Path(folder) / "runs")
            Process(stack, "treec", *serve)
        else:
            program(stack, name, root, "stop").wait_for("ready")
        person.say("Hauler, bring the crate 40.")
        for _ in range(times):
            robot.wait_for("begins")
            time.sleep(0.3)  # whatever its beginning has caused
            began = person.say("Hauler, stop!")
            wire.append(robot.wait_for("cancel") - began)
            confirmed.append(person.wait_for_end(began) - began)
            time.sleep(0.2)
            person.say("Hauler, go on.")
    return {
        '"Hauler, stop!" to the cancel at the robot': wire,
        '"Hauler, stop!" to the confirmed end': confirmed,
    }


def goals(name: str, times: int) -> dict[str, list[float]]:
    """From a result to the next goal."""
    steps = "".join(
        f"  - {{skill: drive, with: {{agent: R1, place: {'shed' if index % 2 else 'gate'}}}}}\n"
        for index in range(times + 1)
    )
    found = []
    with library() as root, robots("R1", "good") as (stack, robot):
        write_tree(root, f"sequence:\n{steps}")
        program(stack, name, root, "next", times + 1)
        for index in range(times):
            ended = robot.wait_for("arrived")
            found.append(robot.wait_for("goal 5" if index % 2 else "goal 3") - ended)
    return {"a result to the next goal, at the robot": found}


def cpu(name: str, number: int, topics: int, seconds: float) -> float:
    """The share of a core that a program takes while so many actions and topics go on."""
    body = "parallel:\n" + "".join(
        f"  - {{skill: drive, with: {{agent: R{index + 1}, place: gate}}}}\n"
        for index in range(number)
    )
    names = ",".join(f"R{index + 1}" for index in range(number))
    with library("0s" if name == EACH else "1s") as root, robots(names, "calm") as (stack, robot):
        write_tree(root, body)
        Process(stack, "benchmarks.ros_programs", "topics", number, topics).wait_for("ready")
        found = program(stack, name, root, "load", number, topics)
        for _ in range(number):
            robot.wait_for("begins")
        time.sleep(1.0)
        before, began = found.cpu(), time.perf_counter()
        time.sleep(seconds)
        return (found.cpu() - before) / (time.perf_counter() - began)
