"""Mutants: of single slips in a correct library, how many `treec check` reports, and where."""

from __future__ import annotations

import multiprocessing
import os
import re
import shutil
import tempfile
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

from benchmarks.mutations import Mutation, mutations, sample
from benchmarks.process import ROOT
from benchmarks.slips import INTENT, slips
from benchmarks.table import Table
from treec.check import Verdicts, check_library
from treec.files.library import Library, load_library
from treec.source.diagnostics import Diagnostic

SEED = 17
MOST = 2
"""Mutations of each kind that are tried."""
LIBRARIES = {"treec": ROOT, "warehouse": ROOT / "engine/treec/templates/warehouse"}
PARTS = {
    "treec": (ROOT, ""),
    "DAG-Plan": (ROOT, r"dag_plan|dual_kitchen"),
    "HELPER and the household": (ROOT, r"helper|household"),
    "the template warehouse": (LIBRARIES["warehouse"], ""),
    "the template empty": (ROOT / "engine/treec/templates/empty", ""),
    "the template mosaic": (ROOT / "templates/mosaic", ""),
    "the template dag_plan": (ROOT / "templates/dag_plan", ""),
}
"""Libraries, and a pattern that the paths of the files have that are changed."""
KINDS = {"names and keys": mutations, "other slips": slips}
"""Sources of mutations: those of names, keys and types, and those of habits and typing."""
_FILES = (".yaml", ".toml", ".npz")


@dataclass(frozen=True, slots=True)
class Verdict:
    """Whether the check reports a mutation: at all, and on the line that was changed."""

    mutation: Mutation
    told: bool
    on_line: bool
    equivalent: bool = False
    """Whether the file means what it meant: then it is no mistake."""


def run(small: bool, seed: int = SEED, processes: int | None = None) -> list[Table]:
    """A table of shares, and one of each part of what ships with its kinds of files.

    As many processes as there are cores, if not given.
    """
    tables, shares = [], []
    for name, (root, pattern) in PARTS.items():
        library = load_library(root)
        for kinds, source in KINDS.items():
            found = (m for m in source(library) if re.search(pattern, m.path))
            drawn = sample(found, 1 if small else MOST, seed)
            if small:
                drawn = drawn[:: max(len(drawn) // 6, 1)]
            verdicts = [v for v in judge(root, drawn, processes) if not v.equivalent]
            knowable = [v for v in verdicts if v.mutation.kind.partition(": ")[2] not in INTENT]
            shares.append(_share(name, kinds, knowable))
            shares += (
                [_share(name, "meant otherwise", rest)]
                if (rest := [v for v in verdicts if v not in knowable])
                else []
            )
            tables.append(table(f"{name}, {kinds}", knowable, seed))
    return [_shares(shares, seed), *tables]


def _share(part: str, kinds: str, found: Sequence[Verdict]) -> tuple[str | int, ...]:
    told, on_line = sum(v.told for v in found), sum(v.on_line for v in found)
    of = max(len(found), 1)
    return (part, kinds, _kinds(found), len(found), f"{told / of:.1%}", f"{on_line / of:.1%}")


def _shares(rows: Sequence[tuple[str | int, ...]], seed: int) -> Table:
    return Table(
        f"Single mutations told by treec check, seed {seed}",
        ("part", "kinds of slips", "kinds", "tried", "told", "on the line"),
        list(rows),
        ("'Meant otherwise' are correct files of another meaning, such as one without a 'not'.",),
    )


def judge(root: Path, drawn: Sequence[Mutation], processes: int | None = None) -> list[Verdict]:
    """Check a copy of a correct library with each of the mutations, one at a time."""
    workers = min(processes or os.cpu_count() or 1, max(len(drawn), 1))
    if workers < 2:
        return _judge_all((root, drawn))
    shares = [(root, drawn[start::workers]) for start in range(workers)]
    with multiprocessing.get_context("fork").Pool(workers) as pool:
        found = pool.map(_judge_all, shares)
    order = {mutation: place for place, mutation in enumerate(drawn)}
    return sorted((v for share in found for v in share), key=lambda v: order[v.mutation])


def _judge_all(share: tuple[Path, Sequence[Mutation]]) -> list[Verdict]:
    root, drawn = share
    with tempfile.TemporaryDirectory() as folder:
        copy = Path(folder) / root.name
        copy_library(root, copy)
        correct: Verdicts = {}
        before = check_library(load_library(copy), verdicts=correct)
        assert not before, f"{root} is not correct: {before[0]}"
        return [judge_one(copy, mutation, correct) for mutation in drawn]


def copy_library(root: Path, to: Path) -> None:
    """Copy what the check reads: the library's files, its task graphs, its own Python."""
    to.mkdir()
    excluded = load_library(root).settings.library.exclude
    for name in excluded:
        (to / name).mkdir(exist_ok=True)
    for path in sorted(root.rglob("*")):
        place = path.relative_to(root)
        left_out = place.parts[0] in excluded and not path.name.endswith(".case.yaml")
        if left_out or place.parts[0].startswith("."):
            continue
        if (
            path.suffix in (*_FILES, ".py")
            and path.is_file()
            and "engine" != place.parts[0] != "src"
        ):
            (to / place).parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(path, to / place)


def judge_one(root: Path, mutation: Mutation, correct: Verdicts) -> Verdict:
    """Check a library with a mutation: only the views that it changes, for the rest is correct.

    What is read with an error on the line needs no rules; a task graph is no file of a view.
    """
    file = root / mutation.path
    text = file.read_text("utf-8")
    before = _models(load_library(root), mutation.path)
    file.write_text(mutation.apply(text), "utf-8")
    try:
        library = load_library(root)
        found = library.diagnostics
        if not _is_told(mutation, found):
            is_entry = any(entry.path == mutation.path for entry in library.entries)
            found = check_library(library, verdicts=dict(correct) if is_entry else None)
        equivalent = not found and _models(library, mutation.path) == before
    finally:
        file.write_text(text, "utf-8")
    return Verdict(mutation, bool(found), _is_told(mutation, found), equivalent)


def _models(library: Library, path: str) -> list[object]:
    return [entry.model for entry in library.entries if entry.path == path]


def _is_told(mutation: Mutation, found: Iterable[Diagnostic]) -> bool:
    """Whether a problem is on the line that was changed."""
    return any(p.span.path == mutation.path and mutation.is_at(p.span.line) for p in found)


def table(name: str, verdicts: Iterable[Verdict], seed: int) -> Table:
    """A row for each kind of file; below it the shares, and what the check did not tell."""
    every = list(verdicts)
    files: dict[str, list[Verdict]] = {}
    for verdict in every:
        files.setdefault(verdict.mutation.kind.partition(":")[0], []).append(verdict)
    told = sum(v.told for v in every) / max(len(every), 1)
    on_line = sum(v.on_line for v in every) / max(len(every), 1)
    notes = [
        f"{len(every)} mutations of {_kinds(every)} kinds, seed {seed}: {told:.1%} told, "
        f"{on_line:.1%} on the line that was changed."
    ]
    silent = [v.mutation for v in every if not v.told]
    if silent:
        named = (f"{m.kind} ({m.path}:{m.line})" for m in silent)
        notes.append(f"Not told: {'; '.join(named)}.")
    return Table(
        f"Single mutations of {name}, told by treec check",
        ("file", "kinds", "tried", "told", "on the line"),
        [_row(file, found) for file, found in sorted(files.items())],
        tuple(notes),
    )


def _row(file: str, found: Sequence[Verdict]) -> tuple[str | int, ...]:
    told, on_line = sum(v.told for v in found), sum(v.on_line for v in found)
    return file, _kinds(found), len(found), told, on_line


def _kinds(verdicts: Iterable[Verdict]) -> int:
    return len({verdict.mutation.kind for verdict in verdicts})
