"""What was exported comes back the same: the shipped trees, and random ones."""

from __future__ import annotations

from typing import Any, get_args

import pytest
from hypothesis import given, settings

from tests.interchange.trees import TREES, load, tree_of, view_of
from tests.support.library import ROOT, WAREHOUSE
from tests.support.tiers import many
from treec.files.library import load_library
from treec.files.view import View, views_of
from treec_interchange.exporter import Target, export_trees
from treec_interchange.importer import import_trees
from treec_interchange.tree_yaml import to_tree_file

TARGETS = get_args(Target)


def comes_back(view: View, name: str, target: Target) -> None:
    exported = export_trees(view, name, target)
    back = import_trees(exported.text.encode(), "x.xml")
    assert not back.failed, back.findings
    for tree in load(to_tree_file(back.trees)).values():
        original = view.find("tree", tree.name)
        assert original is not None
        assert tree.name.endswith(original.name)
        assert tree_of(tree)[1:] == tree_of(original)[1:], exported.text


@pytest.mark.parametrize("target", TARGETS)
@pytest.mark.parametrize("root", [ROOT, WAREHOUSE], ids=["shipped", "warehouse"])
def test_the_trees_of_libraries_come_back(root: Any, target: Target) -> None:
    library = load_library(root)
    seen = set()
    for view in views_of(library):
        for name in view.all("tree"):
            if name not in seen:
                comes_back(view, name, target)
            seen.add(name)
    assert len(seen) > 3


@pytest.mark.parametrize("target", TARGETS)
@given(tree=TREES)
@settings(max_examples=many(60, 25), deadline=None)
@pytest.mark.few(1, thorough=0)
def test_random_trees_come_back(target: Target, tree: dict[str, Any]) -> None:
    comes_back(view_of(tree), tree["tree"], target)


def test_a_condition_at_a_leaf_of_treec_is_no_argument() -> None:
    tree = {"tree": "main", "root": {"skill": "go", "with": {"name": 1}, "fail_if": "true"}}
    comes_back(view_of(tree), "main", "btcpp")


def test_a_guard_that_is_checked_anew_is_exported_as_such() -> None:
    test = {"check": "a == 'x'", "skip_if": "true", "fail_if": "not a"}
    root = {"if": test, "then": {"wait": 1}, "reactive": True}
    view = view_of({"tree": "main", "vars": {"a": "text"}, "root": root})
    comes_back(view, "main", "btcpp")
    assert not export_trees(view, "main", "btcpp").findings


@given(tree=TREES)
@settings(max_examples=many(40, 15), deadline=None)
def test_the_text_of_a_tree_file_is_read_as_what_was_written(tree: dict[str, Any]) -> None:
    (entry,) = load(to_tree_file([tree])).values()
    (again,) = load(to_tree_file([{"tree": entry.name, **_body(entry)}])).values()
    assert tree_of(entry) == tree_of(again)


def _body(entry: Any) -> dict[str, Any]:
    from treec_interchange.exporter import node_data

    model = node_data(entry.model)
    return {key: value for key, value in model.items() if key != "tree"}


@pytest.mark.parametrize("target", TARGETS)
@pytest.mark.parametrize(
    "node", [{"tree": "main", "with": {"n": "= 1 + 1"}}, {"Own": {"n": ["= 1 + 1", 2]}}]
)
def test_values_that_the_other_program_does_not_compute_are_reported(
    target: Target, node: dict[str, Any]
) -> None:
    view = view_of({"tree": "main", "ports": {"n": "in number"}, "root": node})
    messages = [one.message for one in export_trees(view, "main", target).findings]
    assert any(message.startswith("'= 1 + 1' has no counterpart") for message in messages)
    comes_back(view, "main", target)
