"""One team in two processes: who commands, and what becomes of skills when they are cut off.

A process that is stopped by a signal is as silent as one behind a broken network, and goes on as
one whose network is back.
"""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from functools import partial
from importlib.util import find_spec
from types import SimpleNamespace
from typing import Any

import pytest

from tests.ros.support import Yard, wait_until
from treec.files.library import load_library

AGAIN = """
skill: drive
with: {agent: R1, place: gate}
retry: {times: 5, every: 100ms}
"""


@pytest.fixture
def _remote(yard: Yard) -> None:
    if find_spec("treec_msgs") is None:
        pytest.skip("treec_msgs is not built here: docs/ros2.md says how")
    yard.edit("yard.system.yaml", "{default: ros}", "{default: remote}")


@pytest.fixture
def robots(yard: Yard, _remote: None) -> Iterator[Callable[..., Any]]:
    """Make the process that has the robots, in this one; ``words`` is what it says."""
    made: list[Any] = []

    def make(**options: Any) -> Any:
        from treec_ros.robot import RobotProcess

        os.environ["ROS_DOMAIN_ID"] = str(yard.domain)
        words: list[str] = []
        library = load_library(yard.root)
        made.append(RobotProcess(library, "yard", env="symbolic", tell=words.append, **options))
        made[-1].words = words
        return made[-1]

    yield make
    for one in made:
        one.close()


@pytest.fixture
def treec(yard: Yard) -> Iterator[Callable[..., subprocess.Popen[str]]]:
    """Start treec in a process of its own."""
    made: list[subprocess.Popen[str]] = []

    def start(*words: object) -> subprocess.Popen[str]:
        made.append(
            subprocess.Popen(
                [sys.executable, "-m", "treec", *map(str, words), "-L", str(yard.root)],
                env={**os.environ, "ROS_DOMAIN_ID": str(yard.domain)},
                stdin=subprocess.DEVNULL,
                stdout=subprocess.PIPE,
                text=True,
            )
        )
        return made[-1]

    yield start
    for one in made:
        one.kill()
        one.wait()


def near(process: Any) -> object:
    """Where R1 is, in the process that has it."""
    fact = process.started.state.facts.get(("near", ("R1",)))
    return None if fact is None else fact.value


@pytest.mark.usefixtures("_remote")
def test_a_skill_is_carried_out_where_its_robot_is(yard: Yard, robots: Any) -> None:
    process = robots()
    tree = """
parallel:
  - {skill: drive, with: {agent: R1, place: gate}}
  - {skill: drive, with: {agent: R2, place: shed}}
"""
    assert yard.go(yard.tree(tree)).ok
    assert sorted(map(str, yard.values("near"))) == ["gate", "shed"]
    assert process.words == ["R1, R2: commanded by 'treec'"]


def test_a_robot_takes_commands_of_one_alone(yard: Yard, robots: Any) -> None:
    robots(commander="planner")
    assert not yard.go("main").ok
    assert yard.reason == "R1 takes commands of 'planner' alone, not of 'treec'"


def test_a_robot_takes_no_commands_while_two_processes_have_its_commander_s_name(
    yard: Yard, robots: Any
) -> None:
    from treec_ros.link import TeamLink
    from treec_ros.node import RosNode

    process = robots()
    namesake = RosNode("treec", domain=yard.domain)
    try:
        namesake.ask(lambda: TeamLink(namesake))
        wait_until(lambda: process.link._peers)
        assert not process.link.has_namesake("treec")
        wait = "skill: drive\nwith: {agent: R1, place: gate}\ndelay: 1s"
        assert not yard.go(yard.tree(wait)).ok
    finally:
        namesake.close()
    assert yard.reason == "two processes are named 'treec': name one by TREEC_ROS_ARGS"
    assert near(process) is None


def test_a_namesake_that_goes_on_does_not_hide_that_the_commander_is_cut_off(
    yard: Yard, robots: Any, treec: Any
) -> None:
    from treec_ros.link import TeamLink
    from treec_ros.node import RosNode

    process = robots(silence=0.5)
    run = treec("run", yard.tree(AGAIN), "--system", "yard", "--runs", yard.folder)
    wait_until(lambda: process.words)
    namesake = RosNode("treec", domain=yard.domain)
    try:
        namesake.ask(lambda: TeamLink(namesake))
        wait_until(lambda: len(process.link._peers) == 2)
        run.send_signal(signal.SIGSTOP)
        stopped = "R1: drive is stopped: nothing is heard of 'treec' for 0.5 s"
        wait_until(lambda: stopped in process.words)
    finally:
        namesake.close()
    assert near(process) is None


@pytest.mark.parametrize(
    ("args", "is_cancelled", "end"),
    [('{"place": "gate"}', True, "canceled"), ('["gate"]', False, "abort")],
)
def test_a_skill_that_was_cancelled_before_it_began_or_has_no_arguments_does_not_begin(
    yard: Yard, robots: Any, args: str, is_cancelled: bool, end: str
) -> None:
    process, ends = robots(), []
    request = SimpleNamespace(commander="treec", process="1", skill="drive", args=args)
    told = {name: partial(ends.append, name) for name in ("succeed", "canceled", "abort")}
    goal = SimpleNamespace(request=request, is_cancel_requested=is_cancelled, **told)
    process.ros.executor.create_task(process._execute, "R1", goal)
    wait_until(lambda: ends)
    assert ends == [end]
    assert near(process) is None
    assert not process.started.is_over


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT], ids=["SIGTERM", "SIGINT"])
@pytest.mark.usefixtures("_remote")
def test_a_signal_stops_the_robots(yard: Yard, treec: Any, number: int) -> None:
    process = treec("ros", "robot", "yard", "--env", "symbolic", "--runs", yard.folder)
    assert process.stdout.readline() == "R1, R2: ready\n"
    process.send_signal(number)
    assert process.wait(30) == 0
    (journal,) = yard.folder.glob("*/journal.jsonl")
    assert '"run.end"' in journal.read_text("utf-8").splitlines()[-1]


def test_a_halted_skill_is_stopped_where_its_robot_is(yard: Yard, robots: Any) -> None:
    process = robots(speed=0.1)
    tree = "skill: drive\nwith: {agent: R1, place: gate}\nwhile: near(R2) is none"

    def tell() -> None:
        from treec import Effect

        wait_until(lambda: process.words)
        effects = (Effect("near", ("R2",), "gate", "sensed"),)
        process.ros.ask(lambda: process.link.set(effects))

    assert not yard.go(yard.tree(tree), tell).ok
    assert yard.noted[-1] == "ended canceled"
    assert not yard.outcome.unconfirmed


@pytest.mark.parametrize("when_cut", ["stop", "finish"])
def test_a_robot_whose_commander_is_cut_off_does_as_declared(
    yard: Yard, robots: Any, treec: Any, when_cut: str
) -> None:
    process = robots(when_cut=when_cut, silence=0.5)
    tree = yard.tree(AGAIN)
    run = treec("run", tree, "--system", "yard", "--runs", yard.folder)
    wait_until(lambda: process.words)
    run.send_signal(signal.SIGSTOP)
    if when_cut == "stop":
        stopped = "R1: drive is stopped: nothing is heard of 'treec' for 0.5 s"
        wait_until(lambda: stopped in process.words)
        assert near(process) is None
    else:
        wait_until(lambda: near(process) == "gate")
    run.send_signal(signal.SIGCONT)
    out, _ = run.communicate(timeout=30)
    assert run.returncode == 0, out
    assert near(process) == "gate"


@pytest.mark.usefixtures("_remote")
def test_a_run_whose_robots_are_cut_off_says_so_and_goes_on_once_they_are_back(
    yard: Yard, treec: Any
) -> None:
    process = treec("ros", "robot", "yard", "--env", "symbolic", "--speed", "0.5")
    assert process.stdout.readline() == "R1, R2: ready\n"

    def cut() -> None:
        wait_until(lambda: "accepted" in yard.noted and yard.link.process_of("R1"))
        process.send_signal(signal.SIGSTOP)
        lost = "nothing is heard of 'robots', which has R1; what R1 does is not known"
        wait_until(lambda: lost in yard.words)
        process.send_signal(signal.SIGCONT)

    assert yard.go(yard.tree(AGAIN), cut).ok
    assert yard.ended[0].reason == "nothing is heard of 'robots', which has R1"
    assert yard.values("near") == ["gate"]
