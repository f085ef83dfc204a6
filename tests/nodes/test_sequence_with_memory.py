from tests.nodes.build import probes, shown
from treec.nodes.control.reactive_sequence import reactive_sequence
from treec.nodes.control.sequence_with_memory import sequence_with_memory


def test_an_instant_child_gives_the_tick_back_and_asks_for_another():
    node = sequence_with_memory(name="s", children=probes("S", "S"))
    woken: list[str] = []
    node.wake = lambda: woken.append("wake")
    assert shown(node, 2) == ["RUNNING aS", "SUCCESS bS", "end"]
    assert woken == ["wake"]


def test_a_child_that_was_running_is_followed_in_the_same_tick():
    assert shown(sequence_with_memory(name="s", children=probes("RS", "RS")), 3) == [
        "RUNNING aR",
        "RUNNING aS bR",
        "SUCCESS bS",
        "end",
    ]


def test_after_a_failure_it_begins_with_the_child_that_failed():
    assert shown(sequence_with_memory(name="s", children=probes("S", "FS", "S")), 5) == [
        "RUNNING aS",
        "FAILURE bF",
        "RUNNING bS",
        "SUCCESS cS",
        "RUNNING aS",
        "end",
    ]


def test_a_halt_leaves_the_memory():
    a, b, c = probes("SFS", "S", "RS")
    inner = sequence_with_memory(name="s", children=[b, c])
    assert shown(reactive_sequence(name="r", children=[a, inner]), 4) == [
        "RUNNING aS bS",
        "FAILURE aF",
        "RUNNING aS cR",
        "SUCCESS aS cS",
        "end",
    ]


def test_without_children_it_succeeds():
    assert shown(sequence_with_memory(name="s", children=[]), 1) == ["SUCCESS", "end"]
