from tests.nodes.build import probes, shown
from treec.nodes.control.selector import selector


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
