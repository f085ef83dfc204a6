"""Styles: files that ship, written otherwise, of which `treec check` must tell nothing.

What the check does not read as it is (anchors, merge keys, tags) must be corrected by `--fix`.
"""

from __future__ import annotations

import tempfile
from pathlib import Path

from benchmarks.bench_mutants import LIBRARIES, copy_library
from benchmarks.process import ROOT
from benchmarks.styles import STYLES, Style
from benchmarks.table import Table
from treec.check import check_library
from treec.check.fixes import fixed
from treec.files.library import Library, load_library

SYSTEMS = {
    "treec": ROOT,
    "warehouse": LIBRARIES["warehouse"],
    "empty": ROOT / "engine/treec/templates/empty",
    "mosaic": ROOT / "templates/mosaic",
    "dag_plan": ROOT / "templates/dag_plan",
}
"""All that ships (MOSAIC, DAG-Plan, HELPER, the household), and the templates."""


def run(small: bool) -> list[Table]:
    """A table of styles: what is told in each library, as it is and after `--fix`."""
    systems = {"empty": SYSTEMS["empty"]} if small else SYSTEMS
    rows: list[tuple[str, ...]] = []
    notes: list[str] = []
    for name, style in STYLES.items():
        cells = []
        for system, root in systems.items():
            told, left, changed = judge(root, style)
            cells.append("0" if not told else f"{told}, fixed" if not left else f"{told}, {left}")
            if changed:
                notes.append(f"{name}, {system}: means something else: {', '.join(changed[:3])}.")
        rows.append((name, *cells))
    head = ("style", *systems)
    return [
        Table("What treec check tells of right files in other styles", head, rows, tuple(notes))
    ]


def judge(root: Path, style: Style) -> tuple[int, int, list[str]]:
    """How much is told, how much is left after `--fix`, and the files that mean something else."""
    with tempfile.TemporaryDirectory() as folder:
        copy = Path(folder) / root.name
        copy_library(root, copy)
        before = load_library(copy)
        for path in dict.fromkeys(e.path for e in before.entries if not before.pack_of(e.path)):
            file = copy / path
            text = style(file.read_bytes().decode("utf-8"))
            file.write_bytes(text.encode("utf-8"))
        after = load_library(copy)
        told = left = check_library(after)
        if told:
            paths = {problem.span.path for problem in told}
            texts = {path: (copy / path).read_bytes().decode("utf-8") for path in paths}
            done = fixed(texts, told, lambda edited: check_library(load_library(copy, edited)))
            after, left = load_library(copy, done.texts), list(done.left)
        return len(told), len(left), _changed(before, after)


def _changed(before: Library, after: Library) -> list[str]:
    models = {(e.path, e.name): e.model for e in after.entries}
    return [str(e) for e in before.entries if models.get((e.path, e.name)) != e.model]
