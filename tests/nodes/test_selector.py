from py_trees.common import Status

from tests.nodes.build import probes, shown
from treec.nodes.control.selector import selector
from treec.nodes.in_order import InOrder


def test_instant_failures_follow_each_other_in_one_tick():
    assert shown(selector(name="s", children=probes("F", "S", "S")), 1) == [
        "SUCCESS aF bS",
        "end",
    ]


def test_holds_on_to_the_running_child():
    assert shown(selector(name="s", children=probes("FS", "RRS")), 4) == [
        "RUNNING aF bR",
        "RUNNING bR",
        "SUCCESS bS",
        "SUCCESS aS",
        "end",
    ]


def test_fails_when_all_have_failed():
    assert shown(selector(name="s", children=probes("F", "RF")), 2) == [
        "RUNNING aF bR",
        "FAILURE bF",
        "end",
    ]


def test_without_children_it_fails():
    assert shown(selector(name="s", children=[]), 1) == ["FAILURE", "end"]


def test_one_that_yields_gives_the_tick_back_after_a_failure_at_once():
    def yielding(*scripts: str) -> InOrder:
        return InOrder("s", probes(*scripts), Status.FAILURE)

    assert shown(yielding("F", "RF", "F"), 3) == [
        "RUNNING aF",
        "RUNNING bR",
        "FAILURE bF cF",
        "end",
    ]
    assert shown(yielding("F", "S"), 2) == ["RUNNING aF", "SUCCESS bS", "end"]
    assert shown(yielding(), 1) == ["FAILURE", "end"]
