from tests.nodes.build import probes, shown
from treec.nodes.modifiers.skip_if import SkipIf


def test_true_is_success_without_a_tick():
    (a,) = probes("F")
    values = iter([True, False])
    node = SkipIf(name="m", condition=lambda: next(values), child=a)
    assert shown(node, 2) == ["SUCCESS", "FAILURE aF", "end"]


def test_a_running_node_is_not_asked_again():
    (a,) = probes("RRS")
    values = iter([False, True])
    node = SkipIf(name="m", condition=lambda: next(values), child=a)
    assert shown(node, 4) == ["RUNNING aR", "RUNNING aR", "SUCCESS aS", "SUCCESS", "end"]


def test_a_halt_reaches_the_node():
    (a,) = probes("R")
    assert shown(SkipIf(name="m", condition=lambda: False, child=a), 1) == ["RUNNING aR", "end a"]
