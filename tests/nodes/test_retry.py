import pytest

from tests.nodes.build import probes, shown
from treec.nodes.modifiers.retry import Retry


def retry(script: str, attempts: int) -> Retry:
    (a,) = probes(script)
    return Retry(name="m", attempts=attempts, child=a)


def test_an_instant_failure_gives_the_tick_back_and_asks_for_another():
    node = retry("F", 3)
    woken: list[int] = []
    node.wake = lambda: woken.append(1)
    assert shown(node, 4) == ["RUNNING aF", "RUNNING aF", "FAILURE aF", "RUNNING aF", "end"]
    assert woken == [1, 1, 1]


def test_a_failure_after_running_is_retried_in_the_same_tick():
    assert shown(retry("RF", 3), 3) == ["RUNNING aR", "RUNNING aF aR", "RUNNING aF aR", "end a"]
    assert shown(retry("RFF", 3), 2) == ["RUNNING aR", "RUNNING aF aF", "end"]


def test_success_ends_it():
    assert shown(retry("FS", 3), 2) == ["RUNNING aF", "SUCCESS aS", "end"]


def test_for_ever():
    assert shown(retry("F", -1), 5)[:-1] == ["RUNNING aF"] * 5


def test_no_attempts_fail_at_once():
    assert shown(retry("S", 0), 1) == ["FAILURE", "end"]


def test_a_halt_forgets_the_attempts():
    node = retry("F", 2)
    assert shown(node, 1) == ["RUNNING aF", "end"]
    assert shown(node, 2) == ["RUNNING aF", "FAILURE aF", "end"]


def test_refuses_other_counts():
    with pytest.raises(ValueError, match="attempts are -1"):
        retry("S", -2)
