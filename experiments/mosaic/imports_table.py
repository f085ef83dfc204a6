"""Imported pages as a table and as plain data."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict

from experiments.mosaic.imports_trials import ImportResult, Kept


def to_text(results: Sequence[ImportResult]) -> str:
    """Render the totals, a row for each page that was cooked, and what failed."""
    return "\n".join([*_totals(results), "", *_listed(results), *_failed(results)]) + "\n"


def to_json(results: Sequence[ImportResult]) -> Mapping[str, object]:
    """Every page as plain data."""
    return {"pages": [asdict(one) for one in results]}


def _totals(results: Sequence[ImportResult]) -> Iterator[str]:
    read = [one for one in results if not one.failed]
    compared = [one for one in read if one.reference is not None]
    yield f"read: {_of(len(read), len(results))}"
    yield f"as the reference reads them: {_of(sum(map(_is_same, compared)), len(compared))}"
    yield f"steps in their order: {_of(sum(one.ordered is True for one in read), len(read))}"
    words, near = sum(one.words for one in read), sum(one.near for one in read)
    yield f"words taken for others (goal 0): {_of(near, words)}"
    for name in dict.fromkeys(name for one in read for name in one.kept):
        all_kept = [one.kept.get(name, Kept()) for one in read]
        yield f"{name} kept: {_of(sum(k.kept for k in all_kept), sum(k.said for k in all_kept))}"


def _listed(results: Sequence[ImportResult]) -> Iterator[str]:
    rows = [one for one in results if one.cooked]
    if not rows:
        return
    width = max(len(one.page) for one in rows)
    yield f"{'page by its list':{width}}  subtasks  errors  by nobody's task  cooked"
    for one in rows:
        yield (
            f"{one.page:{width}}  {one.subtasks:8}  {one.errors:6}  {one.unknown:16}  {one.cooked}"
        )
    whole = sum(one.cooked == "cooked" for one in rows)
    yield f"imported without an error: {_of(sum(not one.errors for one in rows), len(rows))}"
    yield f"cooked: {_of(whole, len(rows))}"
    yield ""


def _failed(results: Sequence[ImportResult]) -> Iterator[str]:
    for one in results:
        if one.failed:
            yield f"not read: {one.page}: {one.failed}"
        elif one.reference is False:
            yield f"read otherwise than its reference: {one.page}"


def _is_same(one: ImportResult) -> bool:
    return one.reference is True


def _of(number: int, total: int) -> str:
    share = f" ({100 * number / total:.0f} %)" if total else ""
    return f"{number} of {total}{share}"
