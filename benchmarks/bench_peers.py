"""A tick, a file and a node beside those of other behaviour-tree engines.

The same trees of 1,000 nodes, with leaves written in Python that read their statuses from a script:
py_trees by hand, treec from a file, and what is installed of BehaviorTree.CPP (`behaviortreepy`,
its bindings), `bteng` and `bonsai-bt`. Each tree is ticked in turns in CPU time.
"""

from __future__ import annotations

import gc
import tempfile
import time
import tracemalloc
from collections.abc import Callable, Iterable, Mapping
from functools import partial
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import py_trees
from py_trees.behaviour import Behaviour
from py_trees.common import ParallelPolicy, Status

from benchmarks.bench_tick import with_thresholds
from benchmarks.specs import Spec, write_tree
from benchmarks.table import Cell, Table, in_turns, middle_ratio
from treec.compile.standalone import build_file
from treec.files.library import forget_files

NODES = 1000
TURNS = 41

STATUSES = {"S": "SUCCESS", "F": "FAILURE", "R": "RUNNING"}
Ticks = Callable[[], object]

Shape = tuple[str, str, str, str]
"""A row's name, the key of its composites, the script of its leaves, and that of the last one."""

SHAPES: tuple[Shape, ...] = (
    ("reactive sequence, RUNNING last", "reactive_sequence", "S", "R"),
    ("reactive selector, RUNNING last", "reactive_selector", "F", "R"),
    ("a decorator over each leaf", "invert", "F", "R"),
    ("parallels, all RUNNING", "parallel", "R", "R"),
    ("sequences with memory", "sequence", "S", "S"),
)
GOALS = (0.10, 0.15, 0.10, 0.20, 0.20)


def make_spec(shape: Shape, nodes: int = NODES) -> Spec:
    """A root with as many composites as each of them has leaves."""
    _, key, script, last = shape
    decorated = key == "invert"
    composite = "reactive_sequence" if decorated else key
    wide = round((nodes / (2 if decorated else 1)) ** 0.5)
    groups: list[Spec] = []
    for group in range(wide):
        leaves: list[Spec] = [
            {
                **({"invert": True} if decorated else {}),
                "probe": {
                    "name": f"leaf{group}_{n}",
                    "script": last if (group, n) == (wide - 1, wide - 1) else script,
                },
            }
            for n in range(wide - 1)
        ]
        if group == wide - 1:
            leaves[-1]["probe"]["script"] = last
        groups.append({composite: leaves})
    return {composite: groups}


def count_nodes(spec: Mapping[str, Any]) -> int:
    """The nodes of a tree, modifiers counted."""
    if "probe" in spec:
        return 1 + ("invert" in spec)
    (children,) = spec.values()
    return 1 + sum(map(count_nodes, children))


# The engines


class Leaf(Behaviour):
    """A leaf of py_trees by hand."""

    def __init__(self, name: str, script: str) -> None:
        super().__init__(name)
        self._script, self._due = [Status[STATUSES[letter]] for letter in script], 0

    def update(self) -> Status:
        """Return the next status of the script."""
        status = self._script[self._due]
        self._due = (self._due + 1) % len(self._script)
        return status


def by_hand(spec: Mapping[str, Any]) -> Behaviour:
    """The tree of py_trees' own nodes."""
    if "probe" in spec:
        leaf = Leaf(spec["probe"]["name"], spec["probe"]["script"])
        return py_trees.decorators.Inverter("invert", leaf) if "invert" in spec else leaf
    ((key, parts),) = spec.items()
    children = [by_hand(part) for part in parts]
    if key == "parallel":
        return py_trees.composites.Parallel(key, ParallelPolicy.SuccessOnAll(), children)
    kind = py_trees.composites.Sequence if "sequence" in key else py_trees.composites.Selector
    return kind(key, not key.startswith("reactive"), children)


XML = {
    "reactive_sequence": "ReactiveSequence",
    "reactive_selector": "ReactiveFallback",
    "parallel": "Parallel",
    "sequence": "Sequence",
}


def xml_of(spec: Mapping[str, Any]) -> str:
    """The tree in BehaviorTree.CPP's format; a leaf's element is named by its script."""
    if "probe" in spec:
        leaf = f'<Leaf{spec["probe"]["script"]} name="{spec["probe"]["name"]}"/>'
        return f"<Inverter>{leaf}</Inverter>" if "invert" in spec else leaf
    ((key, parts),) = spec.items()
    tag = XML[key]
    return f"<{tag}>{''.join(map(xml_of, parts))}</{tag}>"


def cpp_factory() -> Any:
    """BehaviorTree.CPP with leaves in Python."""
    cpp = import_module("behaviortreepy")
    factory = cpp.BehaviorTreeFactory()
    for letter in "SF":
        status = getattr(cpp.NodeStatus, STATUSES[letter])
        factory.register_simple_action(f"Leaf{letter}", _script(status))
    running = _script(cpp.NodeStatus.RUNNING)
    factory.register_simple_stateful_action("LeafR", running, running)
    return factory


def _script(*statuses: object) -> Callable[..., object]:
    due = 0

    def leaf(*_: object) -> object:
        nonlocal due
        status = statuses[due]
        due = (due + 1) % len(statuses)
        return status

    return leaf


def cpp_text(spec: Mapping[str, Any]) -> str:
    """A whole file of BehaviorTree.CPP."""
    tree = f'<BehaviorTree ID="T">{xml_of(spec)}</BehaviorTree>'
    return f'<root BTCPP_format="4" main_tree_to_execute="T">{tree}</root>'


def cpp(spec: Mapping[str, Any]) -> Ticks:
    """A tick of BehaviorTree.CPP."""
    factory = cpp_factory()
    tree = factory.create_tree_from_text(cpp_text(spec))
    return lambda: (tree.tick_once(), factory)[0]


def bteng(spec: Mapping[str, Any]) -> Ticks:
    """A tick of bteng."""
    engine = import_module("bteng")
    kinds = {
        "reactive_sequence": engine.ReactiveSequenceNode,
        "reactive_selector": engine.ReactiveFallbackNode,
        "parallel": engine.ParallelNode,
        "sequence": engine.SequenceNode,
    }

    def make(spec: Mapping[str, Any]) -> Any:
        if "probe" in spec:
            statuses = [getattr(engine.NodeStatus, STATUSES[c]) for c in spec["probe"]["script"]]
            leaf = engine.FunctionAction(spec["probe"]["name"], _script(*statuses))
            return engine.Inverter("invert", leaf) if "invert" in spec else leaf
        ((key, parts),) = spec.items()
        return kinds[key](key, [make(part) for part in parts])

    tree = engine.Tree(engine.TreeMetadata("T"), make(spec))
    return lambda: tree.tick_once()


def bonsai(spec: Mapping[str, Any]) -> Ticks:
    """A tick of bonsai-bt; it stops at an end, and is reset then."""
    engine = import_module("bonsai_bt")
    values = {"S": engine.Status.Success, "F": engine.Status.Failure, "R": engine.Status.Running}

    def make(spec: Mapping[str, Any]) -> Any:
        if "probe" in spec:
            leaf = engine.Action(_script(*((values[c], 0.0) for c in spec["probe"]["script"])))
            return engine.Invert(leaf) if "invert" in spec else leaf
        ((key, parts),) = spec.items()
        children = [make(part) for part in parts]
        if key == "parallel":
            return engine.WhenAll(children)
        kind = engine.Sequence if "sequence" in key else engine.Select
        return kind(children, memory=not key.startswith("reactive"))

    tree = engine.BT(make(spec), None)

    def call(args: Any, _: object) -> object:
        return args.action()

    def tick() -> None:
        tree.tick(0.1, call)
        if tree.is_finished():
            tree.reset_bt()

    return tick


PEERS: dict[str, tuple[str, Callable[[Mapping[str, Any]], Ticks]]] = {
    "BT.CPP": ("behaviortreepy", cpp),
    "bteng": ("bteng", bteng),
    "bonsai-bt": ("bonsai_bt", bonsai),
}


# The tables


def run(small: bool) -> list[Table]:
    """Ticks beside those of peers, then what a file and a node cost."""
    nodes, turns = (100, 3) if small else (NODES, TURNS)
    there = {name: make for name, (module, make) in PEERS.items() if find_spec(module)}
    missing = [module for module, _ in PEERS.values() if not find_spec(module)]
    notes = [
        f"CPU time of a tick of {nodes:,} nodes, py_trees = 1.0: the median ratio of {turns} "
        "turns. Leaves are Python functions that return the next status of a script."
    ]
    if missing:
        notes.append(f"Not installed, so not measured: {', '.join(missing)}.")
    gc.collect()
    gc.disable()
    try:
        with tempfile.TemporaryDirectory() as folder:
            rows = [
                _tick_row(shape, goal, there, nodes, turns, Path(folder))
                for shape, goal in zip(SHAPES, GOALS, strict=True)
            ]
            costs = list(_cost_rows(nodes, turns, Path(folder), "BT.CPP" in there))
    finally:
        gc.enable()
    head = ("tree", "py_trees, µs", "treec", "goal", *there)
    return [
        Table("A tick beside peers", head, rows, tuple(notes)),
        Table("A file and a node", ("what", "of", "µs or bytes a node"), costs, ()),
    ]


def _tick_row(
    shape: Shape,
    goal: float,
    peers: Mapping[str, Callable[[Mapping[str, Any]], Ticks]],
    nodes: int,
    turns: int,
    folder: Path,
) -> tuple[Cell, ...]:
    spec = make_spec(shape, nodes)
    hand, ours = by_hand(spec), build_file(write_tree(with_thresholds(spec), folder, "measured"))
    ticks: list[Ticks] = [hand.tick_once, ours.tick_once]
    ticks += [make(spec) for make in peers.values()]
    if (reached := [_status_after(root) for root in (hand, ours)])[0] != reached[1]:
        raise SystemExit(f"{shape[0]}: not the same statuses: {reached}")
    least, ratios = in_turns([partial(_seconds, tick) for tick in ticks], turns)
    others = [middle_ratio(ratios, number) for number in range(1, len(ticks))]
    return (shape[0], least[0] * 1e6, others[0], goal, *others[1:])


def _status_after(root: Behaviour) -> Status:
    root.tick_once()
    root.tick_once()
    return root.status


def _seconds(tick: Ticks, times: int = 3) -> float:
    started = time.process_time()
    for _ in range(times):
        tick()
    return (time.process_time() - started) / times


def _cost_rows(nodes: int, turns: int, folder: Path, cpp_there: bool) -> Iterable[tuple[Cell, ...]]:
    spec = make_spec(SHAPES[0], nodes)
    count, path = count_nodes(spec), write_tree(spec, folder, "loaded")

    def unread() -> object:
        forget_files()
        return build_file(path)

    loads: list[tuple[str, str, Callable[[], object]]] = [
        ("load a file, read for the first time", "treec", unread),
        ("load a file, read before", "treec", lambda: build_file(path)),
        ("make the tree in Python", "py_trees", lambda: by_hand(spec)),
    ]
    if cpp_there:
        text, factory = cpp_text(spec), cpp_factory()
        loads.append(("load XML", "BT.CPP", lambda: factory.create_tree_from_text(text)))
    least, _ = in_turns([partial(_seconds, load, 1) for _, _, load in loads], max(3, turns // 4))
    for (what, whose, _), seconds in zip(loads, least, strict=True):
        yield what, whose, seconds / count * 1e6
    for whose, make in (("treec", lambda: build_file(path)), ("py_trees", lambda: by_hand(spec))):
        yield "memory of a tree, bytes a node", whose, round(_bytes(make) / count)


def _bytes(make: Callable[[], object]) -> int:
    make()
    tracemalloc.start()
    before = tracemalloc.get_traced_memory()[0]
    kept = make()
    gc.collect()
    size = tracemalloc.get_traced_memory()[0] - before
    tracemalloc.stop()
    del kept
    return size
