from py_trees.common import Status

from tests.nodes.build import probes, shown
from treec.nodes.control.sequence import sequence
from treec.nodes.modifiers.on_failure import OnFailure
from treec.nodes.modifiers.timeout import Timeout
from treec.nodes.modifiers.while_ import While
from treec.world.clock import VirtualClock


def test_the_handler_runs_in_the_tick_of_the_failure_and_the_failure_stands():
    a, b = probes("RF", "S")
    assert shown(OnFailure(name="m", child=a, handler=b), 2) == [
        "RUNNING aR",
        "FAILURE aF bS",
        "end",
    ]


def test_the_handler_may_take_time_and_fail():
    a, b = probes("F", "RRF")
    assert shown(OnFailure(name="m", child=a, handler=b), 4) == [
        "RUNNING aF bR",
        "RUNNING bR",
        "FAILURE bF",
        "RUNNING aF bR",
        "end b",
    ]


def test_success_needs_no_handler():
    a, b = probes("RS", "S")
    assert shown(OnFailure(name="m", child=a, handler=b), 2) == [
        "RUNNING aR",
        "SUCCESS aS",
        "end",
    ]


def test_a_timeout_inside_is_handled_and_its_reason_bound():
    clock = VirtualClock()
    a, b = probes("R", "S")
    reasons: list[str] = []
    node = OnFailure(
        name="m",
        child=Timeout(name="t", seconds=20, clock=clock, child=a),
        handler=b,
        bind=reasons.append,
    )
    node.tick_once()
    clock.advance()
    node.tick_once()
    assert node.status is Status.FAILURE
    assert reasons == ["timed out after 20s"]
    assert node.feedback_message == "timed out after 20s"


def test_the_reason_is_that_of_the_child_that_failed():
    a, b, c = probes("S", "F", "S")
    b.feedback_message = "slipped"
    reasons: list[str] = []
    OnFailure(
        name="m", child=sequence(name="s", children=[a, b]), handler=c, bind=reasons.append
    ).tick_once()
    assert reasons == ["slipped"]
    a, c = probes("F", "S")
    OnFailure(name="m", child=a, handler=c, bind=reasons.append).tick_once()
    assert reasons == ["slipped", "a failed"]


def test_the_while_of_the_same_node_runs_no_handler():
    a, b = probes("R", "S")
    values = iter([True, False])
    node = While(
        name="w",
        condition=lambda: next(values),
        child=OnFailure(name="m", child=a, handler=b),
    )
    assert shown(node, 2) == ["RUNNING aR", "FAILURE | a", "end"]


def test_a_halt_reaches_the_handler():
    a, b = probes("FS", "R")
    node = OnFailure(name="m", child=a, handler=b)
    assert shown(node, 1) == ["RUNNING aF bR", "end b"]
    assert shown(node, 1) == ["SUCCESS aS", "end"]
