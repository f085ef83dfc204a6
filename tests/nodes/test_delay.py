import pytest
from py_trees.common import Status

from tests.nodes.build import probes
from treec.nodes.modifiers.delay import Delay
from treec.nodes.modifiers.retry import Retry
from treec.world.clock import VirtualClock


def delayed(script: str):
    clock = VirtualClock()
    (a,) = probes(script)
    ticks: list[float] = []
    a.on_tick = lambda probe, status: ticks.append(clock.now())
    return Delay(name="m", seconds=5, clock=clock, child=a), clock, ticks


def test_the_node_begins_when_the_time_is_over():
    node, clock, ticks = delayed("RS")
    woken: list[float] = []
    node.wake = lambda: woken.append(clock.now())
    node.tick_once()
    node.tick_once()
    assert (node.status, ticks) == (Status.RUNNING, [])
    assert clock.advance()
    assert woken == [5]
    node.tick_once()
    node.tick_once()
    assert (node.status, ticks) == (Status.SUCCESS, [5, 5])


def test_the_time_comes_before_each_attempt():
    node, clock, ticks = delayed("FS")
    root = Retry(name="r", attempts=2, child=node)
    while root.status not in (Status.SUCCESS, Status.FAILURE):
        root.tick_once()
        clock.advance()
    assert (root.status, ticks) == (Status.SUCCESS, [5, 10])


def test_a_halt_cancels_the_time():
    node, clock, ticks = delayed("S")
    node.tick_once()
    node.stop(Status.INVALID)
    assert not clock.advance()
    assert ticks == []


def test_the_time_is_positive():
    with pytest.raises(ValueError, match="more than 0 seconds"):
        Delay(name="m", seconds=0, clock=VirtualClock(), child=probes("S")[0])
