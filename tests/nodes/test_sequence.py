from py_trees.common import Status

from tests.nodes.build import probes, shown
from treec.nodes.control.reactive_sequence import reactive_sequence
from treec.nodes.control.sequence import sequence
from treec.nodes.in_order import InOrder


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


def yielding(*scripts: str) -> InOrder:
    return InOrder("s", probes(*scripts), Status.SUCCESS)


def test_one_that_yields_gives_the_tick_back_after_a_child_that_ends_at_once():
    node = yielding("S", "RS", "S")
    woken: list[str] = []
    node.wake = lambda: woken.append("wake")
    expected = ["RUNNING aS", "RUNNING bR", "SUCCESS bS cS", "RUNNING aS", "end"]
    assert shown(node, 4) == expected
    assert woken == ["wake", "wake"]


def test_one_that_yields_begins_with_the_first_child_after_a_failure():
    assert shown(yielding("S", "FS"), 3) == ["RUNNING aS", "FAILURE bF", "RUNNING aS", "end"]


def test_a_guard_is_looked_at_between_the_children_of_one_that_yields():
    guard, *below = probes("SF", "S", "S")
    node = reactive_sequence("r", [guard, InOrder("s", below, Status.SUCCESS)])
    assert shown(node, 2) == ["RUNNING aS bS", "FAILURE aF", "end"]


def test_one_that_yields_without_children_succeeds():
    assert shown(yielding(), 1) == ["SUCCESS", "end"]


def test_each_round_of_a_shuffled_one_has_an_order_of_its_own():
    def rounds(seed: str, ticks: int = 4) -> list[str]:
        node = InOrder("s", probes(*"SSSS"), Status.SUCCESS, yields=False, seed=seed)
        return shown(node, ticks)[:-1]

    orders = rounds("7 tree")
    assert len(set(orders)) > 2
    assert {len(set(order.split()) - {"SUCCESS"}) for order in orders} == {4}
    assert orders == rounds("7 tree")
    assert orders != rounds("8 tree")
