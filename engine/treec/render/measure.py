"""Widths of text without a font: in pixels of a picture and in cells of a terminal.

Pixel widths are the larger of Arial's and DejaVu Sans's, rounded up to a hundredth of the font
size, so that text fits its box with the fonts that browsers choose.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable
from functools import lru_cache

_WIDTHS = (
    (28, "\"'ijl"), (30, "I"), (32, " ,."), (34, "/:;\\|"), (36, "f"), (37, "-"), (40, "()[]t"),
    (41, "!"), (42, "r"), (46, '"'), (50, "*J`"), (53, "sz"), (55, "c"), (56, "?L_"), (58, "k"),
    (60, "vxy"), (62, "FTaeo"), (64, "$0123456789bdghnpqu{}"), (67, "EKPSY"), (69, "ABVXZ"),
    (73, "CR"), (74, "U"), (75, "N"), (76, "H"), (78, "&DG"), (79, "OQ"), (82, "w"),
    (84, "#+<=>^~"), (87, "M"), (96, "%"), (98, "m"), (99, "W"), (102, "@"),
)  # fmt: skip
_ASCII = {character: width / 100 for width, text in _WIDTHS for character in text}
_UPPER, _LOWER, _WIDE, _EMOJI, _OTHER = 0.80, 0.72, 1.0, 1.4, 1.0

# Forbidden in XML, control sequences of terminals, or changes of the text direction.
_UNPRINTABLE = re.compile(
    "[\x00-\x08\x0b-\x1f\x7f-\x9f\ud800-\udfff\ufffe\uffff\u202a-\u202e\u2066-\u2069\u200e\u200f]"
)
_LINE_END = re.compile("\r\n?|[\x0b\x0c\x85\u2028\u2029]")
_JOINER = "\u200d"
_BREAK_AFTER = frozenset("_/.,:;|-=)]}>\\")


def clean(text: str) -> str:
    """Normalise line ends to newlines and replace other control characters by �."""
    return _UNPRINTABLE.sub("�", _LINE_END.sub("\n", text).replace("\t", " "))


def escaped(text: str) -> str:
    """The cleaned text as content of HTML and SVG; quotes stay."""
    from html import escape  # no check draws

    return escape(clean(text), quote=False)


def one_line(text: str) -> str:
    """The cleaned text on one line, with single spaces."""
    return " ".join(clean(text).split())


@lru_cache(maxsize=4096)
def _em(character: str) -> float:
    width = _ASCII.get(character)
    if width is not None:
        return width
    category = unicodedata.category(character)
    if category in ("Mn", "Me", "Cf"):
        return 0.0
    code = ord(character)
    if 0x1F000 <= code <= 0x1FAFF or 0x2600 <= code <= 0x27BF:
        return _EMOJI
    if unicodedata.east_asian_width(character) in "WF":
        return _WIDE
    return {"Lu": _UPPER, "Ll": _LOWER}.get(category, _OTHER)


def pixels(text: str, size: float) -> float:
    """The maximum width of one line of text at a font size of ``size`` pixels."""
    return sum(map(_em, text)) * size


@lru_cache(maxsize=4096)
def _cell(character: str) -> int:
    if unicodedata.category(character) in ("Mn", "Me", "Cf"):
        return 0
    return 2 if unicodedata.east_asian_width(character) in "WF" else 1


def cells(text: str) -> int:
    """The number of terminal columns of one line of text."""
    # U+FE0F selects the emoji form of the character before it, which is two columns wide.
    return sum(map(_cell, text)) + text.count("\ufe0f")


def clusters(text: str) -> list[str]:
    """Split a text into user-perceived characters, keeping accents and joined emoji together."""
    found: list[str] = []
    for character in text:
        code = ord(character)
        joins = (
            unicodedata.category(character) in ("Mn", "Me", "Cf")
            or 0x1F3FB <= code <= 0x1F3FF
            or (found and found[-1].endswith(_JOINER))
            or (_is_flag(character) and bool(found) and len(found[-1]) == 1 and _is_flag(found[-1]))
        )
        if joins and found:
            found[-1] += character
        else:
            found.append(character)
    return found


def _is_flag(character: str) -> bool:
    return 0x1F1E6 <= ord(character) <= 0x1F1FF


def fit(text: str, width: int) -> str:
    """Shorten a text to ``width`` terminal columns, ending in '…' if anything is cut."""
    if cells(text) <= width:
        return text
    shown, used = [], 0
    for cluster in clusters(text):
        used += cells(cluster)
        if used > width - 1:
            break
        shown.append(cluster)
    return "".join(shown).rstrip() + "…" if width > 0 else ""


def wrap(text: str, width: float, measure: Callable[[str], float]) -> list[str]:
    """Wrap a text into lines not wider than ``width`` according to ``measure``.

    Breaks at spaces; within a word only if it does not fit on a line, then after a separator of
    names (``_ / . :``) or between characters. Runs of spaces become one.
    """
    lines: list[str] = []
    for paragraph in clean(text).split("\n"):
        line = ""
        for word in paragraph.split():
            joined = f"{line} {word}" if line else word
            if measure(joined) <= width:
                line = joined
                continue
            if line:
                lines.append(line)
            *whole, line = _pieces(word, width, measure)
            lines.extend(whole)
        lines.append(line)
    while len(lines) > 1 and not lines[-1]:
        lines.pop()
    return lines


def _pieces(word: str, width: float, measure: Callable[[str], float]) -> list[str]:
    """Split a word into pieces that fit; single characters are never dropped."""
    pieces: list[str] = []
    piece: list[str] = []
    for cluster in clusters(word):
        if piece and measure("".join(piece) + cluster) > width:
            joints = [i for i, text in enumerate(piece) if text in _BREAK_AFTER]
            cut = joints[-1] + 1 if joints and joints[-1] >= len(piece) // 3 else len(piece)
            pieces.append("".join(piece[:cut]))
            piece = piece[cut:]
        piece.append(cluster)
    return [*pieces, "".join(piece)]
