"""Maps offsets in a scalar's text to offsets in the file.

The two differ by quotes, escapes, indentation and folded lines.
"""

from __future__ import annotations

_ESCAPE_DIGITS = {"x": 2, "u": 4, "U": 8}
_ESCAPES = {
    "0": "\0",
    "a": "\a",
    "b": "\b",
    "t": "\t",
    "\t": "\t",
    "n": "\n",
    "v": "\v",
    "f": "\f",
    "r": "\r",
    "e": "\x1b",
    "N": "\x85",
    "_": "\xa0",
    "L": "\u2028",
    "P": "\u2029",
}


def source_range(raw: str, text: str, style: str, offset: int, length: int) -> tuple[int, int]:
    """Return start and end of a part of ``text`` in ``raw``, the scalar as written in the file."""
    offset = min(max(offset, 0), len(text))
    last = min(offset + max(length, 1), len(text)) - 1
    if style == "|":
        start = _in_literal(raw, text, offset)
        return start, max(_in_literal(raw, text, last), start) + 1
    opening = 1 if style in ("'", '"') else 0
    if raw[opening : opening + len(text)] == text and style != ">":
        return opening + offset, opening + max(last, offset) + 1
    places = _align(raw, text, style)
    start = places[offset][0]
    return start, max(places[last][1], start) if last >= offset else start + 1


def _in_literal(raw: str, text: str, offset: int) -> int:
    """Map an offset in a literal block, whose lines only lose their indentation."""
    row = text.count("\n", 0, offset)
    column = offset - (text.rfind("\n", 0, offset) + 1)
    place = raw.find("\n") + 1
    if place == 0:  # nothing but the header
        return len(raw)
    indent = _indentation(raw, text)
    for _ in range(row):
        end = raw.find("\n", place)
        if end < 0:
            return len(raw)
        place = end + 1
    end = raw.find("\n", place)
    end = len(raw) if end < 0 else end
    return min(place + indent + column, end)


def _indentation(raw: str, text: str) -> int:
    """Return the indentation of a block, from its first line that is not empty."""
    for written, kept in zip(raw.split("\n")[1:], text.split("\n"), strict=False):
        if kept:
            return len(written) - len(kept)
    return 0


def _align(raw: str, text: str, style: str) -> list[tuple[int, int]]:
    """Return start and end in ``raw`` of every character of ``text``, and of its end.

    Folding changes only white space, so that all other characters correspond in order.
    """
    units = _units(raw, style)
    places: list[tuple[int, int]] = []
    here = 0
    for character in text:
        while here < len(units) and units[here][0] != character:
            blank = units[here][0] in " \t\n"
            if character in " \n" and blank:
                break
            here += 1
        if here == len(units):
            break
        _, start, end = units[here]
        places.append((start, end))
        here += 1
    after = places[-1][1] if places else (units[0][1] if units else 0)
    places.extend([(after, after + 1)] * (len(text) + 1 - len(places)))
    return places


def _units(raw: str, style: str) -> list[tuple[str, int, int]]:
    """Yield the characters that ``raw`` stands for, each with its start and end."""
    if style == '"':
        return _split_double_quoted(raw)
    if style == "'":
        return _split_single_quoted(raw)
    begin = raw.find("\n") + 1 if style == ">" else 0
    return [(raw[i], i, i + 1) for i in range(begin, len(raw))]


def _split_single_quoted(raw: str) -> list[tuple[str, int, int]]:
    units = []
    here = 1
    while here < len(raw) - 1:
        width = 2 if raw[here] == "'" else 1
        units.append((raw[here], here, here + width))
        here += width
    return units


def _split_double_quoted(raw: str) -> list[tuple[str, int, int]]:
    units = []
    here = 1
    while here < len(raw) - 1:
        if raw[here] != "\\":
            units.append((raw[here], here, here + 1))
            here += 1
            continue
        name = raw[here + 1]
        if name == "\n":  # an escaped line break and the blanks after it stand for nothing
            here += 2
            while here < len(raw) - 1 and raw[here] in " \t":
                here += 1
            continue
        width = 2 + _ESCAPE_DIGITS.get(name, 0)
        if name in _ESCAPE_DIGITS:
            meaning = chr(int(raw[here + 2 : here + width], 16))
        else:
            meaning = _ESCAPES.get(name, name)
        units.append((meaning, here, here + width))
        here += width
    return units
