"""Traps of YAML's brackets and braces: text that parses, but means something else.

A trap is reported, and then read as its author meant it, so that it causes no further errors.
"""

from __future__ import annotations

import re
from collections.abc import Callable

from treec.source.text import SourceFile
from treec.source.yaml_errors import quote
from treec.source.yaml_nodes import Scalar, YamlNode
from treec.source.yaml_syntax import cut_in_pieces

Report = Callable[[int, int, str, str], None]
"""Takes start, end, message and help."""

MOST_PIECES = 40
"""Expressions that are cut in more pieces than this are not detected."""

_QUOTED = re.compile(r"'[^']*'|\"[^\"]*\"")


def join_items(file: SourceFile, items: list[YamlNode], report: Report) -> list[YamlNode]:
    """Return a flow list with expressions that commas cut joined again."""
    joined: list[YamlNode] = []
    balances = [_balance(item) for item in items]
    here = 0
    while here < len(items):
        last = _closing_index(here, balances)
        if last is None:
            joined.append(items[here])
            here += 1
            continue
        whole = _whole(file, items[here].start, items[last].end)
        _cut(whole, report, "list one item")
        joined.append(whole)
        here = last + 1
    return joined


def join_entries(
    file: SourceFile, entries: list[tuple[YamlNode, YamlNode]], report: Report
) -> list[tuple[YamlNode, YamlNode]]:
    """Return a flow mapping with expressions that commas cut joined again."""
    joined: list[tuple[YamlNode, YamlNode]] = []
    balances = [_add(_balance(key), _balance(value)) for key, value in entries]
    here = 0
    while here < len(entries):
        key, value = entries[here]
        last = _closing_index(here, balances)
        if last is None:
            joined.append((key, value))
            here += 1
            continue
        last_key, last_value = entries[last]
        if _balance(key):  # the cut went through a key
            whole = _whole(file, key.start, last_key.end)
            joined.append((whole, last_value))
        else:
            whole = _whole(file, value.start, max(last_key.end, last_value.end))
            joined.append((key, whole))
        _cut(whole, report, "mapping one key")
        here = last + 1
    return joined


def unquoted_template(file: SourceFile, start: int, end: int) -> Scalar | None:
    """Return an unquoted ``{{ x }}``, which YAML reads as a mapping of a mapping, or None."""
    return _whole(file, start, end) if file.text.startswith("{{", start) else None


def template_trap(template: Scalar) -> tuple[int, int, str, str]:
    """Return the report of an unquoted template."""
    return (
        template.start,
        template.end,
        "a template that is not quoted: YAML reads these braces as a mapping",
        f"quote it: {quote(template.text)}",
    )


def _cut(whole: Scalar, report: Report, instead: str) -> None:
    found = cut_in_pieces(whole.file.text, whole.start, whole.end, instead)
    report(found.offset, found.offset + found.length, found.message, found.help or "")


def _whole(file: SourceFile, start: int, end: int) -> Scalar:
    written = file.text[start:end]
    return Scalar(file, start, end, written, written, "plain")


def _balance(node: YamlNode) -> int | None:
    """Return how many parentheses an unquoted value leaves open; None if unknown."""
    if not isinstance(node, Scalar):
        return None
    if node.style != "plain":
        return 0
    bare = _QUOTED.sub("", node.text)
    return bare.count("(") - bare.count(")")


def _add(first: int | None, second: int | None) -> int | None:
    return None if first is None or second is None else first + second


def _closing_index(here: int, balances: list[int | None]) -> int | None:
    """Return the index at which the parentheses that are open after ``here`` are closed."""
    depth = balances[here]
    if depth is None or depth <= 0:
        return None
    for index in range(here + 1, min(here + MOST_PIECES, len(balances))):
        balance = balances[index]
        if balance is None:
            return None
        depth += balance
        if depth <= 0:
            return index if depth == 0 else None
    return None


def stray_quote(text: str) -> bool:
    """Whether a text ends with a quote that nothing has begun; 5" and the robots' have none."""
    before, quote = text[-2:-1], text[-1]
    if text.count(quote) != 1:
        return False
    return not (before.isdigit() if quote == '"' else before.isalpha())
