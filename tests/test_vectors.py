"""The golden traces of BehaviorTree.CPP, and trees of our own against an independent model."""

from __future__ import annotations

from pathlib import Path

import py_trees
import pytest
import yaml
from py_trees.behaviour import Behaviour
from py_trees.common import Status
from py_trees.visitors import VisitorBase

from tests import vectors
from tests.nodes.build import from_data, from_vector
from tests.reference import random_tree, reference_trace
from tests.support.tiers import many
from treec_testing.tick_trace import trace

ALL = vectors.read_vectors()
TICKS = 6


def expected(vector):
    return {"ticks": vector["ticks"], "halted_at_end": vector["halted_at_end"]}


@pytest.mark.parametrize("family", ["core", "extended"])
def test_every_vector_agrees(family):
    chosen = [vector for vector in ALL if vector["family"] == family]
    assert len(chosen) == 400
    for vector in chosen:
        assert trace(from_vector(vector["tree"]), TICKS) == expected(vector)


def test_the_model_agrees_with_every_vector():
    for vector in ALL:
        assert reference_trace(vector["tree"], TICKS) == expected(vector)


@pytest.mark.parametrize("seed", range(4))
def test_random_trees_agree_with_the_model(seed):
    for number in range(many(1000, 250)):
        tree = random_tree(seed * 1000 + number)
        assert trace(from_vector(tree), 8) == reference_trace(tree, 8), tree


@pytest.mark.parametrize("seed", range(2))
def test_modifiers_of_a_tree_file_mean_the_nested_decorators(seed):
    for number in range(many(500, 60)):
        tree = random_tree(50_000 + seed * 500 + number)
        text = vectors.tree_file(number, {"family": "random", "tree": tree})
        root = from_data(yaml.safe_load(text)["root"])
        assert trace(root, 8) == trace(from_vector(tree), 8), tree


def test_every_tree_file_agrees(tmp_path: Path, capsys):
    vectors.main([str(vectors.VECTORS), str(tmp_path)])
    assert "800 tree files" in capsys.readouterr().out
    files = sorted(tmp_path.iterdir())
    assert [file.name for file in files] == [f"{i:04d}.tree.yaml" for i in range(800)]
    for file, vector in list(zip(files, ALL, strict=True))[:: many(1, 5)]:
        tree = yaml.safe_load(file.read_text(encoding="utf-8"))
        assert tree["tree"] == f"v{file.name[:4]}"
        assert trace(from_data(tree["root"]), TICKS) == expected(vector)


def test_decorators_in_another_order_get_a_list_between():
    probe = {"node": "probe", "name": "n0", "script": "F"}
    tree = {
        "node": "inverter",
        "children": [{"node": "retry", "attempts": 3, "children": [probe]}],
    }
    assert vectors.tree_file(7, {"family": "core", "tree": tree}) == (
        "tree: v0007\n"
        "about: Golden trace 7 (core).\n"
        "root:\n"
        "  invert: true\n"
        "  sequence:\n"
        "    - retry: 3\n"
        "      probe: {name: n0, script: F}\n"
    )


class Witness(VisitorBase):
    """Sees what a stock tree shows any visitor, and nothing else."""

    def __init__(self) -> None:
        super().__init__(full=False)
        self.root = ""
        self.leaf_ticks: list[list[str]] = []

    def initialise(self) -> None:
        self.leaf_ticks = []

    def run(self, behaviour: Behaviour) -> None:
        if behaviour.parent is None:
            self.root = behaviour.status.name
        if not behaviour.children:
            self.leaf_ticks.append([behaviour.name, behaviour.status.name])


@pytest.mark.parametrize("part", range(2))
def test_a_stock_tree_and_its_visitor_see_the_same(part):
    for vector in ALL[part::2]:
        root = from_vector(vector["tree"])
        leaves = [node for node in root.iterate() if not node.children]
        halted: list[int] = []
        for place, leaf in enumerate(leaves):
            watch(leaf, place, halted)
        tree = py_trees.trees.BehaviourTree(root)
        witness = Witness()
        tree.add_visitor(witness)
        for tick in vector["ticks"]:
            tree.tick()
            assert witness.root == tick["root"]
            assert witness.leaf_ticks == tick["leaf_ticks"]
            assert [leaves[place].name for place in sorted(halted)] == tick["halted"]
            halted.clear()
        root.stop(Status.INVALID)
        assert [leaves[place].name for place in sorted(halted)] == vector["halted_at_end"]


def watch(leaf: Behaviour, place: int, halted: list[int]) -> None:
    """Notes the halts of a leaf where py_trees announces them: at `terminate`."""

    def terminate(new_status: Status) -> None:
        if new_status is Status.INVALID and leaf.status is Status.RUNNING:
            halted.append(place)

    leaf.terminate = terminate  # type: ignore[method-assign]
