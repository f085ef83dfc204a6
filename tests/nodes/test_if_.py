from tests.nodes.build import probes, shown
from treec.nodes.control.if_ import If
from treec.nodes.modifiers.skip_if import SkipIf


def test_the_choice_is_made_once_a_round():
    a, b = probes("RRS", "F")
    values = iter([True, False])
    node = If(name="i", condition=lambda: next(values), then=a, else_=b)
    assert shown(node, 4) == ["RUNNING aR", "RUNNING aR", "SUCCESS aS", "FAILURE bF", "end"]


def test_without_else_a_false_condition_fails():
    (a,) = probes("S")
    values = iter([False, True])
    node = If(name="i", condition=lambda: next(values), then=a)
    assert shown(node, 2) == ["FAILURE", "SUCCESS aS", "end"]


def test_a_halt_reaches_the_chosen_child():
    a, b = probes("R", "R")
    assert shown(If(name="i", condition=lambda: False, then=a, else_=b), 1) == [
        "RUNNING bR",
        "end b",
    ]


def test_a_node_is_a_condition_that_may_take_time():
    (test, then, otherwise) = probes("RSF", "S", "S")
    node = If(name="i", condition=test, then=then, else_=otherwise)
    assert shown(node, 3) == ["RUNNING aR", "SUCCESS aS bS", "SUCCESS aF cS", "end"]


def test_a_condition_that_is_skipped_skips_the_whole():
    test, then = probes("S", "S")
    node = If(name="i", condition=SkipIf("s", lambda: True, test), then=then)
    assert shown(node, 1) == ["INVALID", "end"]


def test_reactive_chooses_anew_at_every_tick_and_halts_the_other():
    a, b = probes("R", "RS")
    values = iter([True, False, False])
    node = If("i", lambda: next(values), a, b, reactive=True)
    assert shown(node, 3) == ["RUNNING aR", "RUNNING bR | a", "SUCCESS bS", "end"]
    test, then = probes("SF", "R")
    assert shown(If("i", test, then, reactive=True), 2) == [
        "RUNNING aS bR",
        "FAILURE aF | b",
        "end",
    ]
