"""Filters of lists and mappings; they return lists, not generators."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cmp_to_key
from itertools import compress
from operator import is_not, not_
from typing import Any, cast

from treec.source.errors import EvaluationProblem
from treec.source.filters_text import text_argument
from treec.source.frame import ClosureFrame
from treec.source.objects import (
    attribute,
    describe,
    is_list,
    item,
    items_of,
    key_of,
    name_of,
    text_of,
)
from treec.source.operators import COMPARE, add, check_order, number, whole
from treec.source.registry import FILTERS, TESTS, Builtin

_NO_DEFAULT = object()

LONG = 32
"""The length from which the verdicts on a list's items are kept."""


def _read(value: object, path: object) -> object:
    """Read `a.b` from a value, or an item by number."""
    if isinstance(path, int):
        return item(value, path)
    for name in text_argument(path, "the attribute").split("."):
        if name.startswith("_"):
            raise EvaluationProblem("a field cannot begin with '_'")
        value = attribute(value, name)
    return value


def _values(frame: ClosureFrame, value: object, path: object) -> Sequence[object]:
    found = items_of(value, frame.budget)
    return found if path is None else [_read(entry, path) for entry in found]


def order_key(case_sensitive: bool) -> Callable[[object], Any]:
    """Return the key that sorts numbers, or texts and entities by name."""

    def compare(left: Any, right: Any) -> int:
        left, right = plain(left), plain(right)
        check_order(left, right)
        return int(left > right) - int(left < right)

    def plain(value: object) -> object:
        named = value if isinstance(value, str) else name_of(value)
        if named is None:
            return value
        return named if case_sensitive else named.lower()

    return cmp_to_key(compare)


def list_filter(frame: ClosureFrame, value: object) -> object:
    return list(items_of(value, frame.budget))


def length_filter(frame: ClosureFrame, value: object) -> object:
    if isinstance(value, (str, Mapping)) or is_list(value):
        return len(cast(Sequence[object], value))
    return len(items_of(value, frame.budget))


def first_filter(frame: ClosureFrame, value: object) -> object:
    return _end(frame, value, 0)


def last_filter(frame: ClosureFrame, value: object) -> object:
    return _end(frame, value, -1)


def _end(frame: ClosureFrame, value: object, index: int) -> object:
    found = value if isinstance(value, str) else items_of(value, frame.budget)
    return found[index] if found else None


def reverse_filter(frame: ClosureFrame, value: object) -> object:
    if isinstance(value, str):
        frame.budget.text(len(value))
        return value[::-1]
    return list(reversed(items_of(value, frame.budget)))


def sort_filter(
    frame: ClosureFrame,
    value: object,
    reverse: object = False,
    case_sensitive: object = False,
    attribute: object = None,
) -> object:
    found = items_of(value, frame.budget)
    frame.budget.step(len(found) * max(1, len(found)).bit_length())
    key = order_key(bool(case_sensitive))
    return sorted(
        found,
        key=lambda entry: key(entry if attribute is None else _read(entry, attribute)),
        reverse=bool(reverse),
    )


def unique_filter(
    frame: ClosureFrame, value: object, case_sensitive: object = False, attribute: object = None
) -> object:
    seen = set()
    kept = []
    for entry in items_of(value, frame.budget):
        key = key_of(entry if attribute is None else _read(entry, attribute))
        if isinstance(key, str) and not case_sensitive:
            key = key.lower()
        if key not in seen:
            seen.add(key)
            kept.append(entry)
    return kept


def batch_filter(frame: ClosureFrame, value: object, linecount: object) -> object:
    size = whole(linecount)
    if size < 1:
        raise EvaluationProblem("a batch has at least one item")
    found = items_of(value, frame.budget)
    return [list(found[at : at + size]) for at in range(0, len(found), size)]


def groupby_filter(frame: ClosureFrame, value: object, attribute: object) -> object:
    groups: dict[object, tuple[object, list[object]]] = {}
    for entry in items_of(value, frame.budget):
        label = _read(entry, attribute)
        groups.setdefault(key_of(label), (label, []))[1].append(entry)
    key = order_key(case_sensitive=True)
    pairs = sorted(groups.values(), key=lambda pair: key(pair[0]))
    return [{"grouper": label, "list": entries} for label, entries in pairs]


def min_filter(frame: ClosureFrame, value: object, attribute: object = None) -> object:
    return _extreme(frame, value, attribute, "gt")


def max_filter(frame: ClosureFrame, value: object, attribute: object = None) -> object:
    return _extreme(frame, value, attribute, "lt")


def _extreme(frame: ClosureFrame, value: object, path: object, worse: str) -> object:
    best: object = None
    best_key: object = None
    for index, entry in enumerate(items_of(value, frame.budget)):
        key = entry if path is None else _read(entry, path)
        if index == 0 or COMPARE[worse](best_key, key, frame.budget):
            best, best_key = entry, key
    return best


def sum_filter(
    frame: ClosureFrame, value: object, attribute: object = None, start: object = 0
) -> object:
    total: object = number(start)
    for entry in _values(frame, value, attribute):
        total = add(number(total), number(entry), frame.budget)
    return total


def _apply(frame: ClosureFrame, builtin: Builtin, value: object, args: Sequence[object]) -> object:
    frame.budget.step()
    if builtin.framed:
        return builtin.run(frame, value, *args)
    return builtin.run(value, *args)


def _passes(frame: ClosureFrame, value: object, name: object, args: Sequence[object]) -> bool:
    return bool(_apply(frame, TESTS[cast(str, name)], value, args))


def map_filter(
    frame: ClosureFrame,
    value: object,
    *args: object,
    attribute: object = None,
    default: object = _NO_DEFAULT,
) -> object:
    found = items_of(value, frame.budget)
    if attribute is None:
        if not args:
            raise EvaluationProblem("'map' needs the name of a filter, or attribute='…'")
        return [_apply(frame, FILTERS[cast(str, args[0])], entry, args[1:]) for entry in found]
    if default is _NO_DEFAULT:
        return [_read(entry, attribute) for entry in found]
    return [_read_or(entry, attribute, default) for entry in found]


def _read_or(value: object, path: object, default: object) -> object:
    try:
        return _read(value, path)
    except EvaluationProblem:
        return default


def select_filter(frame: ClosureFrame, value: object, *args: object) -> object:
    return _select(frame, value, None, args, expected=True)


def reject_filter(frame: ClosureFrame, value: object, *args: object) -> object:
    return _select(frame, value, None, args, expected=False)


def selectattr_filter(
    frame: ClosureFrame, value: object, attribute: object, *args: object
) -> object:
    return _select(frame, value, attribute, args, expected=True)


def rejectattr_filter(
    frame: ClosureFrame, value: object, attribute: object, *args: object
) -> object:
    return _select(frame, value, attribute, args, expected=False)


def _select(
    frame: ClosureFrame, value: object, path: object, args: Sequence[object], *, expected: bool
) -> list[object]:
    entries = items_of(value, frame.budget)
    if path is None and len(args) == 1 and not (test := TESTS[cast(str, args[0])]).framed:
        frame.budget.step(len(entries))
        if type(value) is tuple and len(value) >= LONG:
            verdicts = _verdicts(test.run, value)
            return [*compress(value, verdicts if expected else map(not_, verdicts))]
        run = test.run
        return [entry for entry in entries if bool(run(entry)) is expected]
    kept = []
    for entry in entries:
        judged = entry if path is None else _read(entry, path)
        passes = _passes(frame, judged, args[0], args[1:]) if args else bool(judged)
        if passes is expected:
            kept.append(entry)
    return kept


def _verdicts(run: Callable[..., object], entries: tuple[object, ...]) -> list[bool]:
    """A test's verdict on each of many entries, kept for those that the last such list had.

    A test that needs no frame is a function of its value, and the values of expressions do not
    change.
    """
    before, kept = _last_verdicts.get(run, ((), []))
    same = min(len(before), len(entries))
    verdicts = kept[:same]
    for place in compress(range(same), map(is_not, entries, before)):
        verdicts[place] = bool(run(entries[place]))
    verdicts += (bool(run(entry)) for entry in entries[same:])
    _last_verdicts[run] = entries, verdicts
    return verdicts


_last_verdicts: dict[Callable[..., object], tuple[tuple[object, ...], list[bool]]] = {}


def items_filter(frame: ClosureFrame, value: object) -> object:
    return [list(pair) for pair in _pairs(frame, value)]


def dictsort_filter(
    frame: ClosureFrame,
    value: object,
    case_sensitive: object = False,
    by: object = "key",
    reverse: object = False,
) -> object:
    if by not in ("key", "value"):
        raise EvaluationProblem("'dictsort' sorts by='key' or by='value'")
    at = 0 if by == "key" else 1
    pairs = _pairs(frame, value)
    frame.budget.step(len(pairs) * max(1, len(pairs)).bit_length())
    key = order_key(bool(case_sensitive))
    return sorted(
        ([name, entry] for name, entry in pairs),
        key=lambda pair: key(pair[at]),
        reverse=bool(reverse),
    )


def _pairs(frame: ClosureFrame, value: object) -> list[tuple[object, object]]:
    if not isinstance(value, Mapping):
        raise EvaluationProblem(f"this takes a mapping, not {describe(value)}")
    frame.budget.items(len(value))
    return list(value.items())


def list_words(texts: Iterable[str], last: str = "and", most: int = 0) -> str:
    """Join as people list: "a, b and c"; with ``most``, "a, b and 3 more"."""
    found = list(texts)
    if 0 < most < len(found):
        found, last = [*found[:most], f"{len(found) - most} more"], "and"
    return f" {last} ".join([*filter(None, [", ".join(found[:-1])]), *found[-1:]])


def listed_filter(
    frame: ClosureFrame, value: object, last: object = "and", most: object = 0
) -> object:
    texts = [text_of(entry, frame.budget) for entry in items_of(value, frame.budget)]
    joined = list_words(texts, text_argument(last, "the last separator"), whole(most))
    frame.budget.text(len(joined))
    return joined


def join_filter(
    frame: ClosureFrame, value: object, d: object = "", attribute: object = None
) -> object:
    separator = text_argument(d, "the separator")
    texts = [text_of(entry, frame.budget) for entry in _values(frame, value, attribute)]
    frame.budget.text(sum(map(len, texts)) + len(separator) * max(0, len(texts) - 1))
    return separator.join(texts)
