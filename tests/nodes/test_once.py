import pytest
from py_trees.common import Status

from tests.nodes.build import probes, shown
from treec.nodes.modifiers.once import once


@pytest.mark.parametrize(("letter", "status"), [("S", "SUCCESS"), ("F", "FAILURE")])
def test_the_result_stands(letter: str, status: str):
    (a,) = probes(f"R{letter}R")
    assert shown(once(name="m", child=a), 4) == [
        "RUNNING aR",
        f"{status} a{letter}",
        status,
        status,
        "end",
    ]


def test_a_halt_does_not_clear_it_and_gives_no_result_to_a_running_node():
    (a,) = probes("RS")
    node = once(name="m", child=a)
    node.tick_once()
    node.stop(Status.INVALID)
    assert shown(node, 2) == ["SUCCESS aS", "SUCCESS", "end"]
    assert shown(node, 1) == ["SUCCESS", "end"]


@pytest.mark.parametrize(("letter", "status"), [("S", "SUCCESS"), ("F", "FAILURE")])
def test_it_is_skipped_after_the_result(letter: str, status: str):
    (a,) = probes(f"R{letter}R")
    node = once(name="m", child=a, then="skip")
    assert shown(node, 3) == ["RUNNING aR", f"{status} a{letter}", "INVALID", "end"]
    (a,) = probes(letter)
    resumed = once(name="m", child=a, then="skip")
    resumed.recall(node.memory)
    assert shown(resumed, 1) == ["INVALID", "end"]
