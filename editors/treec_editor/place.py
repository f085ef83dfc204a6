"""Where in a file's data a position is: the way of keys and indices to the value or key there."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from treec.source.text import SourceFile
from treec.source.yaml import Document, Mapping, Scalar, Sequence, YamlNode, read_documents
from treec_editor.mend import mended, unclosed

HERE = "treec_here"
"""The name that stands in for the word at the cursor."""


_KEY = re.compile(r"(?:^|[{,\s-]\s*)[\w$.'\"-][^\s:{}\[\],#]*:$")
_MARGIN = re.compile(r"^( +)\S", re.MULTILINE)
_TABS = re.compile(r"^[ \t]*\t[ \t]*")


@dataclass(frozen=True, slots=True)
class DataPlace:
    """A scalar of a document, the way to it, and the offset of a position in its text."""

    document: Document
    loc: tuple[str | int, ...]
    scalar: Scalar
    is_key: bool
    offset: int


def place_at(documents: list[Document], offset: int) -> DataPlace | None:
    """Return the key or value at an offset of the file's text, or None if there is none."""
    for document in documents:
        for loc, scalar, is_key in _scalars(document.root, ()):
            if scalar.start <= offset <= scalar.end:
                return DataPlace(document, loc, scalar, is_key, _within(scalar, offset))
    return None


def places_of_word(file: SourceFile, offset: int) -> Iterator[tuple[DataPlace, str, str]]:
    """Yield the place of the word that is being written at an offset, what of it is before that,
    and the text with HERE for it; nothing if the text cannot be read as YAML, not even mended.

    The word may be a key whose colon and quote are not yet there, or else an item: then both are
    yielded. It may stand right after a colon, and lines may be indented by tabs.
    """
    text, offset = _without_tabs(file.text, offset)
    start = offset
    while start > 0 and (text[start - 1].isalnum() or text[start - 1] in "_"):
        start -= 1
    end = offset
    while end < len(text) and (text[end].isalnum() or text[end] == "_"):
        end += 1
    written = text[start:offset]
    before = text[text.rfind("\n", 0, start) + 1 : start]
    rest = text[end : (text.find("\n", end) + 1 or len(text) + 1) - 1]
    last, open_ones = before[-1:], unclosed(before)
    quote = last if last in ("'", '"') and open_ones.endswith(last) else ""
    lead, rest = before.removesuffix(quote), rest.removeprefix(quote)
    alone = not lead.replace("-", "").strip() and not rest.strip()
    endings = [": ", ""] if alone else [""]
    opened = next((it for it in reversed(unclosed(lead)) if it in "}]"), "}")
    if lead.rstrip().endswith(("{", ",")) and opened == "}" and not rest.lstrip().startswith(":"):
        endings = [": 0", ""]
    space = " " if follows_colon(before) else ""
    for ending in endings:
        key = f"{HERE}{quote}{ending}{text[end:].removeprefix(quote)}"
        word = key if ending else f"{HERE}{text[end:]}"
        tried = mended(SourceFile(file.path, f"{text[:start]}{space}{word}"))
        if tried is None or HERE not in tried.text:
            continue
        found = place_at(read_documents(tried)[0], tried.text.index(HERE))
        if found is not None and HERE in found.scalar.text:
            yield found, written, tried.text


def follows_colon(before: str) -> bool:
    """Whether a line ends with a key and its colon, to which a value needs a space."""
    return _KEY.search(before) is not None


def _without_tabs(text: str, offset: int) -> tuple[str, int]:
    """A text whose lines are indented by spaces alone, as many to a tab as a level has elsewhere,
    and the same place in it.
    """
    margins = [len(it) for it in _MARGIN.findall(text)]
    step = min((it for it in margins if it > 1), default=2)
    begin = text.rfind("\n", 0, offset) + 1
    lines = [_TABS.sub(lambda it: it[0].replace("\t", " " * step), it) for it in text.split("\n")]
    line = text.count("\n", 0, begin)
    longer = len(lines[line]) - (len(text.split("\n")[line]))
    return "\n".join(lines), sum(len(it) + 1 for it in lines[:line]) + offset - begin + longer


def _within(scalar: Scalar, offset: int) -> int:
    """The offset in a scalar's text of one in the file's."""
    low, high = 0, len(scalar.text)
    while low < high:  # spans grow with the offset
        middle = (low + high) // 2
        span = scalar.at(middle)
        at = scalar.file.offset(span.line, span.column)
        if at < offset:
            low = middle + 1
        else:
            high = middle
    return low


def _scalars(
    node: YamlNode, loc: tuple[str | int, ...]
) -> Iterator[tuple[tuple[str | int, ...], Scalar, bool]]:
    if isinstance(node, Scalar):
        yield loc, node, False
    elif isinstance(node, Sequence):
        for number, item in enumerate(node.items):
            yield from _scalars(item, (*loc, number))
    elif isinstance(node, Mapping):
        for key, value in node.entries:
            yield (*loc, key.text), key, True
            yield from _scalars(value, (*loc, key.text))
