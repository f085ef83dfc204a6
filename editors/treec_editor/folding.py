"""Stretches of a file that an editor can fold: keys, list items and comments of several lines."""

from __future__ import annotations

from collections.abc import Iterator

from treec.source.text import SourceFile
from treec.source.yaml import Mapping, Scalar, Sequence, YamlNode, read_documents


def folds(file: SourceFile) -> list[tuple[int, int, bool]]:
    """Return first and last lines, from 1, and whether they are comments; outer ones first."""
    documents, _ = read_documents(file)
    found: set[tuple[int, int, bool]] = {*_comments(file)}
    for document in documents:
        for start, node in _nodes(document.root):
            first, last = file.position(start)[0], file.position(node.end)[0]
            if last > first:
                found.add((first, last, False))
    return sorted(found, key=lambda one: (one[0], -one[1]))


def _nodes(node: YamlNode) -> Iterator[tuple[int, YamlNode]]:
    """Yield nodes with the offset of the key or item where each begins."""
    if isinstance(node, Mapping):
        for key, value in node.entries:
            yield key.start, value
            yield from _nodes(value)
    elif isinstance(node, Sequence):
        for item in node.items:
            if not isinstance(item, Scalar):
                yield item.start, item
            yield from _nodes(item)


def _comments(file: SourceFile) -> Iterator[tuple[int, int, bool]]:
    lines = [line.lstrip().startswith("#") for line in file.text.split("\n")]
    first: int | None = None
    for number, is_comment in enumerate((*lines, False), 1):
        if is_comment and first is None:
            first = number
        elif not is_comment and first is not None:
            if number - first > 1:
                yield first, number - 1, True
            first = None
