"""From YAML text to py_trees behaviours, for each node, beside py_trees' own XML parser."""

from __future__ import annotations

import gc
import tempfile
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from itertools import count
from pathlib import Path
from typing import Any

from benchmarks import xml
from benchmarks.table import Cell, Table, in_turns, middle_ratio
from tests.vectors import read_vectors, tree_file
from treec.compile.build import Compiler
from treec.compile.standalone import build_file, idle_runtime
from treec.files.library import Library
from treec.files.validate import read_entry
from treec.files.view import View
from treec.source.yaml import read_documents, read_file

SIZES = (10, 100, 1000)
FANOUT = 4
Tree = Mapping[str, Any]


def run(small: bool) -> list[Table]:
    """µs a node of the phases, of the whole, and of the XML parser."""
    vectors = [vector["tree"] for vector in read_vectors()[: 20 if small else None]]
    cases = {f"golden traces, {len(vectors)} trees": vectors}
    for size in SIZES[: 1 if small else None]:
        number = SIZES[-1] // size
        cases[f"generated, {number} of {size:,} nodes"] = [generate_tree(size)] * number
    with tempfile.TemporaryDirectory() as folder:
        rows = [
            _row(name, trees, Path(folder) / str(number), small)
            for number, (name, trees) in enumerate(cases.items())
        ]
    return [
        Table(
            "From YAML text to behaviours",
            (
                *("trees", "nodes", "read, µs", "validate, µs", "compile, µs", "in all, µs"),
                *("py_trees' XML, µs", "ratio"),
            ),
            rows,
            (
                "µs a node, the least of all turns; 'in all' is `build_file`, with the empty world "
                "that a tree by itself is built over. The ratio is the median over the turns of "
                "the XML parser's time to ours in the same turn. "
                "The golden traces are 800 small trees, so what a file costs weighs most there.",
            ),
        )
    ]


def generate_tree(size: int) -> Tree:
    """A tree of so many nodes of all composites and some decorators, as a golden trace has it."""
    names = count()
    kinds = ("sequence", "selector", "reactive_sequence", "reactive_selector", "parallel")
    decorators = ("inverter", "force_success", "retry")

    def node(size: int, depth: int) -> dict[str, Any]:
        number = next(names)
        if size == 1:
            return {"node": "probe", "name": f"leaf{number}", "script": "SRF"}
        if size == 2:
            kind = decorators[number % len(decorators)]
            return {"node": kind, "attempts": 3, "children": [node(1, depth + 1)]}
        parts = min(FANOUT, size - 1)
        share, rest = divmod(size - 1, parts)
        children = [node(share + (i < rest), depth + 1) for i in range(parts)]
        kind = kinds[depth % len(kinds)]
        return {"node": kind, "success_count": -1, "failure_count": 1, "children": children}

    return node(size, 0)


def walk(tree: Tree) -> Iterator[Tree]:
    """A node and all below it."""
    yield tree
    for child in tree.get("children", ()):
        yield from walk(child)


def _row(name: str, trees: Sequence[Tree], folder: Path, small: bool) -> tuple[Cell, ...]:
    folder.mkdir()
    ours, theirs = [], []
    for number, tree in enumerate(trees):
        path = folder / f"t{number}.tree.yaml"
        path.write_text(tree_file(number, {"family": "measured", "tree": tree}), encoding="utf-8")
        ours.append(path)
        theirs.append(xml.xml_file(folder / f"t{number}.xml", tree))
    nodes = sum(1 for tree in trees for _ in walk(tree))
    repeats = 2 if small else max(7, min(101, 20000 // nodes))
    actions = [partial(_build, build_file, ours), partial(_build, xml.parse, theirs)]
    actions += [partial(_phase, ours, phase) for phase in range(3)]
    gc.collect()
    gc.disable()
    try:
        least, ratios = in_turns(actions, repeats)
    finally:
        gc.enable()
    whole, parsed, *phases = (seconds / nodes * 1e6 for seconds in least)
    return (name, nodes, *phases, whole, parsed, middle_ratio(ratios, 1))


def _build(build: Callable[[Path], object], paths: Sequence[Path]) -> float:
    gc.collect()  # the trees of the turn before, which are cycles
    started = time.perf_counter()
    for path in paths:
        build(path)
    return time.perf_counter() - started


def _phase(paths: Sequence[Path], phase: int) -> float:
    """The seconds of one of: reading, validating, compiling."""
    gc.collect()
    seconds = [0.0, 0.0, 0.0]
    for path in paths:
        times = [time.perf_counter()]
        file, _ = read_file(path, path.name)
        assert file is not None
        (document,), _ = read_documents(file)
        times.append(time.perf_counter())
        entry, _ = read_entry(document, "tree")
        assert entry is not None
        times.append(time.perf_counter())
        library = Library(path.parent)
        library.add([entry])
        view = View(library)
        Compiler(view, idle_runtime(view)).root(entry)
        times.append(time.perf_counter())
        for which in range(3):
            seconds[which] += times[which + 1] - times[which]
    return seconds[phase]
