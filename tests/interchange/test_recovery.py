from tests.nodes.build import probes, shown
from treec_interchange.nav2.recovery import Recovery
from treec_interchange.nav2.round_robin import RoundRobin


def test_the_node_is_tried_again_after_each_recovery_in_the_same_tick():
    a, b = probes("FFS", "S")
    assert shown(Recovery("m", 2, a, b), 1) == ["SUCCESS aF bS aF bS aS", "end"]


def test_it_fails_when_the_retries_are_used_up_and_begins_anew():
    a, b = probes("F", "S")
    assert shown(Recovery("m", 1, a, b), 2) == ["FAILURE aF bS aF", "FAILURE aF bS aF", "end"]


def test_a_recovery_that_fails_ends_it():
    a, b = probes("F", "RF")
    assert shown(Recovery("m", 3, a, b), 2) == ["RUNNING aF bR", "FAILURE bF", "end"]


def test_running_ones_go_on_and_are_halted_from_outside():
    a, b = probes("RFRS", "RS")
    assert shown(Recovery("m", 1, a, b), 4) == [
        "RUNNING aR",
        "RUNNING aF bR",
        "RUNNING bS aR",
        "SUCCESS aS",
        "end",
    ]
    a, b = probes("F", "R")
    assert shown(Recovery("m", 1, a, b), 1) == ["RUNNING aF bR", "end b"]


def test_no_retries_is_the_node_alone():
    a, b = probes("FS", "S")
    assert shown(Recovery("m", 0, a, b), 2) == ["FAILURE aF", "SUCCESS aS", "end"]


def test_a_round_robin_tries_another_recovery_each_time():
    a, b, c, d = probes("F", "S", "S", "S")
    node = Recovery("m", 3, a, RoundRobin("r", [b, c, d]))
    assert shown(node, 1) == ["FAILURE aF bS aF cS aF dS aF", "end"]


def test_a_resumed_one_counts_on():
    a, b = probes("F", "S")
    node = Recovery("m", 2, a, b)
    node.recall(1)
    assert node.memory == 1
