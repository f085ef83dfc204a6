from tests.nodes.build import probes, shown
from treec.nodes.modifiers.on_success import OnSuccess
from treec.nodes.modifiers.skip_if import SkipIf


def test_the_handler_follows_in_the_same_tick_and_the_result_stays():
    for letter in "SF":
        a, b = probes("RS", letter)
        node = OnSuccess("m", a, b)
        assert shown(node, 2) == ["RUNNING aR", f"SUCCESS aS b{letter}", "end"]


def test_a_failure_is_not_followed():
    a, b = probes("F", "S")
    assert shown(OnSuccess("m", a, b), 1) == ["FAILURE aF", "end"]


def test_what_is_skipped_is_not_followed():
    a, b = probes("S", "S")
    assert shown(OnSuccess("m", SkipIf("s", lambda: True, a), b), 1) == ["INVALID", "end"]


def test_while_the_handler_runs_the_node_is_not_ticked():
    a, b = probes("S", "RS")
    assert shown(OnSuccess("m", a, b), 2) == ["RUNNING aS bR", "SUCCESS bS", "end"]


def test_a_halt_reaches_the_handler():
    a, b = probes("S", "R")
    assert shown(OnSuccess("m", a, b), 1) == ["RUNNING aS bR", "end b"]
