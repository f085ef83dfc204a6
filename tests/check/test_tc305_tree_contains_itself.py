from __future__ import annotations

from pathlib import Path

from tests.check.library import view_of
from treec.check.tc305_tree_contains_itself import check


def test_a_long_ring_is_one_problem_and_needs_no_deep_stack(tmp_path: Path) -> None:
    size = 3000
    trees = [f"tree: t{i}\nroot: {{tree: t{(i + 1) % size}}}\n" for i in range(size)]
    view = view_of(tmp_path, {"trees/ring.tree.yaml": "---\n".join(trees)})
    (problem,) = check(view)
    assert (problem.span.line, problem.span.column) == (2, 14)
    assert problem.message.startswith("the tree 't0' contains itself: t0 → t1 → ")


def test_a_tree_used_twice_does_not_contain_itself(tmp_path: Path) -> None:
    text = "tree: a\nroot: [{tree: b}, {tree: b}]\n---\ntree: b\nroot: {wait: 1s}\n"
    assert list(check(view_of(tmp_path, {"a.tree.yaml": text}))) == []
