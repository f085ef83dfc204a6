from __future__ import annotations

from pathlib import Path

import pytest

from tests.check.library import view_of
from treec.check.tc306_never_waits import check


@pytest.mark.parametrize(
    "root",
    [
        "{wait: 1s}",
        "{wait: {until: available}}",
        "{take: {queue: R1, into: x}}",
        "{check: true, keep_running_until_failure: true}",
        "{check: x, retry: -1}",
        "{probe: {name: a, script: SR}}",
        "{some_package_node: {}}",
        "{tree: nobody_knows}",
        "{switch: {of: x, cases: {a: {check: x}}, default: {wait: 1s}}}",
        "{for_each: {item: x, in: xs, do: [{on_change: x}]}}",
        "{check: x, on_failure: [{wait: 1s}]}",
        "{parallel: {until: never, children: [{check: x}]}}",
        "{parallel: [{check: x}, {wait: 1s}]}",
        "{tree: forever}",
    ],
)
def test_what_can_be_running_may_go_round(tmp_path: Path, root: str) -> None:
    text = (
        f"tree: a\nroot: {root}\nthen: repeat\n---\ntree: forever\nroot: {{wait: 1s, repeat: -1}}\n"
    )
    assert list(check(view_of(tmp_path, {"a.tree.yaml": text}))) == []


@pytest.mark.parametrize(
    "root",
    [
        "{check: x}",
        "[]",
        "{wait: 0}",
        "{check: x, timeout: 3s}",
        "{check: x, cooldown: 3s}",
        "{check: x, repeat: 5}",
        "{sequence: [{check: x, repeat: 2}, {log: x, repeat: 300}], repeat: 5}",
        "{probe: {name: a, script: SF}}",
        "{parallel: [{check: x}, {log: x}]}",
    ],
)
def test_what_can_not_is_told_at_its_loop(tmp_path: Path, root: str) -> None:
    text = f"tree: a\nroot: {root}\nthen: repeat\n"
    (problem,) = check(view_of(tmp_path, {"a.tree.yaml": text}))
    assert (problem.span.line, problem.span.column, problem.span.end_column) == (3, 7, 13)


@pytest.mark.parametrize(
    ("root", "end", "severity"),
    [
        ("{check: x, repeat: -1}", "then: repeat", "error"),
        ("{sequence: [{check: x, repeat: -1}], repeat: 5}", "", "error"),
        ("{sequence: [{check: x, repeat: 5}], repeat: 3}", "", "warning"),
    ],
)
def test_of_loops_in_each_other_the_inner_is_told(
    tmp_path: Path, root: str, end: str, severity: str
) -> None:
    text = f"tree: a\nroot:\n  - {root}\n{end}\n"
    (problem,) = check(view_of(tmp_path, {"a.tree.yaml": text}))
    column = text.splitlines()[2].index("repeat: ") + len("repeat: ") + 1
    assert (problem.span.line, problem.span.column, problem.severity) == (3, column, severity)


def test_an_endless_loop_is_told_instead_of_the_repetitions_in_it(tmp_path: Path) -> None:
    text = "tree: a\nroot: {sequence: [{check: x, repeat: 5}], repeat: -1}\n"
    (problem,) = check(view_of(tmp_path, {"a.tree.yaml": text}))
    assert (problem.severity, problem.message[:12]) == ("error", "'repeat: -1'")


@pytest.mark.parametrize(
    ("first", "key"),
    [
        ("{take: {queue: R1, into: x}, while: available}", "while"),
        ("{take: {queue: R1, into: x}, fail_if: available}", "fail_if"),
        ("{check: available}", "check"),
        ("{sequence: [{check: available}, {wait: 1s}]}", "check"),
        ("[{check: available}, {wait: 1s}]", "check"),
        ("{tree: inner}", "check"),
    ],
)
def test_a_loop_that_begins_with_a_condition_spins_while_it_fails(
    tmp_path: Path, first: str, key: str
) -> None:
    text = (
        f"tree: a\nroot:\n  - {first}\n  - wait: 1s\nthen: repeat\n---\n"
        "tree: inner\nroot:\n  - check: available\n  - wait: 1s\n"
    )
    (problem,) = check(view_of(tmp_path, {"a.tree.yaml": text}))
    assert problem.severity == "warning"
    assert problem.span.line == (9 if "inner" in first else 3)
    assert ("while this holds" in problem.message) == (key == "fail_if")


@pytest.mark.parametrize(
    "first",
    [
        "{wait: {until: available}}",
        "{check: available, force_success: true}",
        "{check: available, invert: true}",
        "{check: available, on_failure: [{wait: 1s}]}",
        "{take: {queue: R1, into: x}, while: true}",
        "{selector: [{check: available}, {wait: 1s}]}",
        "{if: available, then: {wait: 1s}}",
    ],
)
def test_a_loop_whose_first_node_need_not_fail_at_once(tmp_path: Path, first: str) -> None:
    text = f"tree: a\nroot:\n  - {first}\n  - wait: 1s\nthen: repeat\n"
    assert list(check(view_of(tmp_path, {"a.tree.yaml": text}))) == []
