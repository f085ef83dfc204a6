"""Help for unknown names: the nearest name, another kind, another pack."""

from __future__ import annotations

import re
from collections.abc import Iterator, Set
from collections.abc import Sequence as SequenceABC
from itertools import takewhile

from treec.check.base import near
from treec.check.unreadable import unreadable_names
from treec.files.entry import AnyEntry
from treec.files.kinds import behaviours
from treec.files.library import Library
from treec.files.nodes import spec_referring
from treec.files.view import View
from treec.source.diagnostics import Diagnostic, did_you_mean
from treec.source.errors import suggest
from treec.source.yaml import Mapping, Scalar, Sequence, YamlNode

SHOWN = 6


def node_syntax(kind: str, name: str) -> str | None:
    """Return how a tree's node names an entry of a kind: `do: NAME`; None if no node does."""
    spec = spec_referring(kind)
    return None if spec is None else f"{spec.key}: {name}"


def is_broken(view: View, kinds: SequenceABC[str], name: str) -> bool:
    """Whether a file with errors, which are reported, declares the name."""
    broken = unreadable_names(view.library)
    short = name.rpartition("/")[2]
    return any((kind, short) in broken for kind in kinds)


def help_for(view: View, kinds: SequenceABC[str], name: str) -> str | None:
    """Suggest a correction of a name that no entry of these kinds has."""
    elsewhere = _elsewhere(view, kinds, name)
    if elsewhere is not None:
        pack = elsewhere.folder
        return (
            f"{elsewhere.path} has it, outside the packs in use: "
            f"write '{pack}/{name}', or add the pack to 'uses'"
        )
    known = near(view, kinds)
    return suggest(name, known) or _format_known(known, kinds)


def other_kind(view: View, name: str, kinds: SequenceABC[str] | None = None) -> str | None:
    """Return the kind that has an entry of this name: of some, or of behaviours and skills."""
    searched = (*behaviours(), "skill") if kinds is None else kinds
    return next((kind for kind in searched if view.find(kind, name) is not None), None)


def an(kind: str) -> str:
    """Return a kind with its article: an action, a tree."""
    return f"an {kind}" if kind[:1] in "aeiou" else f"a {kind}"


def _elsewhere(view: View, kinds: SequenceABC[str], name: str) -> AnyEntry | None:
    if view.system is None or "/" in name:
        return None
    found = (e for e in view.library.entries if e.name == name and e.kind in kinds)
    return next(found, None)


def _format_known(names: SequenceABC[str], kinds: SequenceABC[str]) -> str | None:
    kind = kinds[0] if len(kinds) == 1 else "behaviour"
    if not names:
        return f"no {kind} is defined yet"
    shown = ", ".join(names[:SHOWN])
    return f"{kind}s: {shown}{', …' if len(names) > SHOWN else ''}"


# Names that are misspelt where they are declared

_LOCAL = frozenset({"args", "ports", "vars", "item"})
_SHARED = frozenset({"types", "facts", "state", "derived", "objects", "subtasks", "acts"})
"""Keys below which names are declared: for their own file, and for others."""
SHORTEST = 4
"""Shorter names that differ by a letter are two names: `bay` and `bar`."""
_UNKNOWN = re.compile(r"unknown (?:\w+ )+'([^']+)'|^'([^']+)' is (?:used here|not an? )")

_OF_ONE_FILE = re.compile(r"' of this \w+$")
"""Names that only their own file declares: a subtask of this recipe."""


def blame_declarations(library: Library, problems: Set[Diagnostic]) -> set[Diagnostic]:
    """Return problems in which a name that is misspelt where it is declared is one, at that place.

    That is a declared name that stands nowhere else, while a name like it is unknown, and stands at
    two places or is the name of the file.
    """
    left = set(problems)
    unknown: dict[str, list[Diagnostic]] = {}
    for problem in problems:
        if problem.severity == "error" and (name := _UNKNOWN.search(problem.message)) is not None:
            unknown.setdefault(name[1] or name[2], []).append(problem)
    if not unknown:
        return left
    own = [entry for entry in library.entries if library.pack_of(entry.path) is None]
    texts = "\n".join(entry.file.text for entry in {e.path: e for e in own}.values())
    known = frozenset(entry.name for entry in library.entries)
    for entry in own:
        for node, is_local in _declared(entry):
            is_own_name = node.text == entry.name
            others = frozenset() if is_own_name or is_local else known
            meant = did_you_mean(node.text, unknown.keys() - others)
            if meant is None or not is_slip(node.text, meant) or _count(node.text, texts) != 1:
                continue
            here = [
                p
                for p in unknown[meant]
                if p.span != node.span
                and (
                    meant not in known
                    or (is_local and not is_own_name)
                    or p.message.startswith(f"unknown {entry.kind} ")
                )
                and not (is_own_name and "' is used here" in p.message)
                and (
                    not (is_local or _OF_ONE_FILE.search(p.message))
                    or p.span.path == entry.path
                    or f"'{node.text}'" in (p.help or "")
                )
            ]
            stem = entry.path.rpartition("/")[2].partition(".")[0].replace("_", " ")
            is_file = node.text == entry.name and stem == meant.replace("_", " ").lower()
            uses = _count(meant, texts)
            if here and left.issuperset(here) and uses + is_file > 1:
                left.difference_update(here)
                times = "once" if uses == 1 else f"{uses} times"
                message = f"'{node.text}' is used nowhere, and '{meant}', which is unknown, {times}"
                code, help = min(p.code for p in here), f"did you mean '{meant}'?"
                left.add(Diagnostic(code, "error", node.span, message, help))
    return left


def is_slip(one: str, other: str) -> bool:
    """Whether two names differ as by a slip: two letters swapped, or one more, fewer or another.

    Names that differ by a digit are two names, and so are short ones that differ by a letter.
    """
    one, other = one.casefold(), other.casefold()
    first = _count_same(one, other)
    last = _count_same(one[first:][::-1], other[first:][::-1])
    mine, others = one[first : len(one) - last], other[first : len(other) - last]
    if any(map(str.isdigit, mine + others)):
        return False
    if len(mine) == 2 and mine == others[::-1]:
        return True
    return len(mine) <= 1 and len(others) <= 1 and min(len(one), len(other)) >= SHORTEST


def _count_same(one: str, other: str) -> int:
    """The letters with which both begin."""
    return sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], zip(one, other, strict=False)))


def _count(name: str, texts: str) -> int:
    return len(re.findall(rf"(?<!\w){re.escape(name)}(?!\w)", texts))


def _declared(entry: AnyEntry) -> Iterator[tuple[Scalar, bool]]:
    """Yield the names that an entry declares, and whether they are for its own file alone."""
    stack: list[YamlNode] = [entry.node]
    name = entry.node.get(entry.kind)
    if isinstance(name, Scalar):
        yield name, False
    while stack:
        node = stack.pop()
        if isinstance(node, Sequence):
            stack += node.items
        for key, value in node.entries if isinstance(node, Mapping) else ():
            stack.append(value)
            if key.text == "item" and isinstance(value, Scalar):
                yield value, True
            elif key.text in _LOCAL | _SHARED and isinstance(value, Mapping):
                inner = [one for _, one in value.entries] if key.text == "acts" else []
                for names in (value, *(one for one in inner if isinstance(one, Mapping))):
                    yield from ((declared, key.text in _LOCAL) for declared, _ in names.entries)
