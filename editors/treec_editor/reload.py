"""A library after an edit: only the files whose texts changed are read."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from treec.files.entry import AnyEntry
from treec.files.library import Library, kind_of, load_file, load_library

_FINDS_FILES = ("system", "scenario")
"""Kinds of files that say what else is read: all of the library is read again."""


def changed_paths(library: Library, edited: Mapping[str, str]) -> set[str]:
    """Return the files whose unsaved texts differ from those of a library."""
    before = library.edited
    return {it for it in before.keys() | edited.keys() if before.get(it) != edited.get(it)}


def reloaded(library: Library, edited: Mapping[str, str]) -> Library:
    """Return a library with other unsaved texts; nothing else may have changed on disk."""
    changed = changed_paths(library, edited)
    if any(
        path not in library.sources
        or kind_of(path.rpartition("/")[2]) in _FINDS_FILES
        or (path not in edited and not (library.root / path).is_file())
        for path in changed
    ):
        return load_library(library.root, edited)
    new = replace(
        library,
        edited=dict(edited),
        entries=[],
        sources=dict(library.sources),
        diagnostics=[it for it in library.diagnostics if it.span.path not in changed],
        packs=dict(library.packs),
        looked_at=set(library.looked_at),
        unread=dict(library.unread),
        results={},
        _uses={},
        _read=set(library._read),
        _index=None,
    )
    read = {path: load_file(new, library.root / path, path) for path in sorted(changed)}
    own: list[AnyEntry] = []
    of_packs: list[AnyEntry] = []
    for entry in library.entries:
        if library.pack_of(entry.path) is not None:
            of_packs.append(entry)
        elif entry.path not in changed:
            own.append(entry)
    entries = [*own, *(entry for of_file in read.values() for entry in of_file)]
    new.entries = [*sorted(entries, key=lambda it: it.path), *of_packs]  # stable: by position
    for system in list(new.of_kind("system")):
        new.uses(system)
    return new
