import pytest

from tests.nodes.build import probes, shown
from treec.nodes.modifiers.repeat import Repeat


def repeat(script: str, cycles: int) -> Repeat:
    (a,) = probes(script)
    return Repeat(name="m", cycles=cycles, child=a)


def test_an_instant_success_gives_the_tick_back_and_asks_for_another():
    node = repeat("S", 2)
    woken: list[int] = []
    node.wake = lambda: woken.append(1)
    assert shown(node, 3) == ["RUNNING aS", "SUCCESS aS", "RUNNING aS", "end"]
    assert woken == [1, 1]


def test_a_success_after_running_is_followed_in_the_same_tick():
    assert shown(repeat("RS", 2), 3) == ["RUNNING aR", "RUNNING aS aR", "SUCCESS aS", "end"]


def test_failure_ends_it():
    assert shown(repeat("SF", 3), 2) == ["RUNNING aS", "FAILURE aF", "end"]


def test_for_ever():
    assert shown(repeat("S", -1), 5)[:-1] == ["RUNNING aS"] * 5


def test_no_cycles_succeed_at_once():
    assert shown(repeat("F", 0), 1) == ["SUCCESS", "end"]


def test_a_halt_forgets_the_cycles():
    node = repeat("S", 2)
    assert shown(node, 1) == ["RUNNING aS", "end"]
    assert shown(node, 2) == ["RUNNING aS", "SUCCESS aS", "end"]


def test_refuses_other_counts():
    with pytest.raises(ValueError, match="cycles are -1"):
        repeat("S", -2)


def test_a_count_that_is_computed_is_read_when_a_round_begins():
    node = repeat("S", 1)
    counts = iter([2, 0, None])
    node.count_now = lambda: next(counts)
    assert shown(node, 4) == ["RUNNING aS", "SUCCESS aS", "SUCCESS", "FAILURE", "end"]
    assert node.feedback_message == "not a number of times"


def test_a_computed_count_is_remembered():
    node, resumed = repeat("S", 1), repeat("S", 1)
    node.count_now = lambda: 3
    node.tick_once()
    assert node.memory == {"count": 1, "limit": 3}
    assert resumed.recall(node.memory)
    assert (resumed.count, resumed.limit) == (1, 3)
