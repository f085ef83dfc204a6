"""``Workspace.compile``: a treec tree in somebody else's py_trees tree."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import py_trees
import pytest
from py_trees.common import ParallelPolicy, Status

import treec
from treec_fake_model.thread import FakeModelThread


def beside_another(tree: treec.EmbeddedTree) -> py_trees.trees.BehaviourTree:
    other = py_trees.behaviours.Running("heartbeat")
    policy = ParallelPolicy.SuccessOnAll(synchronise=False)
    root = py_trees.composites.Parallel("mine", policy, [other, tree])
    found = py_trees.trees.BehaviourTree(root)
    found.setup()
    return found


def test_a_stock_tree_ticks_it_and_skills_take_their_time(lib: treec.Workspace) -> None:
    tree = lib.compile(seconds_per_tick=1.0)
    stock = beside_another(tree)
    tree.say("Scout, inspect crate 40.")
    ticks = 0
    while not tree.value("scanned('crate 40')") and ticks < 30:
        stock.tick()
        ticks += 1
    # heard at the first tick; 5 s to drive and 6 s to scan end in the ticks at 5 s and 11 s
    assert (ticks, tree.value("near('Scout')")) == (12, "aisle 2")
    assert tree.status is Status.RUNNING
    stock.shutdown()


def test_halting_it_stops_the_skill(lib: treec.Workspace) -> None:
    tree = lib.compile(seconds_per_tick=1.0)
    stock = beside_another(tree)
    tree.say("Scout, inspect crate 40.")
    for _ in range(4):
        stock.tick()
    tree.stop(Status.INVALID)
    ended = [r for r in tree.journal if r.kind == "skill.ended"]
    assert [r.data["ok"] for r in ended] == [False]
    stock.shutdown()


def test_a_tree_that_is_none_and_a_system_that_must_be_named(lib: treec.Workspace) -> None:
    with pytest.raises(treec.NotFound, match="did you mean 'dispatcher'"):
        lib.compile("dispacher")


def test_a_text_that_is_no_expression_is_an_error_of_treec(lib: treec.Workspace) -> None:
    tree = lib.compile(seconds_per_tick=1.0)
    with pytest.raises(treec.TreecError, match=r"'at\(crate': this '\(' is never closed"):
        tree.value("at(crate")


@pytest.mark.thorough
@pytest.mark.parametrize("ends", ["", "tree.close()", "tree.shutdown(); tree.close()"])
def test_with_a_model_it_ends_without_a_complaint(ends: str) -> None:
    code = f"""
import sys, treec
from tests.support.library import WAREHOUSE
tree = treec.open(WAREHOUSE).compile(system="warehouse", model="openai/x", api_base=sys.argv[1])
tree.setup()
tree.say("Scout, inspect crate 40.")
while not any(record.kind == "answered" for record in tree.journal):
    tree.tick_once()
    tree._run.inbox.wait(0.1)
{ends}
"""
    with FakeModelThread() as server:
        done = subprocess.run(
            [sys.executable, "-c", code, server.url],
            cwd=Path(__file__).resolve().parents[2],
            capture_output=True,
            text=True,
            check=False,
            timeout=120,
        )
    assert (done.returncode, done.stderr) == (0, "")


def test_it_is_closed_at_the_end_of_with(lib: treec.Workspace) -> None:
    with lib.compile(seconds_per_tick=1.0) as tree:
        tree.say("Scout, inspect crate 40.")
        for _ in range(4):
            tree.tick_once()
    ended = [r for r in tree.journal if r.kind == "skill.ended"]
    assert [r.data["ok"] for r in ended] == [False]
