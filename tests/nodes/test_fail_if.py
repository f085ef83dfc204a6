from tests.nodes.build import probes, shown
from treec.nodes.modifiers.fail_if import FailIf


def test_true_is_failure_without_a_tick():
    (a,) = probes("S")
    values = iter([True, False])
    node = FailIf(name="m", condition=lambda: next(values), child=a)
    assert shown(node, 2) == ["FAILURE", "SUCCESS aS", "end"]


def test_a_running_node_is_not_asked_again():
    (a,) = probes("RS")
    values = iter([False, True])
    node = FailIf(name="m", condition=lambda: next(values), child=a)
    assert shown(node, 3) == ["RUNNING aR", "SUCCESS aS", "FAILURE", "end"]
    assert node.feedback_message == "refused by its fail_if"
