"""Filters of text; each charges the budget before it makes its result."""

from __future__ import annotations

import json
import re
import textwrap
from collections.abc import Callable, Mapping

from treec.source.budget import MAX_NESTING, Budget
from treec.source.errors import EvaluationProblem
from treec.source.frame import ClosureFrame
from treec.source.objects import attribute, describe, is_list, items_of, name_of, text_of
from treec.source.operators import check_bounds, whole

_WIDEST = 1_000
"""Maximum columns to indent a text by or wrap it at."""


def text_argument(value: object, what: str) -> str:
    """Return a text, or the name of an entity; refuse anything else."""
    if isinstance(value, str):
        return value
    name = name_of(value)
    if name is None:
        raise EvaluationProblem(f"{what} takes a text, not {describe(value)}")
    return name


def string_filter(frame: ClosureFrame, value: object) -> object:
    return text_of(value, frame.budget)


def _textual(change: Callable[[str], str]) -> Callable[[ClosureFrame, object], object]:
    """A filter that turns one text into another of about the same length."""

    def run(frame: ClosureFrame, value: object) -> object:
        text = _as_text(frame, value)
        frame.budget.text(len(text))
        return change(text)

    return run


def _as_text(frame: ClosureFrame, value: object) -> str:
    return value if isinstance(value, str) else text_of(value, frame.budget)


upper_filter = _textual(str.upper)
lower_filter = _textual(str.lower)
capitalize_filter = _textual(str.capitalize)


@_textual
def title_filter(text: str) -> str:
    return re.sub(r"[^\s\-(\[{<]+", lambda word: word[0][:1].upper() + word[0][1:].lower(), text)


def gerund(text: str) -> str:
    """Return the words of an order as what somebody does: "putting the lid on"."""
    verb, _, rest = text.partition(" ")
    short = re.fullmatch(r"[^aeiou]*[aeiou][^aeiouwxy]", verb) is not None
    stem = verb[:-1] if re.search(r"[^eyo]e$", verb) else verb + verb[-1] if short else verb
    return f"{stem}ing {rest}".rstrip()


gerund_filter = _textual(gerund)


def trim_filter(frame: ClosureFrame, value: object, chars: object = None) -> object:
    text = _as_text(frame, value)
    frame.budget.text(len(text))
    if chars is None:
        return text.strip()
    characters = text_argument(chars, "'trim'")
    frame.budget.text(len(characters))
    return text.strip(characters)


def replace_filter(
    frame: ClosureFrame, value: object, old: object, new: object, count: object = -1
) -> object:
    text = _as_text(frame, value)
    before, after = text_argument(old, "'replace'"), text_argument(new, "'replace'")
    if not before:
        raise EvaluationProblem("'replace' needs something to look for")
    limit = whole(-1 if count is None else count)
    frame.budget.text(len(text))
    found = text.count(before)
    if limit >= 0:
        found = min(found, limit)
    frame.budget.text(len(text) + found * (len(after) - len(before)))
    return text.replace(before, after, limit)


def indent_filter(
    frame: ClosureFrame,
    value: object,
    width: object = 4,
    first: object = False,
    blank: object = False,
) -> object:
    text = _as_text(frame, value)
    prefix = width if isinstance(width, str) else " " * _columns(width)
    lines = text.split("\n")
    frame.budget.text(len(text) + len(prefix) * len(lines))
    indented = [prefix + line if line or blank else line for line in lines[1:]]
    return "\n".join([prefix + lines[0] if first else lines[0], *indented])


def wordwrap_filter(frame: ClosureFrame, value: object, width: object = 79) -> object:
    text = _as_text(frame, value)
    columns = _columns(width)
    if columns < 1:
        raise EvaluationProblem("a line has at least one column")
    # at worst every character stands on a line of its own; wrapping is slow: ten steps a piece
    frame.budget.text(2 * len(text))
    frame.budget.step(len(text) // 10)
    return "\n".join(
        "\n".join(textwrap.wrap(line, columns, break_on_hyphens=False)) for line in text.split("\n")
    )


def _columns(value: object) -> int:
    columns = whole(value)
    if not 0 <= columns <= _WIDEST:
        raise EvaluationProblem(f"a width is between 0 and {_WIDEST:,}")
    return columns


def tojson_filter(frame: ClosureFrame, value: object) -> object:
    plain = _plain(value, frame.budget, 0)
    text = json.dumps(plain, ensure_ascii=False, sort_keys=True, separators=(",", ":"))
    frame.budget.text(len(text))
    return text


def _plain(value: object, budget: Budget, depth: int) -> object:
    if depth >= MAX_NESTING:
        raise EvaluationProblem("these values are nested too deeply")
    if isinstance(value, str):
        budget.text(len(value))
        return value
    if value is None or isinstance(value, bool):
        return value
    if isinstance(value, (int, float)):
        return check_bounds(value)
    name = name_of(value)
    if name is not None:
        return name
    if isinstance(value, Mapping):
        budget.items(len(value))
        return {
            text_of(key, budget): _plain(entry, budget, depth + 1) for key, entry in value.items()
        }
    if is_list(value):
        return [_plain(entry, budget, depth + 1) for entry in items_of(value, budget)]
    fields = getattr(type(value), "treec_fields", None)
    if fields is None:
        raise EvaluationProblem(f"{describe(value)} cannot be written as JSON")
    budget.items(len(fields))
    return {field: _plain(attribute(value, field), budget, depth + 1) for field in fields}
