"""Unknown kind of act.

`answers` of an action lists the kinds of acts that its commit settles; `veto` of a reading lists
those of its own acts that a model must not drop.

Wrong:

    reading: Operator_Talk
    about: The acts in an utterance.
    acts: {stop: {}, remark: {}}
    veto: [stopp]

Right:

    reading: Operator_Talk
    about: The acts in an utterance.
    acts: {stop: {}, remark: {}}
    veto: [stop]
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from treec.check.base import all_entries, entries
from treec.check.unreadable import unreadable_kinds
from treec.files.entry import AnyEntry
from treec.files.view import View
from treec.source.diagnostics import Diagnostic, suggestion

CODE = "TC409"


def check(view: View) -> Iterator[Diagnostic]:
    """Report unknown kinds in `answers` and `veto`."""
    kinds = [name for entry in all_entries(view, "reading") for name in entry.model.acts]
    for entry in entries(view, "reading"):
        yield from _unknown(
            entry, "veto", entry.model.veto, tuple(entry.model.acts), "this reading"
        )
    if "reading" in unreadable_kinds(view.library):
        return
    for entry in entries(view, "action"):
        yield from _unknown(entry, "answers", entry.model.answers or (), tuple(kinds))


def _unknown(
    entry: AnyEntry, field: str, names: Sequence[str], known: Sequence[str], who: str = ""
) -> Iterator[Diagnostic]:
    for index, name in enumerate(names):
        if name in known:
            continue
        help = suggestion(name, known, "kinds") if known else "no kinds of acts are declared"
        yield Diagnostic(
            CODE,
            "error",
            entry.span(field, index),
            f"unknown kind of act '{name}'" + (f" of {who}" if who else ""),
            help,
        )
