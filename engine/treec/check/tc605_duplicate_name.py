"""Duplicate name in a system.

Names are unique within the packs that a system uses. Decisions, actions, readings, programs and
trees share one namespace; so do scene objects and agents.

Wrong, in two files of one system:

    task: get
    about: Fetch something.
    ---
    task: get
    about: Fetch something else.

Right:

    task: get
    about: Fetch something.
    ---
    task: get back
    about: Fetch something else.
"""

from __future__ import annotations

from collections.abc import Iterator

from treec.check.base import entries
from treec.files.entry import AnyEntry
from treec.files.kinds import behaviours
from treec.files.view import View
from treec.source.diagnostics import Diagnostic
from treec.source.text import Span

CODE = "TC605"

_ARTICLES = {"action": "an action", "agent": "an agent", "object": "an object"}


def check(view: View) -> Iterator[Diagnostic]:
    """Report every further use of a name that the system already has."""
    yield from _duplicates((entry, "system") for entry in view.library.own("system"))
    if view.system is None:
        return
    yield from _duplicates((e, e.kind) for e in _packs_first(view, *behaviours()))
    for kind in view.by_kind:
        if kind not in behaviours() and kind != "system":
            yield from _duplicates((entry, kind) for entry in _packs_first(view, kind))
    for scene in view.scenes:
        for name in scene.model.objects:
            agent = view.all("agent").get(name)
            if agent is not None:
                span = agent.span("agent")
                yield _duplicate(
                    name, span, "agent", scene.span("objects", name, key=True), "object"
                )


def _packs_first(view: View, *kinds: str) -> list[AnyEntry]:
    """Entries of some kinds, those of packs first: the library's own duplicate is reported."""
    library = view.library
    return sorted(entries(view, *kinds), key=lambda entry: library.pack_of(entry.path) is None)


def _duplicates(found: Iterator[tuple[AnyEntry, str]]) -> Iterator[Diagnostic]:
    first: dict[str, tuple[AnyEntry, str]] = {}
    for entry, kind in found:
        before, other = first.setdefault(entry.name, (entry, kind))
        if before is not entry:
            yield _duplicate(entry.name, entry.span(kind), kind, before.span(other), other)


def _duplicate(name: str, span: Span, kind: str, before: Span, other: str) -> Diagnostic:
    there = f"{before.path}:{before.line}:{before.column}"
    what = _ARTICLES.get(other, f"a {other}")
    return Diagnostic(
        CODE,
        "error",
        span,
        f"duplicate name '{name}': {there} has {what} of this name",
        f"rename this {kind}",
    )
