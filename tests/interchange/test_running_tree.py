"""The XML by which a monitor is shown a running tree: each node once, whatever it is."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from py_trees.behaviour import Behaviour

from tests.interchange.trees import TREES, load
from tests.support.bench import Bench
from tests.support.library import ROOT, WAREHOUSE
from tests.support.tiers import many
from tests.vectors import VECTORS
from tests.vectors import main as write_vectors
from treec.api.find import find_library, find_system
from treec.compile.build import Compiler
from treec.compile.standalone import idle_runtime
from treec.files.library import load_alone
from treec.files.nodes import MODIFIERS, NodeBase, child_nodes, spec_of
from treec.files.view import View
from treec_interchange.exporter import SingleWriter
from treec_interchange.running_tree import MOST, ShownTree
from treec_interchange.tree_yaml import to_tree_file
from treec_interchange.vocabulary import read_elements
from treec_interchange.xml_reader import XmlElement, read_xml, write_xml

ONE = {
    *("Inverter", "ForceSuccess", "ForceFailure", "KeepRunningUntilFailure", "Repeat", "Delay"),
    *("RetryUntilSuccessful", "Timeout", "RunOnce", "RateController"),
}
NONE = {"Script", "ScriptCondition", "AlwaysSuccess", "AlwaysFailure", "Sleep"}


def shown(root: Behaviour, compiler: Compiler) -> XmlElement:
    """The document of a tree, in which every node is once, and its own."""
    tree = ShownTree(root, compiler.frames)
    document = read_xml(tree.xml.encode())
    elements = [one for one in document.walk() if "_uid" in one.attributes]
    uids = sorted(int(one.attributes["_uid"]) for one in elements)
    assert uids == [*range(1, len(tree.nodes) + 1)]
    nodes = [*root.iterate()]
    assert {*tree.nodes} == {*nodes}
    subtrees = [one for one in elements if one.tag == "SubTree"]
    assert len(elements) == len(nodes) + len(subtrees)
    trees = {one.attributes["_fullpath"]: one for one in document.children[:-1]}
    assert len(trees) == len(tree.boards) == len(subtrees) + 1
    models = {one.attributes["ID"]: one.tag for one in document.children[-1].children}
    for one in elements:
        node = tree.nodes[int(one.attributes["_uid"]) - 1]
        if one.tag == "SubTree":
            inside = trees[one.attributes["_fullpath"]]
            assert inside.attributes["ID"] == one.attributes["ID"]
            assert not one.children
            continue
        assert one.attributes["name"] == node.name
        assert len(one.children) == len(node.children)
        assert (one.tag in ONE) <= (len(one.children) == 1), one.tag
        assert (one.tag in NONE) <= (not one.children), one.tag
        kinds = ("Control", "Decorator") if one.children else ("Action", "Condition", "Control")
        assert models[one.tag] in kinds
    return document


def test_every_golden_tree_is_shown(tmp_path: Path) -> None:
    write_vectors([str(VECTORS), str(tmp_path)])
    seen = set()
    for path in sorted(tmp_path.iterdir())[:: many(1, 10)]:
        library = load_alone(path)
        view = View(library)
        compiler = Compiler(view, idle_runtime(view))
        document = shown(compiler.root(next(iter(library.of_kind("tree")))), compiler)
        seen |= {one.tag for one in document.walk() if "_uid" in one.attributes}
    assert {"Sequence", "Fallback", "ReactiveSequence", "ReactiveFallback", "Inverter"} <= seen
    assert seen <= {*read_elements(), "TreecProbe", "TreecRetry", "TreecRepeat"}


@pytest.mark.parametrize(
    ("library", "systems"),
    [
        (WAREHOUSE, ("warehouse",)),
        pytest.param(
            ROOT, ("mosaic", "dag_plan", "helper"), marks=pytest.mark.needs_system("mosaic")
        ),
    ],
)
def test_the_trees_of_systems_are_shown(library: Path, systems: tuple[str, ...]) -> None:
    found = find_library(library)
    for system in systems:
        view = View(found, find_system(found, system))
        compiler = Compiler(view, idle_runtime(view))
        assert view.system is not None
        root = view.find("tree", view.system.model.root)
        assert root is not None
        shown(compiler.root(root), compiler)


@given(tree=TREES)
@settings(max_examples=many(100, 25), deadline=None)
@pytest.mark.few(1)
def test_any_node_has_an_element(tree: dict[str, Any]) -> None:
    entry = next(iter(load(to_tree_file([tree])).values()))
    writer, left = SingleWriter(), [entry.model.root]
    while left:
        node = left.pop()
        left += [child.node for child in child_nodes(node)]
        if isinstance(node, NodeBase):
            spec = spec_of(node)
            written = [writer.element(spec.key if spec else "", node, None)]
            for key, value in node.modifiers.items():
                written.append(writer.element(key, value, MODIFIERS[key]))
        else:
            written = [writer.element("sequence", "sequence", None)]
        for element in written:
            assert element.tag
            assert not element.children
            read_xml(write_xml(element).encode())


FORMS = """\
root:
  sequence:
    - {tree: part, name: "a <b> & 'c'", timeout: 5s, with: {x: 1}}
    - {tree: part, name: outer, retry: 2, with: {x: $n}}
    - {for: agent in robots, wait: 1s, name: each}
    - {for_each: {item: one, in: "[1, 2]", do: {check: one > 0}}}
    - {switch: {of: n, cases: {1: {check: true}}, default: {check: false}}, on_failure: {log: no}}
    - if: n > 1
      then: {check: true}
vars: {n: number = 1}
"""
PART = "tree: part\nports: {x: in number}\nroot: {check: x > 0, retry: 3}\nthen: repeat\n"


def test_subtrees_keep_their_own_modifiers(tmp_path: Path) -> None:
    files = {"pack/main.tree.yaml": f"tree: main\n{FORMS}", "pack/part.tree.yaml": PART}
    bench = Bench(tmp_path, files)
    tree = ShownTree(bench.run.root, bench.run.frames)
    document = read_xml(tree.xml.encode())
    assert list(tree.boards) == ["main", "main/a <b> & 'c'", "main/outer"]

    def lines(element: XmlElement, depth: int = 0) -> Iterator[str]:
        yield f"{'  ' * depth}{element.tag} {element.attributes.get('name', '')}".rstrip()
        for child in element.children:
            yield from lines(child, depth + 1)

    assert list(lines(XmlElement("all", {}, document.children[:-1]))) == [
        "all",
        "  BehaviorTree",
        "    Sequence main",
        "      Timeout a <b> & 'c'",
        "        SubTree a <b> & 'c'",
        "      RetryUntilSuccessful outer",
        "        SubTree outer",
        "      Sleep each[R1]",
        "      Sleep each[R2]",
        "      TreecForEach for_each",
        "        ScriptCondition check",
        "      TreecOnFailure switch",
        "        TreecSwitch switch",
        "          AlwaysSuccess 1",
        "          AlwaysFailure default",
        "        TreecLog on_failure",
        "      TreecIf if",
        "        AlwaysSuccess then",
        "  BehaviorTree",
        "    TreecThen a <b> & 'c'",
        "      RetryUntilSuccessful a <b> & 'c'",
        "        ScriptCondition a <b> & 'c'",
        "  BehaviorTree",
        "    TreecThen outer",
        "      RetryUntilSuccessful outer",
        "        ScriptCondition outer",
    ]


def test_nodes_after_the_last_number_have_none(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("treec_interchange.running_tree.MOST", 3)
    files = {"pack/main.tree.yaml": f"tree: main\n{FORMS}", "pack/part.tree.yaml": PART}
    bench = Bench(tmp_path, files)
    tree = ShownTree(bench.run.root, bench.run.frames)
    assert len(tree.nodes) == 3
    assert tree.xml.count("_uid=") == 3
    assert MOST == 65_535
