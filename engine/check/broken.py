"""Names that files declare which could not be read.

A file with an error of its own has no entry. What refers to it is right all the same, and saying
that it does not exist would drown the one problem there is in follow-ups.
"""

from __future__ import annotations

import re

from engine.files.kinds import MODELS
from engine.files.library import Library, kind_of

_FIRST_KEY = re.compile(rf"^({'|'.join(MODELS)}):[ \t]+(\S.*?)[ \t]*(?:[ \t]#.*)?$", re.MULTILINE)


def known_but_broken(library: Library) -> set[tuple[str, str]]:
    """(kind, name) of what stands in a file with errors and has no entry."""
    paths = {problem.span.path for problem in library.diagnostics}
    if not paths:
        return set()
    found: set[tuple[str, str]] = set()
    for path in paths:
        file = library.sources.get(path)
        names = _FIRST_KEY.findall(file.text) if file is not None else []
        found.update((kind, _unquoted(name)) for kind, name in names)
        filename = path.rpartition("/")[2]
        kind = kind_of(filename)
        if kind is not None and not names:
            found.add((kind, filename.split(".")[0]))
    return found - {(entry.kind, entry.name) for entry in library.entries}


def broken_kinds(library: Library) -> frozenset[str]:
    """The kinds of which some file could not be read, so that their names are not all known."""
    return frozenset(kind for kind, _ in known_but_broken(library))


def _unquoted(text: str) -> str:
    if len(text) > 1 and text[0] == text[-1] and text[0] in "'\"":
        return text[1:-1]
    return text
