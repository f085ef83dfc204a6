"""Opens the cases and recordings of a library, and picks cases by words."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

from treec.cli.common import Stop, wants_colour

if TYPE_CHECKING:
    from treec.decisions.snapshot import AnyCase, Snapshot
    from treec.files.library import Library


def open_snapshot(library: Library) -> Snapshot:
    """The library's cases and recordings. Raises Stop."""
    from treec.decisions.cases import CaseError
    from treec.decisions.snapshot import Snapshot

    check(library)
    try:
        return Snapshot.open(library)
    except CaseError as error:
        raise Stop(str(error)) from None


def check(library: Library) -> None:
    """Raise Stop if the library has errors."""
    from treec.check import check_library
    from treec.source.diagnostics import format_summary, format_text

    errors = [d for d in check_library(library) if d.severity == "error"]
    if errors:
        print(format_text(errors, library.sources, colour=wants_colour()), file=sys.stderr)
        raise Stop(f"the library has errors: {format_summary(errors)}")


def pick(cases: list[AnyCase], ids: list[str]) -> list[AnyCase]:
    """The cases that match the words. Raises Stop for a word that matches none."""
    from treec.decisions.cases import select_cases
    from treec.source.errors import suggest

    for word in ids:
        if not select_cases(cases, [word]):
            near = suggest(word, [name for case in cases for name in _names(case)])
            hint = near or "'treec case list' shows all"
            raise Stop(f"unknown case '{word}'; {hint}")
    return select_cases(cases, ids)


def _names(case: AnyCase) -> tuple[str, ...]:
    return case.id, case.id.rpartition("/")[0]
