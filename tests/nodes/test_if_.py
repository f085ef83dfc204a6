from tests.nodes.build import probes, shown
from treec.nodes.control.if_ import If


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
