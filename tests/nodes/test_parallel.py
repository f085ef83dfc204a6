import pytest

from tests.nodes.build import probes, shown
from treec.nodes.control.parallel import Parallel, ParallelAll, threshold


def test_by_default_all_must_succeed_and_none_may_fail():
    assert shown(Parallel(name="p", children=probes("S", "RS")), 2) == [
        "RUNNING aS bR",
        "SUCCESS bS",
        "end",
    ]
    assert shown(Parallel(name="p", children=probes("R", "F", "R")), 1) == [
        "FAILURE aR bF | a",
        "end",
    ]


def test_once_decided_the_rest_is_halted_and_gets_no_tick():
    node = Parallel(name="p", children=probes("R", "RS", "R"), success_count=1)
    assert shown(node, 2) == ["RUNNING aR bR cR", "SUCCESS aR bS | a c", "end"]


def test_finished_children_rest_until_the_next_round():
    node = Parallel(name="p", children=probes("F", "RS", "S"), success_count=2, failure_count=2)
    assert shown(node, 3) == ["RUNNING aF bR cS", "SUCCESS bS", "RUNNING aF bR cS", "end b"]


def test_it_fails_when_success_is_out_of_reach():
    node = Parallel(name="p", children=probes("F", "F", "R"), success_count=2, failure_count=3)
    assert shown(node, 1) == ["FAILURE aF bF", "end"]


def test_success_is_looked_at_first():
    node = Parallel(name="p", children=probes("S"), success_count=0, failure_count=0)
    assert shown(node, 1) == ["SUCCESS aS", "end"]


@pytest.mark.parametrize(("count", "means"), [(-1, 3), (-2, 2), (-4, 0), (-9, 0), (0, 0), (3, 3)])
def test_negative_counts_are_counted_from_the_end(count: int, means: int):
    assert threshold("success", count, 3) == means


def test_a_count_above_the_children_is_an_error():
    with pytest.raises(ValueError, match="success count 3 can never be reached by 2 children"):
        Parallel(name="p", children=probes("S", "S"), success_count=3)
    with pytest.raises(ValueError, match="failure count 3"):
        Parallel(name="p", children=probes("S", "S"), failure_count=3)


def test_a_halt_reaches_every_running_child():
    node = Parallel(name="p", children=probes("R", "S", "R"))
    assert shown(node, 1) == ["RUNNING aR bS cR", "end a c"]


def test_until_all_have_ended():
    node = ParallelAll(name="p", children=probes("F", "RS", "S"))
    assert shown(node, 3) == ["RUNNING aF bR cS", "FAILURE bS", "RUNNING aF bR cS", "end b"]
    node = ParallelAll(name="p", children=probes("F", "RS"), failure_count=2)
    assert shown(node, 2) == ["RUNNING aF bR", "SUCCESS bS", "end"]
