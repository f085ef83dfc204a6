import pytest
from py_trees.behaviour import Behaviour
from py_trees.common import Status

from tests.nodes.build import probes, shown
from treec.nodes.control.parallel import Parallel
from treec.nodes.control.reactive_selector import reactive_selector
from treec.nodes.control.reactive_sequence import reactive_sequence
from treec.nodes.control.selector import selector
from treec.nodes.control.sequence import sequence
from treec.nodes.control.sequence_with_memory import sequence_with_memory
from treec.nodes.modifiers.invert import invert
from treec.nodes.modifiers.keep_running_until_failure import keep_running_until_failure
from treec.nodes.modifiers.skip_if import SkipIf
from treec.nodes.modifiers.skip_unless import SkipUnless
from treec.nodes.modifiers.succeed_if import SucceedIf
from treec_interchange.nav2.round_robin import RoundRobin


def skipped(letter: str = "S", name: str = "") -> SkipIf:
    (a,) = probes(letter)
    return SkipIf(name=name or "m", condition=lambda: True, child=a)


def test_true_is_skipped_without_a_tick():
    (a,) = probes("F")
    values = iter([True, False])
    node = SkipIf(name="m", condition=lambda: next(values), child=a)
    assert shown(node, 2) == ["INVALID", "FAILURE aF", "end"]


def test_a_running_node_is_not_asked_again():
    (a,) = probes("RRS")
    values = iter([False, True])
    node = SkipIf(name="m", condition=lambda: next(values), child=a)
    assert shown(node, 4) == ["RUNNING aR", "RUNNING aR", "SUCCESS aS", "INVALID", "end"]


def test_a_halt_reaches_the_node():
    (a,) = probes("R")
    assert shown(SkipIf(name="m", condition=lambda: False, child=a), 1) == ["RUNNING aR", "end a"]


@pytest.mark.parametrize(
    ("make", "letter", "status"),
    [
        (sequence, "S", "SUCCESS"),
        (sequence, "F", "FAILURE"),
        (reactive_sequence, "S", "SUCCESS"),
        (selector, "F", "FAILURE"),
        (selector, "S", "SUCCESS"),
        (reactive_selector, "F", "FAILURE"),
        (sequence_with_memory, "S", "SUCCESS"),
        (RoundRobin, "F", "FAILURE"),
        (Parallel, "S", "SUCCESS"),
    ],
)
def test_the_node_above_goes_on_as_without_it(make, letter: str, status: str):
    (a,) = probes(letter)
    for children in ([skipped(), a], [a, skipped()]):
        a.parent = None
        node: Behaviour = make("above", children)
        node.tick_once()
        if node.status is Status.RUNNING:  # the wake-up rule
            node.tick_once()
        assert node.status.name == status
    all_skipped = make("above", [skipped(), skipped()])
    all_skipped.tick_once()
    expected = Status.SUCCESS if make is Parallel else Status.INVALID
    assert all_skipped.status is expected


def test_a_child_that_a_parallel_skips_is_asked_again():
    (a, b) = probes("S", "R")
    values = iter([True, False])
    guarded = SkipIf(name="m", condition=lambda: next(values), child=a)
    node = Parallel("p", [guarded, b])
    assert shown(node, 2)[:2] == ["RUNNING bR", "RUNNING aS bR"]


def test_a_modifier_is_skipped_with_its_node_and_keeps_running_if_that_is_its_meaning():
    for make, status in ((invert, Status.INVALID), (keep_running_until_failure, Status.RUNNING)):
        node = make("m", skipped())
        node.tick_once()
        assert node.status is status


def test_skip_unless_stops_a_running_node():
    (a, b) = probes("R", "S")
    values = iter([True, False])
    guarded = SkipUnless(name="m", condition=lambda: next(values), child=a)
    assert shown(selector("s", [guarded, b]), 2) == ["RUNNING aR", "SUCCESS bS | a", "end"]


def test_succeed_if_is_success_without_a_tick():
    (a,) = probes("F")
    values = iter([True, False])
    node = SucceedIf(name="m", condition=lambda: next(values), child=a)
    assert shown(node, 2) == ["SUCCESS", "FAILURE aF", "end"]
