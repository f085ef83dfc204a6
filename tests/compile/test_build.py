from __future__ import annotations

from pathlib import Path

import pytest
from py_trees.common import Status

from tests.support.bench import Bench
from tests.support.files import WORKER, tree
from treec.nodes.base import Control, Modifier
from treec.run.run import CannotRun

WORKER_FILE = {"pack/worker.tree.yaml": WORKER}
WORKERS = WORKER_FILE | tree(
    "parallel:\n  - {tree: worker, for: agent in robots, with: {agent: $agent}}"
)


def test_paths_are_made_of_names_and_depend_on_the_files_alone(tmp_path: Path) -> None:
    b = Bench(tmp_path / "a", WORKERS)
    assert "main/worker[R1]/Steps" in b.nodes
    assert "main/worker[R2]/Steps/on_failure/report" in b.nodes
    again = Bench(tmp_path / "b", WORKERS)
    assert list(again.nodes) == list(b.nodes)


def test_every_node_has_a_path_of_its_own(tmp_path: Path) -> None:
    root = (
        "sequence:\n  - check: true\n  - check: true\n  - [check: true]\n  - {wait: 1s, retry: 2}"
    )
    for files in (WORKERS, tree(root, "then: repeat\n")):
        b = Bench(tmp_path / str(len(files)), files)
        assert len(b.nodes) == sum(1 for _ in b.run.root.iterate())
    assert "main/check#2" in b.nodes


def test_a_node_is_called_by_the_file_that_it_names_unless_that_may_be_bound(
    tmp_path: Path,
) -> None:
    root = "- {recipe: No Such}\n- {tree: worker, with: {agent: R1}}"
    b = Bench(tmp_path, WORKER_FILE | tree(root))
    assert {"main/recipe", "main/worker"} <= set(b.nodes)


def test_for_in_a_literal_list(tmp_path: Path) -> None:
    b = Bench(
        tmp_path, tree("sequence:\n  - {log: '{{ x }}', for: \"x in ['a', 'b']\"}\nonce: true")
    )
    b.tick()
    assert [e.data["text"] for e in b.told("log")] == ["a", "b"]


def test_ports_in_and_out(tmp_path: Path) -> None:
    root = (
        "sequence:\n  - {tree: inner, with: {given: $x, result: $y}}\n  - check: y == 7\nonce: true"
    )
    inner = """\
tree: inner
ports: {given: in number, result: out number}
vars: {own: number}
root: [{set: {own: $given}}, {set: {result: $own}}]
"""
    head = "vars: {x: number, y: number}\n"
    root = root.replace("sequence:\n", "sequence:\n  - set: {x: 7}\n")
    b = Bench(tmp_path, {**tree(root, head), "pack/inner.tree.yaml": inner})
    assert b.tick() is Status.SUCCESS


def test_each_instance_of_a_tree_has_its_own_variables(tmp_path: Path) -> None:
    b = Bench(tmp_path, WORKERS)
    b.add("get pepper", item="pepper")
    b.add("get salt", item="salt")
    b.assign("R1", "get pepper")
    b.assign("R2", "get salt")
    b.pass_time(60)
    assert {s.id: s.status for s in b.team.subtasks} == {"get pepper": "done", "get salt": "done"}
    assert (b.fact("at", "pepper"), b.fact("at", "salt")) == ("table", "table")


def test_a_tree_that_contains_itself_is_refused(tmp_path: Path) -> None:
    with pytest.raises(CannotRun, match="contains itself: main"):
        Bench(tmp_path, tree("tree: main"))


def test_an_expression_that_cannot_be_read_is_refused_with_its_place(tmp_path: Path) -> None:
    with pytest.raises(CannotRun, match=r"pack/main\.tree\.yaml:3:\d+"):
        Bench(tmp_path, tree('check: "1 +"'))


@pytest.mark.parametrize(
    "node", ["ask: X", "do: X", "read: X", "tree: X", "program: X", "skill: X"]
)
def test_what_is_not_there_is_refused_with_the_nodes_path(tmp_path: Path, node: str) -> None:
    with pytest.raises(CannotRun, match=r"^main: unknown .* 'X'"):
        Bench(tmp_path, tree(node))


def test_a_default_that_cannot_be_evaluated_is_refused_with_why(tmp_path: Path) -> None:
    files = tree("check: n > 0", "vars: {n: number = 1 / 0}\n")
    with pytest.raises(CannotRun, match="the tree 'main': the default of 'n': division by zero"):
        Bench(tmp_path, files)


def test_every_node_of_ours_can_wake_the_loop(tmp_path: Path) -> None:
    b = Bench(tmp_path, WORKERS)
    ours = [n for n in b.run.root.iterate() if isinstance(n, Control | Modifier)]
    assert ours
    for node in ours:
        b.run.inbox.drain()
        node.wake()
        assert b.run.inbox.ready()
