from tests.nodes.build import probes, shown
from treec.nodes.control.reactive_sequence import reactive_sequence


def test_asks_the_children_before_the_running_one_again():
    assert shown(reactive_sequence(name="s", children=probes("S", "RS")), 2) == [
        "RUNNING aS bR",
        "SUCCESS aS bS",
        "end",
    ]


def test_a_condition_that_fails_halts_the_work_behind_it():
    assert shown(reactive_sequence(name="s", children=probes("SF", "R")), 2) == [
        "RUNNING aS bR",
        "FAILURE aF | b",
        "end",
    ]


def test_an_earlier_child_that_runs_halts_the_work_behind_it():
    assert shown(reactive_sequence(name="s", children=probes("SR", "R")), 2) == [
        "RUNNING aS bR",
        "RUNNING aR | b",
        "end a",
    ]
