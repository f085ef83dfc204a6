from pathlib import Path

import pytest

from tests.nodes.build import probes, shown
from tests.support.bench import Bench
from tests.support.files import tree
from treec.nodes.control.switch import Switch


def test_ticks_the_child_whose_key_equals_the_value():
    a, b, c = probes("S", "F", "R")
    values = iter(["x", "y", "z", "z"])
    node = Switch(name="s", select=lambda: next(values), cases={"x": a, "y": b}, default=c)
    assert shown(node, 4) == ["SUCCESS aS", "FAILURE bF", "RUNNING cR", "RUNNING cR", "end c"]


def test_another_value_halts_the_running_child_first():
    a, b = probes("R", "RS")
    values = iter([1, 1, 2, 2])
    node = Switch(name="s", select=lambda: next(values), cases={"1": a, "2": b})
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


@pytest.mark.parametrize(
    ("value", "case"),
    [
        *((1, "1"), (1.0, "1"), (0.5, "0.5"), (-2, "-2"), (1000, "1e3"), (7, None)),
        *((True, "true"), (False, "false"), (None, "none")),
        *(("1", "1"), ("true", "true"), ("x", "x"), ("1.0", None), ([], None)),
    ],
)
def test_a_key_is_read_as_what_the_value_is(value: object, case: str | None):
    keys = ("1", "0.5", "-2", "1e3", "true", "false", "none", "x")
    cases = dict(zip(keys, probes(*"S" * len(keys)), strict=True))
    node = Switch(name="s", select=lambda: value, cases=cases)
    assert node.choose(value) is (None if case is None else cases[case])


def test_numbers_and_truth_values_are_keys_in_files(tmp_path: Path):
    root = """
sequence:
  - switch: {of: n, cases: {1: {log: one}, 2: {log: two}, "3": {log: three}}}
  - switch: {of: n > 1, cases: {true: {log: more}, false: {log: "no"}}}
once: true
"""
    b = Bench(tmp_path, tree(root, "vars: {n: number = 3}\n"))
    b.settle()
    assert [e.data["text"] for e in b.told("log")] == ["three", "more"]
