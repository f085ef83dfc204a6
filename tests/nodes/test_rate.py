from py_trees.common import Status

from tests.nodes.build import probes
from treec.nodes.modifiers.rate import Rate
from treec.world.clock import VirtualClock
from treec_interchange.nav2.pipeline import Pipeline


def go(clock, time):
    clock.call_at(time, lambda: None)
    while clock.now() < time:
        clock.advance()


def ticked(node, clock, times):
    statuses = []
    for time in times:
        go(clock, time)
        node.tick_once()
        statuses.append(node.status.name)
    return statuses


def test_it_begins_at_once_and_then_once_a_period():
    clock, (a,) = VirtualClock(), probes("S")
    node = Rate("m", 2, clock, a)
    times = (0, 0.2, 0.4, 0.5, 0.9, 1.0)
    assert ticked(node, clock, times) == [
        *("SUCCESS", "RUNNING", "RUNNING", "SUCCESS", "RUNNING", "SUCCESS")
    ]


def test_a_running_node_is_ticked_always():
    clock, (a,) = VirtualClock(), probes("RRS")
    node = Rate("m", 1, clock, a)
    assert ticked(node, clock, (0, 0.1, 0.2, 0.3)) == [
        *("RUNNING", "RUNNING", "SUCCESS", "RUNNING")
    ]


def test_a_failure_does_not_begin_the_period_anew():
    clock, (a,) = VirtualClock(), probes("FS")
    node = Rate("m", 1, clock, a)
    assert ticked(node, clock, (0, 0.9, 1.0)) == ["FAILURE", "RUNNING", "SUCCESS"]


def test_a_halt_forgets_the_period():
    clock, (a,) = VirtualClock(), probes("S")
    node = Rate("m", 1, clock, a)
    ticked(node, clock, (0, 0.1))
    node.stop(Status.INVALID)
    assert ticked(node, clock, (0.2,)) == ["SUCCESS"]


def test_in_a_pipeline_the_plan_is_made_anew_once_a_period():
    clock, (a, b) = VirtualClock(), probes("S", "R")
    node = Pipeline("p", [Rate("m", 1, clock, a), b])
    seen = []
    for probe in (a, b):
        probe.on_tick = lambda probe, status: seen.append(probe.name)
    ticked(node, clock, (0, 0.5, 1.0, 1.5))
    assert "".join(seen) == "abbabb"


def test_it_asks_for_the_tick_in_which_the_node_may_begin():
    clock, (a,) = VirtualClock(), probes("S")
    node = Rate("m", 4, clock, a)
    woken = []
    node.wake = lambda: woken.append(clock.now())
    ticked(node, clock, (0, 0.1))
    go(clock, 1)
    assert woken == [0.25]
