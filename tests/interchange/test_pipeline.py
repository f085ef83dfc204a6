from tests.nodes.build import probes, shown
from treec_interchange.nav2.pipeline import Pipeline


def test_what_has_succeeded_is_ticked_again_while_a_later_one_runs():
    a, b, c = probes("S", "S", "RRS")
    assert shown(Pipeline("m", [a, b, c]), 3) == [
        "RUNNING aS bS cR",
        "RUNNING aS bS cR",
        "SUCCESS aS bS cS",
        "end",
    ]


def test_an_earlier_one_that_runs_again_holds_no_later_one():
    a, b, c = probes("SRR", "RRS", "S")
    assert shown(Pipeline("m", [a, b, c]), 3) == [
        "RUNNING aS bR",
        "RUNNING aR bR",
        "SUCCESS aR bS cS | a",
        "end",
    ]


def test_the_first_one_to_run_is_waited_for():
    a, b = probes("RSS", "RS")
    assert shown(Pipeline("m", [a, b]), 3) == [
        "RUNNING aR",
        "RUNNING aS bR",
        "SUCCESS aS bS",
        "end",
    ]


def test_a_failure_halts_the_running_ones_and_the_next_round_begins_anew():
    a, b = probes("SFR", "RS")
    assert shown(Pipeline("m", [a, b]), 3) == [
        "RUNNING aS bR",
        "FAILURE aF | b",
        "RUNNING aR",
        "end a",
    ]


def test_a_resumed_one_goes_on_where_it_was():
    a, b = probes("RS", "S")
    node = Pipeline("m", [a, b])
    assert node.recall(1)
    assert node.memory == 1
    assert not node.recall(2)
