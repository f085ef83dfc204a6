"""What a tick costs: our nodes beside the same tree hand-built of stock py_trees nodes.

``python benchmarks/bench_tick.py [--json]``: µs for each ticked node, at 10, 100 and 1,000 nodes.
Both trees have the same shape and, but for the last row, the same stock leaves; they are timed in
turns within one run, and the median of the repeats counts. The ratio is ours to stock.
"""

from __future__ import annotations

import argparse
import gc
import json
import statistics
import sys
import time
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from itertools import count
from pathlib import Path

import py_trees
from py_trees.behaviour import Behaviour
from py_trees.common import OneShotPolicy, ParallelPolicy, Status

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from engine.nodes.force_failure import force_failure
from engine.nodes.force_success import force_success
from engine.nodes.invert import invert
from engine.nodes.once import once
from engine.nodes.parallel import Parallel
from engine.nodes.probe import Probe
from engine.nodes.reactive_selector import reactive_selector
from engine.nodes.reactive_sequence import reactive_sequence
from engine.nodes.repeat import Repeat
from engine.nodes.retry import Retry
from engine.nodes.selector import selector
from engine.nodes.sequence import sequence

SIZES = (10, 100, 1000)
FANOUT = 4

Composite = Callable[[list[Behaviour]], Behaviour]
Wrap = Callable[[Behaviour], Behaviour]


@dataclass(frozen=True)
class Kit:
    """What a tree is built of: composites and wraps take turns."""

    composites: Sequence[Composite]
    wraps: Sequence[Wrap]
    leaf: Callable[[], Behaviour]


@dataclass(frozen=True)
class Row:
    """One line of the table; times in µs for each ticked node."""

    tree: str
    nodes: int
    stock: float
    ours: float
    ratio: float


def stock_sequence(memory: bool) -> Composite:
    return lambda c: py_trees.composites.Sequence("sequence", memory, c)


def stock_selector(memory: bool) -> Composite:
    return lambda c: py_trees.composites.Selector("selector", memory, c)


def stock_parallel(children: list[Behaviour]) -> Behaviour:
    return py_trees.composites.Parallel("parallel", ParallelPolicy.SuccessOnAll(True), children)


def our_parallel(children: list[Behaviour]) -> Behaviour:
    return Parallel("parallel", children)


def success() -> Behaviour:
    return py_trees.behaviours.Success("leaf")


def failure() -> Behaviour:
    return py_trees.behaviours.Failure("leaf")


def running() -> Behaviour:
    return py_trees.behaviours.Running("leaf")


STOCK_SEQUENCES = (stock_sequence(True), stock_sequence(False))
OUR_SEQUENCES = (lambda c: sequence("sequence", c), lambda c: reactive_sequence("sequence", c))

KITS: dict[str, tuple[Kit, Kit]] = {
    "sequences": (Kit(STOCK_SEQUENCES, (), success), Kit(OUR_SEQUENCES, (), success)),
    "selectors": (
        Kit((stock_selector(True), stock_selector(False)), (), failure),
        Kit(
            (lambda c: selector("selector", c), lambda c: reactive_selector("selector", c)),
            (),
            failure,
        ),
    ),
    "stock modifiers": (
        Kit(
            STOCK_SEQUENCES,
            (
                lambda c: py_trees.decorators.FailureIsSuccess("force", c),
                lambda c: py_trees.decorators.Inverter(
                    "invert", py_trees.decorators.SuccessIsFailure("force", c)
                ),
                lambda c: py_trees.decorators.OneShot("once", c, OneShotPolicy.ON_COMPLETION),
            ),
            success,
        ),
        Kit(
            OUR_SEQUENCES,
            (
                lambda c: force_success("force", c),
                lambda c: invert("invert", force_failure("force", c)),
                lambda c: once("once", c),
            ),
            success,
        ),
    ),
    "parallels": (Kit((stock_parallel,), (), running), Kit((our_parallel,), (), running)),
    "retry, repeat": (
        Kit(
            (stock_parallel,),
            (
                lambda c: py_trees.decorators.Retry("retry", c, 3),
                lambda c: py_trees.decorators.Repeat("repeat", c, 3),
            ),
            running,
        ),
        Kit(
            (our_parallel,),
            (lambda c: Retry("retry", 3, c), lambda c: Repeat("repeat", 3, c)),
            running,
        ),
    ),
    "with our leaves": (
        Kit(
            STOCK_SEQUENCES,
            (),
            lambda: py_trees.behaviours.StatusQueue("leaf", [Status.SUCCESS], None),
        ),
        Kit(OUR_SEQUENCES, (), lambda: Probe("leaf", "S")),
    ),
}


def grow(kit: Kit, size: int) -> Behaviour:
    """A tree of about `size` nodes, as even as can be."""
    turns = count()

    def node(size: int, depth: int) -> Behaviour:
        if size <= 2:
            if kit.wraps and size == 2:
                return kit.wraps[next(turns) % len(kit.wraps)](kit.leaf())
            return kit.leaf()
        parts = min(FANOUT, size - 1)
        share, rest = divmod(size - 1, parts)
        children = [node(share + (i < rest), depth + 1) for i in range(parts)]
        return kit.composites[depth % len(kit.composites)](children)

    return node(size, 0)


def ticked(root: Behaviour) -> int:
    """How many nodes a tick reaches, once the tree has settled."""
    for _ in range(2):
        root.tick_once()
    return sum(1 for _ in root.tick())


def seconds(root: Behaviour, ticks: int) -> float:
    """The time of so many ticks."""
    started = time.perf_counter()
    for _ in range(ticks):
        root.tick_once()
    return time.perf_counter() - started


def measure(name: str, size: int, repeats: int) -> Row:
    """Both trees in turns; the median of each."""
    trees = [grow(kit, size) for kit in KITS[name]]
    reached = [ticked(tree) for tree in trees]
    if reached[0] != reached[1]:
        raise SystemExit(f"{name}: not the same tree, {reached[0]} and {reached[1]} nodes ticked")
    ticks = max(1, 2000 // size)
    times: tuple[list[float], list[float]] = ([], [])
    for repeat in range(repeats):
        for which in (0, 1) if repeat % 2 else (1, 0):
            times[which].append(seconds(trees[which], ticks) / ticks / reached[which] * 1e6)
    stock, ours = (statistics.median(found) for found in times)
    return Row(name, size, round(stock, 3), round(ours, 3), round(ours / stock, 3))


def main(arguments: list[str] | None = None) -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--json", action="store_true", help="print JSON rather than a table")
    parser.add_argument("--repeats", type=int, default=41, help="repeats of each (41)")
    given = parser.parse_args(arguments)
    gc.collect()
    gc.disable()
    rows = [measure(name, size, given.repeats) for name in KITS for size in SIZES]
    if given.json:
        print(json.dumps([asdict(row) for row in rows], indent=2))
        return
    print(f"{'tree':<18}{'nodes':>6}{'stock':>9}{'ours':>9}{'ratio':>8}   (µs a node and tick)")
    for row in rows:
        print(f"{row.tree:<18}{row.nodes:>6}{row.stock:>9.2f}{row.ours:>9.2f}{row.ratio:>8.2f}")


if __name__ == "__main__":
    main()
