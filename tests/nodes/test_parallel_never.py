from tests.nodes.build import probes, shown
from treec.nodes.control.parallel import ParallelNever


def test_runs_for_ever_and_begins_finished_children_again():
    node = ParallelNever(name="p", children=probes("S", "RF", "R"))
    assert shown(node, 3) == [
        "RUNNING aS bR cR",
        "RUNNING aS bF cR",
        "RUNNING aS bR cR",
        "end b c",
    ]


def test_only_a_child_that_took_time_asks_for_a_tick():
    node = ParallelNever(name="p", children=probes("S", "RF"))
    woken: list[int] = []
    node.wake = lambda: woken.append(1)
    node.tick_once()
    assert woken == []
    node.tick_once()
    assert woken == [1]


def test_without_children_it_runs():
    assert shown(ParallelNever(name="p", children=[]), 1) == ["RUNNING", "end"]
