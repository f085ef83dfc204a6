import pytest
from py_trees.common import Status

from tests.nodes.build import shown
from treec.nodes.leaves.probe import Probe


def test_reads_its_script_over_again_when_it_runs_out():
    assert shown(Probe(name="a", script="SFR"), 4) == [
        "SUCCESS aS",
        "FAILURE aF",
        "RUNNING aR",
        "SUCCESS aS",
        "end",
    ]


def test_a_halt_counts_only_while_running():
    halts: list[str] = []
    node = Probe(name="a", script="RSR", on_halt=lambda probe: halts.append(probe.name))
    node.stop(Status.INVALID)
    node.terminate(Status.INVALID)
    assert halts == []
    node.tick_once()
    node.stop(Status.INVALID)
    node.stop(Status.INVALID)
    assert halts == ["a"]
    node.tick_once()
    node.stop(Status.INVALID)
    assert halts == ["a"]


@pytest.mark.parametrize("script", ["", "SX", "s"])
def test_refuses_other_letters(script: str):
    with pytest.raises(ValueError, match="letters S, F and R"):
        Probe(name="a", script=script)
