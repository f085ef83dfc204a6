"""Names declared in files that could not be read.

A file with an error of its own has no entry. What refers to it is right all the same, and saying
that it does not exist would drown the one problem there is in follow-ups.
"""

from __future__ import annotations

import re
from weakref import ref

from treec.files.kinds import MODELS
from treec.files.library import Library, kind_of

_FIRST_KEY = re.compile(rf"^({'|'.join(MODELS)}):[ \t]+(\S.*?)[ \t]*(?:[ \t]#.*)?$", re.MULTILINE)


_last: tuple[ref[Library], tuple[int, int], frozenset[tuple[str, str]]] | None = None
"""What was told last, for which library and how much of it: rules ask again and again."""


def unreadable_names(library: Library) -> frozenset[tuple[str, str]]:
    """(kind, name) of what is declared in a file with errors and has no entry."""
    global _last
    size = (len(library.diagnostics), len(library.entries))
    if not library.diagnostics:
        return frozenset()
    if _last is None or _last[0]() is not library or _last[1] != size:
        _last = (ref(library), size, _declared(library))
    return _last[2]


def _declared(library: Library) -> frozenset[tuple[str, str]]:
    found: set[tuple[str, str]] = set()
    for path in {problem.span.path for problem in library.diagnostics}:
        file = library.sources.get(path)
        names = _FIRST_KEY.findall(file.text) if file is not None else []
        found.update((kind, _unquoted(name)) for kind, name in names)
        filename = path.rpartition("/")[2]
        kind = kind_of(filename)
        if kind is not None and not names:
            found.add((kind, filename.split(".")[0]))
    return frozenset(found - {(entry.kind, entry.name) for entry in library.entries})


def unreadable_kinds(library: Library) -> frozenset[str]:
    """The kinds with an unreadable file, so that not all of their names are known."""
    return frozenset(kind for kind, _ in unreadable_names(library))


def _unquoted(text: str) -> str:
    if len(text) > 1 and text[0] == text[-1] and text[0] in "'\"":
        return text[1:-1]
    return text
