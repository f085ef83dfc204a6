"""Opens the cases and recordings of a library, and picks cases by words."""

from __future__ import annotations

from typing import TYPE_CHECKING

from treec.cli.common import Stop
from treec.cli.correct import require_correct

if TYPE_CHECKING:
    from treec.files.library import Library
    from treec_testing.decisions.snapshot import AnyCase, Snapshot


def open_snapshot(library: Library) -> Snapshot:
    """The library's cases and recordings. Raises Stop."""
    from treec_testing.decisions.cases import CaseError
    from treec_testing.decisions.snapshot import Snapshot

    require_correct(library, status=2)
    try:
        return Snapshot.open(library)
    except CaseError as error:
        raise Stop(str(error)) from None


def pick(cases: list[AnyCase], ids: list[str]) -> list[AnyCase]:
    """The cases that match the words. Raises Stop for a word that matches none."""
    from treec.source.errors import suggest
    from treec_testing.decisions.case_files import select_cases

    for word in ids:
        if not select_cases(cases, [word]):
            near = suggest(word, [name for case in cases for name in _names(case)])
            hint = near or "'treec case list' shows all"
            raise Stop(f"unknown case '{word}'; {hint}")
    return select_cases(cases, ids)


def _names(case: AnyCase) -> tuple[str, ...]:
    return case.id, case.id.rpartition("/")[0]
