"""A library after an edit: only the files whose texts changed are read."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Set
from dataclasses import replace
from itertools import chain

from treec.files.entry import AnyEntry
from treec.files.library import Library, load_file, load_library

_FINDS_FILES = {"system": "uses", "scenario": "system"}
"""Keys that say what else is read, by kind: where they change, all of the library is read again."""


def changed_paths(library: Library, edited: Mapping[str, str]) -> set[str]:
    """Return the files whose unsaved texts differ from those of a library."""
    before = library.edited
    return {it for it in before.keys() | edited.keys() if before.get(it) != edited.get(it)}


def reloaded(library: Library, edited: Mapping[str, str]) -> Library:
    """Return a library with other unsaved texts; nothing else may have changed on disk."""
    changed = changed_paths(library, edited)
    if any(
        path not in library.sources or (path not in edited and not (library.root / path).is_file())
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
    if _finds(library.entries, changed) != _finds(chain(*read.values()), changed):
        return load_library(library.root, edited)
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


def _finds(entries: Iterable[AnyEntry], paths: Set[str]) -> list[str]:
    """What the entries of files say of what else is read: folders, and systems of packs."""
    keys = [
        getattr(one.model, _FINDS_FILES[one.kind])
        for one in entries
        if one.path in paths and one.kind in _FINDS_FILES
    ]
    return sorted(map(str, (key for key in keys if isinstance(key, list) or "/" in (key or ""))))
