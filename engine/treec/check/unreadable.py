"""Names declared in files with errors.

A file with an error of its own has no entry. References to it are correct all the same, and
reporting them as unknown would bury the one real problem in follow-ups.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Mapping
from weakref import ref

from treec.files.kinds import MODELS
from treec.files.library import Library, kind_of
from treec.source.diagnostics import Diagnostic


def _first_keys(text: str) -> list[tuple[str, str]]:
    pattern = rf"^({'|'.join(MODELS)}):[ \t]+(\S.*?)[ \t]*(?:[ \t]#.*)?$"
    return re.findall(pattern, text, re.MULTILINE)


_Paths = Mapping[tuple[str, str], frozenset[str]]

_last: tuple[ref[Library], tuple[int, int], _Paths] | None = None
"""The last result, with its library and the state of that; many rules ask for the same."""


def unreadable_names(library: Library) -> frozenset[tuple[str, str]]:
    """Return (kind, name) of what is declared in a file with errors and has no entry."""
    return frozenset(_unreadable(library))


def unreadable_paths(library: Library, kind: str, name: str) -> frozenset[str]:
    """Return the files with errors that declare a name without an entry; none if it has one."""
    return _unreadable(library).get((kind, name), frozenset())


def _unreadable(library: Library) -> _Paths:
    global _last
    size = (len(library.diagnostics), len(library.entries))
    if not library.diagnostics:
        return {}
    if _last is None or _last[0]() is not library or _last[1] != size:
        _last = (ref(library), size, _declaring_paths(library))
    return _last[2]


def _declaring_paths(library: Library) -> _Paths:
    found: defaultdict[tuple[str, str], set[str]] = defaultdict(set)
    for path in {problem.span.path for problem in library.diagnostics}:
        file = library.sources.get(path)
        filename = path.rpartition("/")[2]
        kind_of_file = kind_of(filename)
        for kind, name in _first_keys(file.text) if file is not None else ():
            if kind_of_file in (None, kind):
                found[kind, _unquote(name)].add(path)
        if kind_of_file is not None:  # the mistake may be in the name
            for name in _names_by_file(filename.split(".")[0]):
                found[kind_of_file, name].add(path)
    readable = {(entry.kind, entry.name) for entry in library.entries}
    return {it: frozenset(paths) for it, paths in found.items() if it not in readable}


def _names_by_file(stem: str) -> set[str]:
    """The names that a file may declare by its own: `an_order`, `An_Order`, `An Order`."""
    names = {stem, stem.title()}
    return names | {name.replace("_", " ") for name in names}


def unreadable_kinds(library: Library) -> frozenset[str]:
    """Return the kinds with an unreadable file, whose names are not all known."""
    return frozenset(kind for kind, _ in unreadable_names(library))


_UNKNOWN = re.compile(r"unknown (?P<kind>\w+) '(?P<name>[^']+)'")


def follows_unreadable(library: Library, problem: Diagnostic, *, in_system: bool) -> bool:
    """Whether what a problem calls unknown is, or may be, declared in a file with errors.

    A system that cannot be read may use more than what is found without it.
    """
    found = _UNKNOWN.match(problem.message) if library.diagnostics else None
    if found is None:
        return False
    if (found["kind"], found["name"]) in _unreadable(library):
        return True
    is_meant = (problem.help or "").startswith("did you mean")
    return not in_system and not is_meant and "system" in unreadable_kinds(library)


def _unquote(text: str) -> str:
    if len(text) > 1 and text[0] == text[-1] and text[0] in "'\"":
        return text[1:-1]
    return text
