from tests.nodes.build import probes, shown
from treec.nodes.control.reactive_selector import reactive_selector


def test_a_child_of_higher_priority_takes_over():
    assert shown(reactive_selector(name="s", children=probes("FR", "R")), 2) == [
        "RUNNING aF bR",
        "RUNNING aR | b",
        "end a",
    ]


def test_a_success_of_higher_priority_halts_the_rest():
    assert shown(reactive_selector(name="s", children=probes("FS", "R")), 2) == [
        "RUNNING aF bR",
        "SUCCESS aS | b",
        "end",
    ]


def test_fails_when_all_fail_in_one_tick():
    assert shown(reactive_selector(name="s", children=probes("F", "RF")), 2) == [
        "RUNNING aF bR",
        "FAILURE aF bF",
        "end",
    ]
