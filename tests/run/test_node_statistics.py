"""How often and how long nodes were ticked."""

from __future__ import annotations

from pathlib import Path

from tests.support.bench import Bench
from tests.support.files import tree
from treec.run.events import Ticked, TickedNode, TreeBegun
from treec.run.node_statistics import NodeStatistics, node_statistics
from treec.world.events import Event
from treec.world.journal import Journal

TREE = TreeBegun((TickedNode("x", "x", "sequence", 0), TickedNode("x/a", "a", "skill", 1)))


def _counts(one: NodeStatistics) -> tuple[float, ...]:
    return one.ticks, one.running, one.succeeded, one.failed, one.halted


def _statistics(*events: tuple[float, Event]) -> dict[str, tuple[float, ...]]:
    journal = Journal.in_memory()
    for t, event in events:
        journal.append(event, "run", t)
    return {one.node.path: _counts(one) for one in node_statistics(journal.records)}


def test_a_node_that_runs_is_ticked_at_every_tick_until_it_ends() -> None:
    assert _statistics(
        (0.0, TREE),
        (0.0, Ticked(1, {"RUNNING": (0, 1)})),
        (5.0, Ticked(4, {"FAILURE": (0, 1)})),
    ) == {"x": (4, 5.0, 0, 1, 0), "x/a": (4, 5.0, 0, 1, 0)}


def test_a_halted_node_was_not_ticked_then() -> None:
    assert _statistics(
        (0.0, TREE),
        (1.0, Ticked(1, {"RUNNING": (0, 1)})),
        (3.0, Ticked(3, {"SUCCESS": (0,), "INVALID": (1,)})),
    ) == {"x": (3, 2.0, 1, 0, 0), "x/a": (2, 2.0, 0, 0, 1)}


def test_what_runs_at_the_end_or_when_another_tree_begins_has_run_until_then() -> None:
    assert _statistics(
        (0.0, TREE),
        (0.0, Ticked(1, {"RUNNING": (0,)})),
        (4.0, TREE),
        (4.0, Ticked(2, {"RUNNING": (0, 1)})),
        (9.0, Ticked(3, {"SUCCESS": (1,)})),
    ) == {"x": (3, 9.0, 0, 0, 0), "x/a": (2, 5.0, 1, 0, 0)}


def test_nodes_of_a_real_run_are_counted_as_they_were_ticked(tmp_path: Path) -> None:
    b = Bench(tmp_path, tree("- probe: {name: a, script: RRS}\n- probe: {name: b, script: F}"))
    for _ in range(3):
        b.tick()
    records = b.run.journal.records
    counts = {one.node.path.rpartition("/")[2]: _counts(one) for one in node_statistics(records)}
    assert counts["a"][0] == 3
    assert counts["b"][0] == 1
    assert counts["b"][3] == 1
