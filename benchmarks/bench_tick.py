"""What a tick costs: trees out of the compiler beside the same trees built by hand.

Where py_trees has a node of the same meaning the tree by hand is of py_trees' nodes, elsewhere of
our own classes, so that nothing that the compiler adds costs anything at a tick.
"""

from __future__ import annotations

import gc
import tempfile
import time
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from py_trees.behaviour import Behaviour

from benchmarks.specs import Spec, grow, stock, write_tree
from benchmarks.table import Cell, Table, in_turns, middle_ratio
from tests.nodes.build import from_data
from treec.compile.standalone import build_file
from treec.nodes.base import Control, Modifier
from treec.world.clock import VirtualClock
from treec.world.inbox import Inbox

SIZES = (10, 100, 1000)
GOAL = 1.05
ByHand = Callable[[Spec], Behaviour]


@dataclass(frozen=True)
class Kind:
    """A kind of tree: what it is made of, and what stands beside it."""

    name: str
    composites: tuple[str, ...]
    script: str
    by_hand: ByHand
    beside: str = "py_trees"
    wraps: tuple[Spec, ...] = ()


STOCK_WRAPS: tuple[Spec, ...] = (
    {"force_success": True},
    {"once": True},
    {"force_failure": True, "invert": True},
)
OWN_WRAPS: tuple[Spec, ...] = ({"retry": 3}, {"repeat": 3})
SEQUENCES = ("sequence", "reactive_sequence")

KINDS = (
    Kind("sequences", SEQUENCES, "S", stock),
    Kind("selectors", ("selector", "reactive_selector"), "F", stock),
    Kind("modifiers", SEQUENCES, "S", stock, wraps=STOCK_WRAPS),
    Kind("leaves, too", SEQUENCES, "S", partial(stock, leaves="stock")),
    Kind("all of these", SEQUENCES, "S", from_data, "our classes", STOCK_WRAPS),
    Kind("parallels", ("parallel",), "R", from_data, "our classes"),
    Kind("with memory", ("sequence_with_memory",), "S", from_data, "our classes"),
    Kind("retry, repeat", SEQUENCES, "S", from_data, "our classes", OWN_WRAPS),
)


def run(small: bool) -> list[Table]:
    """µs for each node that a tick reaches."""
    sizes, repeats = ((10,), 3) if small else (SIZES, 61)
    gc.collect()
    gc.disable()
    try:
        with tempfile.TemporaryDirectory() as folder:
            rows = [_row(kind, size, repeats, Path(folder)) for kind in KINDS for size in sizes]
    finally:
        gc.enable()
    return [
        Table(
            "A tick, compiled and by hand",
            ("tree", "nodes", "by hand of", "by hand, µs", "compiled, µs", "ratio"),
            rows,
            (
                "µs for each node that a tick reaches, the least; the ratio is the median over "
                f"{repeats} turns of the compiled tree's time to the other's in the same turn. "
                f"Goal: at most {GOAL}. Leaves are our `probe` on both sides, but for "
                "'leaves, too', where those by hand are py_trees' `StatusQueue`. Our nodes "
                "by hand wake an inbox, as a loop asks of them.",
            ),
        )
    ]


def _row(kind: Kind, size: int, repeats: int, folder: Path) -> tuple[Cell, ...]:
    spec = grow(size, kind.composites, kind.wraps, kind.script)
    if "parallel" in kind.composites:
        spec = with_thresholds(spec)
    trees = [
        connect_to_inbox(kind.by_hand(spec)),
        build_file(write_tree(spec, folder, f"tree{size}")),
    ]
    reached = [_count_ticked(tree) for tree in trees]
    if reached[0] != reached[1]:
        raise SystemExit(f"{kind.name}: not the same tree, {reached} nodes ticked")
    ticks = max(1, 4000 // size)
    least, ratios = in_turns([partial(_seconds, tree, ticks) for tree in trees], repeats)
    each = [seconds / ticks / reached[0] * 1e6 for seconds in least]
    return (kind.name, size, kind.beside, *each, middle_ratio(ratios, 1))


def connect_to_inbox(root: Behaviour) -> Behaviour:
    """A tree by hand as it has to be in a loop: its nodes wake the loop's inbox, too."""
    inbox = Inbox(VirtualClock())
    for node in root.iterate():
        if isinstance(node, Control | Modifier):
            node.wake = inbox.wake
    return root


def with_thresholds(spec: Spec) -> Spec:
    """A `parallel` in the form that says how many have to succeed, as `from_data` reads it."""
    if "parallel" not in spec:
        return spec
    children = [with_thresholds(child) for child in spec["parallel"]]
    return {"parallel": {"success": -1, "failure": 1, "children": children}}


def _count_ticked(root: Behaviour) -> int:
    """How many nodes a tick reaches, once the tree has settled."""
    for _ in range(2):
        root.tick_once()
    return sum(1 for _ in root.tick())


def _seconds(root: Behaviour, ticks: int) -> float:
    started = time.perf_counter()
    for _ in range(ticks):
        root.tick_once()
    return time.perf_counter() - started
