"""What has not changed goes on in an edited tree, with its memory, as if nothing had happened."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from py_trees.behaviour import Behaviour
from py_trees.behaviours import Success
from py_trees.common import Status
from pydantic import BaseModel

from tests.support.library import ROOT, copy_warehouse
from treec.compile.definition import NodeDefinition, own_keys
from treec.files.library import Library, forget_files, load_library
from treec.files.nodes import NodeBase, load_spec
from treec.files.view import View
from treec.nodes.control.parallel import Parallel
from treec.nodes.control.selector import SelectorNode
from treec.nodes.control.sequence import SequenceNode
from treec.nodes.leaves.check import CheckNode
from treec.nodes.leaves.skill import SkillNode
from treec.run.run import Run
from treec.world.clock import VirtualClock
from treec.world.journal import Journal, events
from treec.world.spec import RunSpec
from treec_live.hot_swap import HotSwap
from treec_live.reload import swap

SWAP = ("reload", "tree", "ticked")


def history(
    root: Path,
    system: str,
    scenario: str,
    every: int | None,
    edit: Callable[[Library], None] = lambda library: None,
) -> list[object]:
    """What happens in a run whose files are swapped every so many ticks: for edited ones, back."""
    library = load_library(root)
    forget_files()  # they have no entry in common, nor has a library that is loaded later
    edited = load_library(root)
    edit(edited)
    forget_files()
    versions = itertools.cycle([edited, library])
    view = View(library, library.find("system", system))
    run = Run(view, VirtualClock(), Journal.in_memory(), RunSpec(scenario=scenario))
    ticks = itertools.count(1)

    def look() -> None:
        if every is not None and next(ticks) % every == 0:
            assert swap(run, next(versions), []) == []

    run.loop.before_tick.append(look)
    assert run.go().ok
    return [
        (e.t, e.kind, dict(e.data))
        for record in run.journal.records
        if record.data.get("for") != "reload" and record.kind not in SWAP
        for e in events(record)
    ]


@pytest.mark.parametrize("every", [2, 7])
@pytest.mark.few(1)
def test_equal_files_change_nothing_in_a_warehouse(tmp_path: Path, every: int) -> None:
    root = copy_warehouse(tmp_path / "library")
    told = history(root, "warehouse", "morning_shift", None)
    assert history(root, "warehouse", "morning_shift", every) == told


@pytest.mark.thorough
@pytest.mark.parametrize(
    ("system", "scenario"), [("mosaic", "caesar_salad"), ("dag_plan", "arm_comes_back")]
)
def test_equal_files_change_nothing_in_the_shipped_systems(system: str, scenario: str) -> None:
    told = history(ROOT, system, scenario, None)
    assert history(ROOT, system, scenario, 13) == told


def all_nodes(value: object) -> Iterator[NodeBase]:
    """The nodes in a tree's model."""
    if isinstance(value, NodeBase):
        yield value
    if isinstance(value, BaseModel):
        value = [getattr(value, name) for name in type(value).model_fields]
    elif isinstance(value, dict):
        value = list(value.values())
    if isinstance(value, list):
        for one in value:
            yield from all_nodes(one)


def add_steps(library: Library) -> None:
    """Begin every sequence with a condition that holds, and every selector with one that fails."""
    for entry in library.of_kind("tree"):
        for node in list(all_nodes(entry.model.root)):
            if isinstance(node, SequenceNode):
                node.sequence.insert(0, CheckNode(check="true"))
            elif isinstance(node, SelectorNode):
                node.selector.insert(0, CheckNode(check="false"))


@pytest.mark.thorough
@pytest.mark.parametrize(
    ("system", "scenario"), [("mosaic", "caesar_salad"), ("dag_plan", "arm_comes_back")]
)
def test_steps_come_and_go_around_what_runs(system: str, scenario: str) -> None:
    told = history(ROOT, system, scenario, None)
    assert history(ROOT, system, scenario, 13, add_steps) == told


@pytest.mark.thorough
def test_steps_come_and_go_in_a_warehouse(tmp_path: Path) -> None:
    root = copy_warehouse(tmp_path / "library")
    told = history(root, "warehouse", "morning_shift", None)
    assert history(root, "warehouse", "morning_shift", 3, add_steps) == told


def test_lists_of_values_are_no_nodes() -> None:
    def node(values: object) -> SkillNode:
        return SkillNode.model_validate({"skill": "paint", "with": {"cells": values}})

    assert own_keys(node([[0, 1], [2]])) == own_keys(node([[0, 1], [2]]))
    assert own_keys(node([[0, 1], [2]])) != own_keys(node([[0, 1], [3]]))
    assert own_keys(node([])) != own_keys(node([[]]))
    assert load_spec("check") is not None  # which completes its model
    one, two = CheckNode(check="a"), CheckNode(check="b")
    assert own_keys(SequenceNode(sequence=[[one]])) == own_keys(SequenceNode(sequence=[two, one]))


def test_a_decision_that_waits_for_an_answer_is_at_work() -> None:
    """Its robot takes its subtask again if it is stopped, though no leaf was running."""

    def tree(own: str) -> Behaviour:
        node = Parallel("ask", [Success("option")])
        setattr(node, "path", "ask")  # noqa: B010
        setattr(node, "definition", NodeDefinition(own))  # noqa: B010
        return node

    old = tree("before")
    old.status = Status.RUNNING
    swap = HotSwap(old, tree("after"))
    assert swap.stopped == [old]
    assert not swap.goes_on("R1")
    assert swap.apply().status is Status.INVALID
    assert old.status is Status.INVALID
