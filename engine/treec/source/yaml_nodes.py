"""YAML nodes: data with source positions."""

from __future__ import annotations

from collections.abc import Iterator
from collections.abc import Sequence as SequenceABC
from typing import Any

from treec.source.text import SourceFile, Span
from treec.source.yaml_positions import source_range


class YamlNode:
    """A node of a YAML file; immutable once it is read.

    Nodes store offsets and compute their span on demand, since most spans are never needed.
    """

    __slots__ = ("end", "file", "start")

    def __init__(self, file: SourceFile, start: int, end: int) -> None:
        self.file = file
        self.start = start
        self.end = end

    @property
    def span(self) -> Span:
        """The span of the node; of a block, up to the end of its last item."""
        return self.file.span(self.start, self.end - self.start)


class Scalar(YamlNode):
    """A single value.

    ``text`` is its characters without quotes, escapes and indentation; ``value`` its value by the
    core schema of YAML 1.2 (text, int, float, bool, None). ``style`` is ``plain``, ``'``, ``"``,
    ``|`` or ``>``; only plain scalars can be anything but text.
    """

    __slots__ = ("style", "text", "value")

    def __init__(
        self,
        file: SourceFile,
        start: int,
        end: int,
        text: str,
        value: str | int | float | bool | None,
        style: str,
    ) -> None:
        self.file = file
        self.start = start
        self.end = end
        self.text = text
        self.value = value
        self.style = style

    def __repr__(self) -> str:
        return f"Scalar({self.value!r})"

    def at(self, offset: int, length: int = 1) -> Span:
        """Return the span in the file of ``length`` characters of ``text`` from ``offset``.

        An offset past the end means the position just after the last character.
        """
        raw = self.file.text[self.start : self.end]
        start, end = source_range(raw, self.text, self.style, offset, length)
        return self.file.span(self.start + start, min(end, len(raw)) - start)


class Sequence(YamlNode):
    """A list; ``flow`` means that it is written in brackets."""

    __slots__ = ("flow", "items")

    def __init__(
        self, file: SourceFile, start: int, end: int, items: tuple[YamlNode, ...], flow: bool
    ) -> None:
        self.file = file
        self.start = start
        self.end = end
        self.items = items
        self.flow = flow

    def __repr__(self) -> str:
        return f"Sequence({list(self.items)!r})"


class Mapping(YamlNode):
    """Keys and values in the order of the file; ``flow`` means that it is written in braces."""

    __slots__ = ("_index", "entries", "flow")

    def __init__(
        self,
        file: SourceFile,
        start: int,
        end: int,
        entries: tuple[tuple[Scalar, YamlNode], ...],
        flow: bool,
    ) -> None:
        self.file = file
        self.start = start
        self.end = end
        self.entries = entries
        self.flow = flow
        self._index: dict[str, tuple[Scalar, YamlNode]] | None = None

    def __repr__(self) -> str:
        return f"Mapping({ {key.text: value for key, value in self.entries}!r})"

    def get(self, key: str) -> YamlNode | None:
        """Return the value of a key, or None if there is no such key."""
        entry = self.entry(key)
        return entry[1] if entry else None

    def key(self, key: str) -> Scalar | None:
        """Return the node of a key, or None if there is no such key."""
        entry = self.entry(key)
        return entry[0] if entry else None

    def entry(self, key: str) -> tuple[Scalar, YamlNode] | None:
        """Return the nodes of a key and of its value, or None if there is no such key."""
        if self._index is None:
            self._index = {entry[0].text: entry for entry in self.entries}
        return self._index.get(key)


class Document:
    """One document of a file."""

    __slots__ = ("file", "root")

    def __init__(self, root: YamlNode, file: SourceFile) -> None:
        self.root = root
        self.file = file

    def __repr__(self) -> str:
        return f"Document({self.root!r})"


def plain(node: YamlNode) -> Any:
    """Convert a node to Python data: str, int, float, bool, None, list, dict with text keys."""
    if isinstance(node, Scalar):
        return node.value
    if isinstance(node, Mapping):
        return {key.text: plain(value) for key, value in node.entries}
    assert isinstance(node, Sequence)
    return [plain(item) for item in node.items]


def scalars(node: YamlNode, *, keys: bool = False) -> Iterator[Scalar]:
    """Yield the scalar values below a node, in order; with ``keys``, the keys, too."""
    if isinstance(node, Scalar):
        yield node
    elif isinstance(node, Sequence):
        for item in node.items:
            yield from scalars(item, keys=keys)
    elif isinstance(node, Mapping):
        for key, value in node.entries:
            if keys:
                yield key
            yield from scalars(value, keys=keys)


def locate(node: YamlNode, loc: SequenceABC[str | int], key: bool = False) -> YamlNode:
    """Return the deepest node on a path of keys and indices.

    Steps that the data does not have are skipped, since pydantic inserts the names of union
    branches. With ``key``, return the node's key if the last step taken was a key.
    """
    found_key: Scalar | None = None
    for step in loc:
        if isinstance(node, Mapping) and isinstance(step, str):
            entry = node.entry(step)
            if entry is not None:
                found_key, node = entry
        elif isinstance(node, Sequence) and isinstance(step, int) and 0 <= step < len(node.items):
            found_key, node = None, node.items[step]
    return found_key if key and found_key is not None else node
