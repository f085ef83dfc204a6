import pytest
from py_trees.common import Status

from tests.nodes.build import probes
from treec.nodes.modifiers.cooldown import Cooldown
from treec.world.clock import VirtualClock


def cooling(script: str):
    clock = VirtualClock()
    (a,) = probes(script)
    ticks: list[float] = []
    a.on_tick = lambda probe, status: ticks.append(clock.now())
    return Cooldown(name="m", seconds=5, clock=clock, child=a), clock, ticks


@pytest.mark.parametrize("script", ["S", "F"])
def test_fails_without_a_tick_until_the_time_is_over(script: str):
    node, clock, ticks = cooling(script)
    woken: list[float] = []
    node.wake = lambda: woken.append(clock.now())
    node.tick_once()
    node.tick_once()
    assert node.status is Status.FAILURE
    assert node.feedback_message == "cooling down"
    assert ticks == [0]
    assert clock.advance()
    assert woken == [5]
    node.tick_once()
    assert ticks == [0, 5]


def test_the_time_runs_from_the_end_not_the_beginning():
    node, clock, _ = cooling("RS")
    node.tick_once()
    clock.call_at(100, lambda: None)
    clock.advance()
    node.tick_once()
    assert node.status is Status.SUCCESS
    assert node.ready.due == 105


def test_a_halted_node_may_begin_at_once():
    node, _, ticks = cooling("R")
    node.tick_once()
    node.stop(Status.INVALID)
    node.tick_once()
    assert ticks == [0, 0]
