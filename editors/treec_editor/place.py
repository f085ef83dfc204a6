"""Where in a file's data a position is: the way of keys and indices to the value or key there."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from treec.source.text import SourceFile
from treec.source.yaml import Document, Mapping, Scalar, Sequence, YamlNode, read_documents
from treec_editor.mend import mended, unclosed

HERE = "treec_here"
"""The name that stands in for the word at the cursor."""


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


def place_of_word(file: SourceFile, offset: int) -> tuple[DataPlace, str, str] | None:
    """Return the place of the word that is being written at an offset, what of it is before that,
    and the text with HERE for it; None if the text cannot be read as YAML, not even mended.

    The word may be a key whose colon is not yet there.
    """
    text = file.text
    start = offset
    while start > 0 and (text[start - 1].isalnum() or text[start - 1] in "_"):
        start -= 1
    end = offset
    while end < len(text) and (text[end].isalnum() or text[end] == "_"):
        end += 1
    written = text[start:offset]
    before = text[text.rfind("\n", 0, start) + 1 : start]
    rest = text[end : (text.find("\n", end) + 1 or len(text) + 1) - 1]
    alone = not before.replace("-", "").strip() and not rest.strip()
    endings = [": ", ""] if alone else [""]
    opened = next((it for it in reversed(unclosed(before)) if it in "}]"), "}")
    if before.rstrip().endswith(("{", ",")) and opened == "}" and not rest.lstrip().startswith(":"):
        endings = [": 0", ""]
    for ending in endings:
        tried = mended(SourceFile(file.path, f"{text[:start]}{HERE}{ending}{text[end:]}"))
        if tried is None or HERE not in tried.text:
            continue
        found = place_at(read_documents(tried)[0], tried.text.index(HERE))
        if found is not None and HERE in found.scalar.text:
            return found, written, tried.text
    return None


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
