import pytest
from py_trees.common import Status

from tests.nodes.build import probes
from treec.nodes.modifiers.timeout import Timeout, duration_text
from treec.world.clock import VirtualClock


def timed(script: str, seconds: float):
    clock = VirtualClock()
    (a,) = probes(script)
    halts: list[str] = []
    a.on_halt = lambda probe: halts.append(probe.name)
    node = Timeout(name="m", seconds=seconds, clock=clock, child=a)
    return node, clock, halts


def test_the_clock_asks_for_the_tick_that_stops_the_node():
    node, clock, halts = timed("R", 180)
    woken: list[float] = []
    node.wake = lambda: woken.append(clock.now())
    node.tick_once()
    assert clock.advance()
    assert woken == [180.0]
    node.tick_once()
    assert node.status is Status.FAILURE
    assert node.feedback_message == "timed out after 3m"
    assert halts == ["a"]
    assert not clock.advance()


def test_a_tick_before_the_deadline_reaches_the_node():
    node, clock, halts = timed("RRS", 10)
    clock.call_at(9.5, lambda: None)
    node.tick_once()
    clock.advance()
    node.tick_once()
    assert node.status is Status.RUNNING
    node.tick_once()
    assert node.status is Status.SUCCESS
    assert halts == []
    assert not clock.advance(), "the timer is cancelled when the node has ended"


def test_every_round_has_a_deadline_of_its_own():
    node, clock, _ = timed("R", 10)
    node.tick_once()
    clock.advance()
    node.tick_once()
    node.tick_once()
    assert node.status is Status.RUNNING
    assert node.feedback_message == ""
    assert clock.advance()
    assert clock.now() == 20


def test_a_halt_drops_the_deadline():
    node, clock, halts = timed("R", 10)
    node.tick_once()
    node.stop(Status.INVALID)
    assert halts == ["a"]
    assert not clock.advance()


def test_a_timeout_takes_time():
    with pytest.raises(ValueError, match="more than 0 seconds"):
        timed("R", 0)


@pytest.mark.parametrize(
    ("seconds", "text"),
    [(180, "3m"), (20, "20s"), (0.5, "500ms"), (3600, "1h"), (90, "90s"), (1.5, "1.5s")],
)
def test_durations_are_written_as_people_write_them(seconds: float, text: str):
    assert duration_text(seconds) == text
