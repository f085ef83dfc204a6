from tests.nodes.build import probes, shown
from treec.nodes.control.switch import Switch


def test_ticks_the_child_whose_key_equals_the_value():
    a, b, c = probes("S", "F", "R")
    values = iter(["x", "y", "z", "z"])
    node = Switch(name="s", select=lambda: next(values), cases={"x": a, "y": b}, default=c)
    assert shown(node, 4) == ["SUCCESS aS", "FAILURE bF", "RUNNING cR", "RUNNING cR", "end c"]


def test_another_value_halts_the_running_child_first():
    a, b = probes("R", "RS")
    values = iter([1, 1, 2, 2])
    node = Switch(name="s", select=lambda: next(values), cases={1: a, 2: b})
    assert shown(node, 4) == [
        "RUNNING aR",
        "RUNNING aR",
        "RUNNING bR | a",
        "SUCCESS bS",
        "end",
    ]


def test_fails_when_nothing_matches_and_halts_what_ran():
    (a,) = probes("R")
    values = iter(["x", "nothing"])
    node = Switch(name="s", select=lambda: next(values), cases={"x": a})
    assert shown(node, 2) == ["RUNNING aR", "FAILURE | a", "end"]
    assert node.feedback_message == "no case for 'nothing'"


def test_a_value_need_not_be_hashable():
    a, b = probes("S", "F")
    node = Switch(name="s", select=lambda: ["x"], cases={"x": a}, default=b)
    assert shown(node, 1) == ["FAILURE bF", "end"]
