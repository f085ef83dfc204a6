"""What the journal says of the nodes' statuses: enough to have them all again."""

from __future__ import annotations

from collections.abc import Mapping

import pytest

from tests.support.events import Note
from tests.support.library import WAREHOUSE
from treec.files.library import Library, load_library
from treec.run.events import Ticked, TreeBegun
from treec.run.run import Run
from treec.run.state import RunState
from treec.run.status_recorder import path_of
from treec.run.task_view import view_for
from treec.world.clock import VirtualClock
from treec.world.journal import Journal
from treec.world.spec import RunSpec
from treec_live.reload import swap


@pytest.fixture(scope="module")
def library() -> Library:
    return load_library(WAREHOUSE)


def ran(library: Library, system: str, scenario: str) -> tuple[Run, list[Mapping[str, str]]]:
    """A run, and the statuses of all nodes after each of its ticks as py_trees has them."""
    script = library.find("scenario", scenario)
    assert script is not None
    entry = library.find("system", system)
    assert entry is not None
    view, _ = view_for(library, entry, RunSpec(scenario=script.name), True)
    seen: list[Mapping[str, str]] = []
    run = Run(view, VirtualClock(), Journal.in_memory(), RunSpec(scenario=script.name))
    run.loop.after_tick.append(
        lambda: seen.append({path_of(node): node.status.name for node in run.root.iterate()})
    )
    run.go()
    return run, seen


@pytest.mark.parametrize("scenario", ["morning_shift", "direct_orders"])
def test_a_replay_has_the_statuses_that_the_nodes_had(library: Library, scenario: str) -> None:
    assert_replayed(*ran(library, "warehouse", scenario))


def assert_replayed(run: Run, seen: list[Mapping[str, str]]) -> None:
    """A fold of the journal has, tick by tick, the statuses that the nodes had."""
    state = RunState()
    ticks = 0
    for record in run.journal.records:
        state.take(record)
        if record.kind == Ticked.kind:
            ticks += bool(record.data["to"])  # else only a loop has gone on
            now = {n.path: s for n, s in zip(state.nodes, state.statuses, strict=True)}
            assert now == seen[state.tick - 1]
    changed = sum(now != before for now, before in zip(seen[1:], seen, strict=False)) + 1
    assert ticks == changed
    assert state.tick <= len(seen)


def test_the_tree_is_written_once_and_parents_stand_first(library: Library) -> None:
    run, _ = ran(library, "warehouse", "direct_orders")
    (told,) = [record for record in run.journal.records if record.kind == TreeBegun.kind]
    state = RunState()
    state.take(told)
    assert len(state.nodes) == len({node.path for node in state.nodes})
    for number, node in enumerate(state.nodes):
        assert all(state.nodes[child].depth == node.depth + 1 for child in node.below)
        assert all(child > number for child in node.below)
    assert len({child for node in state.nodes for child in node.below}) == len(state.nodes) - 1


def test_statuses_ask_for_no_further_tick(library: Library) -> None:
    """The tree rests although each tick was written down: a trace is no change of the world."""
    run, _ = ran(library, "warehouse", "direct_orders")
    kinds = [record.kind for record in run.journal.records]
    assert kinds.count(Ticked.kind) < 40
    version = run.world.version
    run.world.trace(Note(), "test")
    assert run.world.version == version


def test_a_tree_that_is_swapped_in_is_written_anew(library: Library) -> None:
    """An edited file while the run goes on: the statuses are those of the tree that is ticked."""
    script = library.find("scenario", "direct_orders")
    entry = library.find("system", "warehouse")
    assert script is not None
    assert entry is not None
    view, _ = view_for(library, entry, RunSpec(scenario=script.name), True)
    run = Run(view, VirtualClock(), Journal.in_memory(), RunSpec(scenario=script.name))
    seen: list[Mapping[str, str]] = []

    def look() -> None:
        seen.append({path_of(node): node.status.name for node in run.root.iterate()})
        if len(seen) == 12:
            swap(run, library, ["trees/robot_worker.tree.yaml"])

    run.loop.after_tick.append(look)
    run.go()
    state = RunState()
    trees = 0
    for record in run.journal.records:
        state.take(record)
        trees += record.kind == TreeBegun.kind
        if record.kind == Ticked.kind:
            now = {n.path: s for n, s in zip(state.nodes, state.statuses, strict=True)}
            assert now == seen[state.tick - 1]
    assert trees == 2
