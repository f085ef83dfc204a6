"""Ends commands that draw, write or run what has a mistake: with what `treec check` says of it."""

from __future__ import annotations

import sys
from collections.abc import Collection, Iterable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from treec.cli.basics import Stop, wants_colour

if TYPE_CHECKING:
    from treec.files.entry import AnyEntry
    from treec.files.library import Library
    from treec.files.view import View
    from treec.source.diagnostics import Diagnostic

UNKNOWN_NODE, UNREACHABLE = "TC301", "TC404"
ELSEWHERE = frozenset({"TC302", UNREACHABLE})
"""Rules about a tree among others, which a file that belongs to no library does not have."""


def require_correct(library: Library, system: AnyEntry | None = None, *, status: int = 1) -> None:
    """Raise Stop, with the errors printed, if a library, or what a system uses, has any."""
    from treec.check.cache import errors_of

    found = errors_of(library, system)
    wrong = [p for p in found if system is None or p.code != UNREACHABLE]
    stop_with(library, wrong, status=status)


def require_correct_entries(view: View, entries: Iterable[AnyEntry]) -> None:
    """Raise Stop if some files, or those of the behaviours that they reach, have errors."""
    from treec.check.cache import errors_of
    from treec.check.graph import graph_of
    from treec.check.unreadable import unreadable_paths
    from treec.files.kinds import behaviours

    library, graph = view.library, graph_of(view)
    named = list(entries)
    behaving = [entry for entry in named if entry.kind in behaviours()]
    reached = [*named, *graph.reachable_from(behaving).values()]
    paths = {entry.path for entry in reached}
    for entry in reached:
        for kinds, name in graph.unknown_names(entry):
            for kind in kinds:
                paths |= unreadable_paths(library, kind, name)
    _stop_at(library, errors_of(library, view.system), paths)


def require_readable(library: Library, kinds: Sequence[str], name: str | None = None) -> None:
    """Raise Stop if a name, or one of some kinds, is declared in a file that cannot be read."""
    from treec.check.unreadable import unreadable_names, unreadable_paths

    declared = [(k, n) for k, n in unreadable_names(library) if k in kinds and name in (n, None)]
    paths = {path for kind, own in declared for path in unreadable_paths(library, kind, own)}
    if paths:
        _stop_at(library, library.diagnostics, paths)


def require_correct_file(library: Library, path: Path, alone: bool = True) -> None:
    """Raise Stop if a tree's file has errors in the library that it lies in, or else by itself.

    ``library`` has been read from this file alone. Of a file outside of libraries ``alone`` says
    whether it is judged, unless it has nodes of another program.
    """
    from treec.api.find import find_library
    from treec.check import check_library
    from treec.files.library import NoLibrary, find_root

    try:
        whole = find_library(find_root(path.resolve().parent), tree=path)
    except NoLibrary:
        found = [p for p in check_library(library) if p.severity == "error"] if alone else []
        if all(p.code != UNKNOWN_NODE or "did you mean" in (p.help or "") for p in found):
            stop_with(library, [p for p in found if p.code not in ELSEWHERE])
        return
    shown = path.resolve().relative_to(whole.root.resolve()).as_posix()
    if shown in whole.sources:
        _stop_at(whole, check_library(whole), {shown})


def _stop_at(library: Library, problems: Iterable[Diagnostic], paths: Collection[str]) -> None:
    here = [p for p in problems if p.severity == "error" and p.span.path in paths]
    stop_with(library, [p for p in here if p.code != UNREACHABLE])


def stop_with(
    library: Library, errors: Sequence[Diagnostic], why: str = "", status: int = 1
) -> None:
    """Print errors and raise Stop, with their number or ``why``, if there are any."""
    from treec.source.diagnostics import format_summary, format_text

    if errors:
        print(format_text(sorted(errors), library.sources, colour=wants_colour()), file=sys.stderr)
        raise Stop(why or format_summary(errors), status)
