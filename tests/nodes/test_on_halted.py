from py_trees.common import Status

from tests.nodes.build import probes, shown
from treec.nodes.control.reactive_sequence import reactive_sequence
from treec.nodes.modifiers.on_halted import OnHalted


def test_the_handler_runs_when_the_running_node_is_halted():
    guard, a, b = probes("SSF", "R", "S")
    node = reactive_sequence("m", [guard, OnHalted(name="h", child=a, handler=b)])
    assert shown(node, 3) == [
        "RUNNING aS bR",
        "RUNNING aS bR",
        "FAILURE aF cS | b",
        "end",
    ]


def test_it_does_not_run_when_the_node_ends_by_itself():
    a, b = probes("RSF", "S")
    assert shown(OnHalted(name="m", child=a, handler=b), 3) == [
        "RUNNING aR",
        "SUCCESS aS",
        "FAILURE aF",
        "end",
    ]


def test_a_handler_that_would_take_time_is_halted():
    a, b = probes("R", "R")
    node = OnHalted(name="m", child=a, handler=b)
    node.tick_once()
    node.stop(Status.INVALID)
    assert (a.status, b.status, node.status) == (Status.INVALID,) * 3
