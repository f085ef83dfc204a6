from collections.abc import Sequence
from typing import Any

import pytest

from tests.nodes.build import probes, shown
from treec.nodes.control.for_each import ForEach


def each(script: str, items: list[str]):
    bound: list[str] = []
    (a,) = probes(script)
    return ForEach(name="f", items=lambda: items, bind=bound.append, child=a), bound


def test_instant_items_follow_each_other_in_one_tick():
    node, bound = each("S", ["x", "y", "z"])
    assert shown(node, 1) == ["SUCCESS aS aS aS", "end"]
    assert bound == ["x", "y", "z"]


def test_an_item_is_bound_once_while_the_child_runs():
    node, bound = each("RS", ["x", "y"])
    assert shown(node, 3) == ["RUNNING aR", "RUNNING aS aR", "SUCCESS aS", "end"]
    assert bound == ["x", "y"]


def test_a_failure_leaves_the_rest():
    node, bound = each("SF", ["x", "y", "z"])
    assert shown(node, 1) == ["FAILURE aS aF", "end"]
    assert bound == ["x", "y"]


def test_an_empty_list_succeeds():
    node, bound = each("S", [])
    assert shown(node, 1) == ["SUCCESS", "end"]
    assert bound == []


def test_the_list_is_read_when_a_round_begins():
    items = ["x"]
    node, bound = each("RS", items)
    node.tick_once()
    items.append("y")
    node.tick_once()
    assert node.status.name == "SUCCESS"
    node.tick_once()
    assert bound == ["x", "x"]
    node.tick_once()
    assert bound == ["x", "x", "y"]


def test_a_halt_forgets_the_items():
    node, bound = each("R", ["x", "y"])
    assert shown(node, 1) == ["RUNNING aR", "end a"]
    node.tick_once()
    assert bound == ["x", "x"]


class Queue:
    """A loop that takes from a queue."""

    def __init__(self, script: str, *waiting: str, **how: Any) -> None:
        self.waiting: list[str] = list(waiting)
        self.bound: list[str] = []
        (a,) = probes(script)
        self.node = ForEach("f", lambda: self.waiting, self.bound.append, a, take=self.take, **how)

    def take(self, rest: Sequence[str]) -> None:
        self.waiting = list(rest)


def test_an_item_is_taken_as_the_child_starts_on_it_and_so_is_what_is_appended():
    queue = Queue("RS", "x", "y")
    queue.node.tick_once()
    assert (queue.bound, queue.waiting) == (["x"], ["y"])
    queue.waiting.append("z")
    assert shown(queue.node, 3) == ["RUNNING aS aR", "RUNNING aS aR", "SUCCESS aS", "end"]
    assert (queue.bound, queue.waiting) == (["x", "y", "z"], [])


def test_what_is_behind_an_item_that_fails_or_is_halted_stays_in_the_queue():
    queue = Queue("SFR", "x", "y", "z", "w")
    assert shown(queue.node, 2) == ["FAILURE aS aF", "RUNNING aR", "end a"]
    assert (queue.bound, queue.waiting) == (["x", "y", "z"], ["w"])


def test_one_that_yields_gives_the_tick_back_after_each_item():
    woken: list[str] = []
    queue = Queue("SRS", "x", "y", yields=True)
    queue.node.wake = lambda: woken.append("wake")
    assert shown(queue.node, 4) == ["RUNNING aS", "RUNNING aR", "RUNNING aS", "SUCCESS", "end"]
    assert woken == ["wake", "wake"]


@pytest.mark.parametrize(
    ("if_empty", "status"),
    [("success", "SUCCESS"), ("failure", "FAILURE"), ("skip", "INVALID"), ("running", "RUNNING")],
)
def test_when_no_item_is_left_it_ends_as_it_is_told(if_empty: str, status: str):
    assert shown(Queue("S", "x", if_empty=if_empty).node, 2) == [f"{status} aS", status, "end"]


def test_one_that_waits_goes_on_with_what_is_appended():
    queue = Queue("S", if_empty="running")
    queue.node.tick_once()
    queue.waiting.append("x")
    assert shown(queue.node, 1) == ["RUNNING aS", "end"]
    assert queue.bound == ["x"]


def test_a_queue_may_be_taken_from_in_any_order():
    queue = Queue("S", *"abcdef", seed="1 tree")
    queue.node.tick_once()
    assert sorted(queue.bound) == list("abcdef") != queue.bound
    assert queue.waiting == []


def test_one_that_feeds_itself_gives_the_tick_back():
    queue = Queue("S", "x", "y")
    queue.node.decorated.on_tick = lambda *_: queue.waiting.append("more")  # type: ignore[attr-defined]
    assert shown(queue.node, 2) == ["RUNNING aS aS", "RUNNING aS aS", "end"]
