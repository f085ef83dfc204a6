"""Help for unknown names: the nearest name, another kind, another pack."""

from __future__ import annotations

from collections.abc import Sequence

from treec.check.base import near
from treec.check.unreadable import unreadable_names
from treec.files.entry import AnyEntry
from treec.files.kinds import behaviours
from treec.files.nodes import spec_referring
from treec.files.view import View
from treec.source.errors import suggest

SHOWN = 6


def node_syntax(kind: str, name: str) -> str | None:
    """Return how a tree's node names an entry of a kind: `do: NAME`; None if no node does."""
    spec = spec_referring(kind)
    return None if spec is None else f"{spec.key}: {name}"


def is_broken(view: View, kinds: Sequence[str], name: str) -> bool:
    """Whether a file with errors, which are reported, declares the name."""
    broken = unreadable_names(view.library)
    short = name.rpartition("/")[2]
    return any((kind, short) in broken for kind in kinds)


def help_for(view: View, kinds: Sequence[str], name: str) -> str | None:
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


def other_kind(view: View, name: str, kinds: Sequence[str] | None = None) -> str | None:
    """Return the kind that has an entry of this name: of some, or of behaviours and skills."""
    searched = (*behaviours(), "skill") if kinds is None else kinds
    return next((kind for kind in searched if view.find(kind, name) is not None), None)


def an(kind: str) -> str:
    """Return a kind with its article: an action, a tree."""
    return f"an {kind}" if kind[:1] in "aeiou" else f"a {kind}"


def _elsewhere(view: View, kinds: Sequence[str], name: str) -> AnyEntry | None:
    if view.system is None or "/" in name:
        return None
    found = (e for e in view.library.entries if e.name == name and e.kind in kinds)
    return next(found, None)


def _format_known(names: Sequence[str], kinds: Sequence[str]) -> str | None:
    kind = kinds[0] if len(kinds) == 1 else "behaviour"
    if not names:
        return f"no {kind} is defined yet"
    shown = ", ".join(names[:SHOWN])
    return f"{kind}s: {shown}{', …' if len(names) > SHOWN else ''}"
