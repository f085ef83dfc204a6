from tests.nodes.build import probes, shown
from treec.nodes.control.sequence import sequence


def test_instant_children_follow_each_other_in_one_tick():
    assert shown(sequence(name="s", children=probes("S", "S")), 2) == [
        "SUCCESS aS bS",
        "SUCCESS aS bS",
        "end",
    ]


def test_goes_on_from_the_running_child():
    assert shown(sequence(name="s", children=probes("S", "RS", "S")), 3) == [
        "RUNNING aS bR",
        "SUCCESS bS cS",
        "RUNNING aS bR",
        "end b",
    ]


def test_a_failure_ends_the_round_and_the_next_begins_at_the_first_child():
    assert shown(sequence(name="s", children=probes("S", "FS", "S")), 2) == [
        "FAILURE aS bF",
        "SUCCESS aS bS cS",
        "end",
    ]


def test_without_children_it_succeeds():
    assert shown(sequence(name="s", children=[]), 1) == ["SUCCESS", "end"]
