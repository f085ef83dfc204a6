"""What servers, networks and other nodes do to a goal: whether the robot has stopped is known.

Each run goes on or ends with a name for it, and its journal says what was sent, accepted and seen
to have happened.
"""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.ros.robot_type import Robot
from tests.ros.support import LIMIT, Yard, wait_until
from treec.nodes.events import StopUnconfirmed

Make = Callable[..., Robot]
UNTIL_HALF = "skill: drive\nwith: {agent: R1, place: gate}\nwhile: battery(R1) != 50"
"""The goal is halted when the robot tells that its battery is half full."""
FLOW = UNTIL_HALF.replace("\n", ", ")
ROOT = Path(__file__).parents[2]


@pytest.fixture
def _hasty(ros: None, monkeypatch: pytest.MonkeyPatch) -> None:
    """The end of a run waits 0.3 s for robots that do not stop."""
    from treec_ros.environment import RosEnvironment

    monkeypatch.setattr(RosEnvironment, "waits_for_end", 0.3)


def test_a_halted_goal_is_cancelled_and_seen_to_have_ended(yard: Yard, robot: Make) -> None:
    one = robot(behaviour="endless")

    def halt() -> None:
        one.wait_for("begins")
        one.tell_charge(0.5)

    assert not yard.go(yard.tree(UNTIL_HALF), halt).ok
    assert one.log == ["goal 5", "begins", "cancel", "stopped"]
    assert yard.noted[:3] == ["sent", "accepted", "cancel sent"]
    assert "ended canceled" in yard.noted[3:]  # the answer to the cancel may come after it
    assert yard.ended[-1].cancelled
    assert not yard.outcome.unconfirmed


def test_a_goal_halted_before_it_is_accepted_is_cancelled_once_it_is(
    yard: Yard, robot: Make
) -> None:
    one = robot(behaviour="late")

    def halt() -> None:
        one.wait_for("goal 5")
        one.tell_charge(0.5)
        wait_until(lambda: yard.run.world.facts.get("battery", ("R1",)))
        one.behaviour = "endless"
        one.go_on.set()

    assert not yard.go(yard.tree(UNTIL_HALF), halt).ok
    assert one.log[-1] == "stopped"
    assert yard.noted[-1] == "ended canceled"
    assert not yard.outcome.unconfirmed


def test_a_rejected_goal_is_a_failure(yard: Yard, robot: Make) -> None:
    one = robot(behaviour="rejects")
    assert not yard.go("main").ok
    assert yard.reason == "/R1/drive rejected the goal"
    assert one.log == ["goal 5"]
    assert yard.noted == ["sent", "rejected", "ended rejected"]


def test_an_aborted_goal_is_a_failure(yard: Yard, robot: Make) -> None:
    robot(behaviour="aborts")
    assert not yard.go("main").ok
    assert yard.reason == "drove 0 metres (aborted)"
    assert yard.noted[-1] == "ended aborted"


def test_without_a_server_nothing_is_sent(yard: Yard) -> None:
    yard.edit("drive.skill.yaml", "accept: 5s", "accept: 300ms")
    assert not yard.go("main").ok
    assert yard.reason == "no server of /R1/drive within 0.3 s"
    assert yard.noted == ["ended never sent"]


@pytest.mark.usefixtures("_hasty")
def test_a_server_that_never_answers_is_not_waited_for(yard: Yard, robot: Make) -> None:
    """The goal may still be accepted: the robot is not known to be at rest, which is said."""
    yard.edit("drive.skill.yaml", "accept: 5s", "accept: 300ms")
    one = robot(behaviour="mute")
    (unconfirmed,) = yard.go("main").unconfirmed
    assert "not known to have stopped: R1: /R1/drive (sent)" in unconfirmed
    assert yard.reason == "/R1/drive did not answer within 0.3 s"
    assert "goal 5" in one.log
    assert "begins" not in one.log


def test_a_late_answer_is_cancelled_at_once(yard: Yard, robot: Make) -> None:
    yard.edit("drive.skill.yaml", "accept: 5s", "accept: 300ms")
    one = robot(behaviour="late")

    def answer() -> None:
        wait_until(lambda: yard.run.world.facts.get("lamp", ("R1",)))
        one.behaviour = "endless"
        one.go_on.set()
        one.wait_for("stopped")

    tree = """
selector:
  - {skill: drive, with: {agent: R1, place: gate}}
  - sequence:
      - {skill: light, with: {agent: R1}}
      - {wait: {until: battery(R1) == 50}}
"""

    def both() -> None:
        answer()
        one.tell_charge(0.5)

    assert yard.go(yard.tree(tree), both).ok
    assert one.log == ["goal 5", "lamp True", "begins", "cancel", "stopped"]
    assert "R1: /R1/drive accepted the goal too late, so it is cancelled" in yard.words
    assert yard.noted[-1] == "ended canceled"


def test_a_result_that_never_comes_is_named(
    yard: Yard, robot: Make, monkeypatch: pytest.MonkeyPatch
) -> None:
    from treec_ros import goals

    monkeypatch.setattr(goals, "RESULT", 0.2)
    robot(behaviour="withholds")
    assert not yard.go("main").ok
    assert yard.reason == "it succeeded, and its result never came"
    assert yard.noted[-1] == "ended succeeded"


def test_a_goal_that_never_finishes_is_cancelled(yard: Yard, robot: Make) -> None:
    yard.edit("drive.skill.yaml", "timeout: 5s", "timeout: 300ms")
    one = robot(behaviour="endless")
    assert not yard.go("main").ok
    assert yard.reason == "/R1/drive did not finish within 0.3 s"
    assert one.log == ["goal 5", "begins", "cancel", "stopped"]
    assert not yard.outcome.unconfirmed


@pytest.mark.usefixtures("_hasty")
def test_a_server_that_refuses_to_cancel_is_named(yard: Yard, robot: Make) -> None:
    one = robot(behaviour="stubborn")

    def halt() -> None:
        one.wait_for("begins")
        one.tell_charge(0.5)

    outcome = yard.go(yard.tree(UNTIL_HALF), halt)
    assert "/R1/drive refuses to cancel: R1 goes on" in yard.words
    assert any("not known to have stopped: R1" in text for text in outcome.unconfirmed)
    assert any(isinstance(event, StopUnconfirmed) for event in yard.events)


def test_a_robot_that_takes_its_time_to_stop_is_not_taken_for_stopped(
    yard: Yard, robot: Make, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Asked to cancel again, a server calls a goal terminated that is being cancelled."""
    from treec_ros import goals

    monkeypatch.setattr(goals, "AGAIN", 0.05)
    monkeypatch.setattr(goals, "RESULT", 0.2)
    one = robot(behaviour="heavy")

    def halt() -> None:
        one.wait_for("begins")
        (goal,) = yard.environment("ros").goals.open
        one.tell_charge(0.5)
        one.wait_for("cancel")
        asked: set[float] = set()
        wait_until(lambda: asked.add(goal.cancelled_at) or len(asked) > 8 or goal.is_settled)
        assert not goal.is_settled
        one.go_on.set()

    yard.go(yard.tree(f"sequence:\n  - {{force_success: true, {FLOW}}}\n  - wait: 1s"), halt)
    assert yard.noted[-1] == "ended canceled"


def test_the_next_goal_waits_until_the_one_before_has_ended(yard: Yard, robot: Make) -> None:
    one = robot(behaviour="stubborn")
    tree = f"""
sequence:
  - force_success: true
    sequence:
      - {{{FLOW}}}
  - skill: drive
    with: {{agent: R1, place: shed}}
"""

    def halt() -> None:
        one.wait_for("begins")
        one.tell_charge(0.5)
        one.wait_for("cancel")
        assert "goal 3" not in one.log
        one.behaviour = "good"
        one.go_on.set()

    assert yard.go(yard.tree(tree), halt).ok
    assert one.log.index("goal 3") > one.log.index("arrived")


def test_a_goal_cancelled_by_another_node_is_a_failure(yard: Yard, robot: Make) -> None:
    one = robot(behaviour="endless")

    def preempt() -> None:
        one.wait_for("begins")
        one.cancel_all()

    assert not yard.go("main", preempt).ok
    assert yard.reason == "drove 0 metres (canceled)"
    assert yard.noted == ["sent", "accepted", "ended canceled"]


OTHER = "/R1/drive has a goal of another node, too: R1 may not be free"


def test_a_goal_that_another_node_s_goal_preempts_is_a_failure(yard: Yard, robot: Make) -> None:
    one = robot(behaviour="single")

    def preempt() -> None:
        one.wait_for("begins")
        one.command(7)

    assert not yard.go("main", preempt).ok
    assert yard.reason == "drove 0 metres (aborted)"
    assert one.log[-1] == "aborted"
    assert OTHER in yard.words


def test_a_robot_at_another_client_s_goal_is_not_at_rest(yard: Yard, robot: Make) -> None:
    """Its own goal is cancelled and ends; the other's is left alone, until who sent it ends it."""
    one = robot(behaviour="endless")
    tree = f"""
sequence:
  - force_success: true
    sequence:
      - {{{FLOW}}}
  - {{wait: 1m}}
"""

    def both() -> None:
        one.wait_for("begins")
        one.command(7)
        wait_until(lambda: OTHER in yard.words)
        one.tell_charge(0.5)
        wait_until(lambda: "ended canceled" in yard.noted)
        environment = yard.environment("ros")
        assert not environment.is_at_rest("R1")
        assert one.log.count("stopped") == 1
        one.cancel_all()
        wait_until(lambda: environment.is_at_rest("R1"))
        yard.run.loop.stop()

    yard.go(yard.tree(tree), both)
    assert one.log.count("stopped") == 2
    assert yard.noted.count("other client") == 1


def test_two_servers_of_one_action_are_named(yard: Yard, robot: Make) -> None:
    """Both may drive; the first result counts, and the other one changes nothing."""
    first, second = robot(), robot()
    tree = """
sequence:
  - {wait: {until: battery(R1) == 50}}
  - {skill: drive, with: {agent: R1, place: gate}}
  - {wait: {until: battery(R1) == 25}}
"""

    def halt() -> None:
        wait_until(lambda: yard.sees_servers("/R1/drive", 2))
        first.tell_charge(0.5)
        first.wait_for("arrived")
        first.tell_charge(0.25)

    assert yard.go(yard.tree(tree), halt).ok
    assert yard.noted.count("ended succeeded") == 1
    assert len(yard.ended) == 1
    assert "2 servers answer to /R1/drive: both act" in yard.words
    assert second.log in ([], ["goal 5"], ["goal 5", "begins"], ["goal 5", "begins", "arrived"])


def test_quality_of_service_that_does_not_fit_is_named(yard: Yard, robot: Make) -> None:
    yard.edit("yard.domain.yaml", "every: 0s", "qos: {durability: transient_local}")
    robot()

    def look() -> None:
        wait_until(lambda: yard.words)
        yard.run.loop.stop()

    yard.go(yard.tree("wait: 1m"), look)
    assert "quality of service does not fit (policy durability)" in yard.words[0]


class Program:
    """A robot in a process of its own, whose end others see after two seconds."""

    LEASE = """<?xml version="1.0"?>
<dds xmlns="http://www.eprosima.com"><profiles>
<participant profile_name="short" is_default_profile="true"><rtps><builtin><discovery_config>
<leaseDuration><sec>2</sec></leaseDuration>
<leaseAnnouncement><sec>0</sec><nanosec>200000000</nanosec></leaseAnnouncement>
</discovery_config></builtin></rtps></participant></profiles></dds>"""

    def __init__(self, yard: Yard, behaviour: str) -> None:
        lease = yard.root.parent / "lease.xml"
        lease.write_text(self.LEASE, "utf-8")
        self.process = subprocess.Popen(
            [sys.executable, "-m", "tests.ros.robot", "R1", behaviour],
            env={
                **os.environ,
                "ROS_DOMAIN_ID": str(yard.domain),
                "FASTRTPS_DEFAULT_PROFILES_FILE": str(lease),
            },
            cwd=ROOT,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )
        self.wait_for("ready")

    def wait_for(self, what: str) -> None:
        assert self.process.stdout is not None
        limit = threading.Timer(LIMIT, self.process.kill)  # which ends its output
        limit.start()
        try:
            for line in self.process.stdout:
                if line.strip() == what:
                    return
        finally:
            limit.cancel()
        raise AssertionError(f"the robot ended before '{what}', or was not there in time")

    def kill(self) -> None:
        self.process.send_signal(signal.SIGKILL)
        self.process.wait(LIMIT)


def test_a_server_that_dies_is_gone_and_one_that_comes_back_is_asked(yard: Yard) -> None:
    program = Program(yard, "endless")
    tree = """
sequence:
  - force_success: true
    sequence:
      - {skill: drive, with: {agent: R1, place: gate}}
  - skill: drive
    with: {agent: R1, place: shed}
"""
    programs = [program]

    def die() -> None:
        program.wait_for("begins")
        program.kill()
        programs.append(Program(yard, "good"))

    try:
        assert yard.go(yard.tree(tree), die).ok
    finally:
        for one in programs:
            one.kill()
    assert yard.ended[0].reason == "the server of /R1/drive is gone"
    assert "the server of /R1/drive is gone; what R1 does is not known" in yard.words
    assert yard.noted.index("ended unknown") < len(yard.noted) - yard.noted[::-1].index("sent")
    assert yard.values("near") == ["shed"]


@pytest.mark.parametrize("behaviour", ["endless", "good"])
def test_a_resumed_run_asks_what_its_robot_is_doing(
    yard: Yard, robot: Make, behaviour: str
) -> None:
    """Nothing is commanded twice; what had succeeded meanwhile is a fact."""
    one = robot(behaviour="slow")
    process = subprocess.Popen(
        [sys.executable, "-m", "treec", "run", "yard", "-L", yard.root, "--runs", yard.folder],
        env={**os.environ, "ROS_DOMAIN_ID": str(yard.domain)},
        stdout=subprocess.DEVNULL,
        stdin=subprocess.DEVNULL,
    )
    one.wait_for("begins")
    process.kill()
    process.wait(LIMIT)
    one.behaviour = behaviour
    one.go_on.set()
    if behaviour == "good":
        one.wait_for("arrived")
    (folder,) = (path for path in yard.folder.iterdir() if path.is_dir())
    yard.edit("drive.skill.yaml", "timeout: 5s", "timeout: 300ms")
    done = yard.resume(folder)
    yard.folder = folder
    words = [text for text in yard.words if text.startswith("R1: ")]
    assert words, (yard.noted, one.log)
    if behaviour == "endless":
        assert "stopped" in one.log
        assert words[0] == "R1: asked /R1/drive what it is doing, and to stop"
        assert words[1] == "R1: what /R1/drive was doing before has ended: canceled"
    else:
        assert words[-1] == "R1: what /R1/drive was doing before has ended: succeeded"
        assert yard.values("near")[-1] == "gate"
        assert done
        assert one.log.count("goal 5") == 1, yard.events
