"""A kind of act that no reading declares.

`answers` of an action names the kinds of acts that its commit settles; `veto` of a reading names
those of its own acts that a model may not take away.

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

from treec.check.base import entries
from treec.check.unreadable import unreadable_kinds
from treec.files.entry import AnyEntry
from treec.files.view import View
from treec.source.diagnostics import Diagnostic, did_you_mean

CODE = "TC409"


def check(view: View) -> Iterator[Diagnostic]:
    """Kinds in `answers` and `veto` that there are not."""
    kinds: dict[str, None] = {}
    for entry in entries(view, "reading"):
        kinds.update(dict.fromkeys(entry.model.acts))
        yield from _unknown(
            entry, "veto", entry.model.veto, tuple(entry.model.acts), "this reading"
        )
    if "reading" in unreadable_kinds(view.library):
        return
    for entry in entries(view, "action"):
        yield from _unknown(entry, "answers", entry.model.answers or (), tuple(kinds), "a reading")


def _unknown(
    entry: AnyEntry, field: str, names: Sequence[str], known: Sequence[str], who: str
) -> Iterator[Diagnostic]:
    for index, name in enumerate(names):
        if name in known:
            continue
        nearest = did_you_mean(name, known)
        there_are = f"kinds: {', '.join(known)}" if known else "there are no kinds of acts here"
        yield Diagnostic(
            CODE,
            "error",
            entry.span(field, index),
            f"'{name}' is no kind of act that {who} declares",
            f"did you mean '{nearest}'?" if nearest else there_are,
        )
