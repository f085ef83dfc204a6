from tests.nodes.build import probes, shown
from treec.nodes.modifiers.while_ import While


def test_false_stops_the_node_in_that_tick():
    (a,) = probes("R")
    values = iter([True, True, False])
    node = While(name="m", condition=lambda: next(values), child=a)
    assert shown(node, 3) == ["RUNNING aR", "RUNNING aR", "FAILURE | a", "end"]
    assert node.feedback_message == "ended by its while"


def test_false_at_first_gives_no_tick():
    (a,) = probes("S")
    values = iter([False, True])
    node = While(name="m", condition=lambda: next(values), child=a)
    assert shown(node, 2) == ["FAILURE", "SUCCESS aS", "end"]
    assert node.feedback_message == ""
