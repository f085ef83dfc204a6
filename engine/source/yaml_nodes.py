"""YAML as data that remembers where it stood."""

from __future__ import annotations

from collections.abc import Sequence as SequenceABC
from typing import Any

from treec.source.text import SourceFile, Span
from treec.source.yaml_positions import source_range


class YamlNode:
    """Something in a YAML file. Nodes are not changed once they are read.

    Nodes keep offsets, and make a span of them only when asked: most nodes are never asked.
    """

    __slots__ = ("end", "file", "start")

    def __init__(self, file: SourceFile, start: int, end: int) -> None:
        self.file = file
        self.start = start
        self.end = end

    @property
    def span(self) -> Span:
        """Where the node stands; for a block, up to the end of the last thing in it."""
        return self.file.span(self.start, self.end - self.start)


class Scalar(YamlNode):
    """A single value.

    ``text`` is its characters without quotes, escapes and indentation; ``value`` what they mean
    (YAML 1.2 core: text, int, float, bool, None). ``style`` is ``plain``, ``'``, ``"``, ``|`` or
    ``>``; only plain scalars can mean anything but text.
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
        """Where ``length`` characters of ``text`` from ``offset`` on stand in the file.

        An offset past the end means the place just after the last character.
        """
        raw = self.file.text[self.start : self.end]
        start, end = source_range(raw, self.text, self.style, offset, length)
        return self.file.span(self.start + start, min(end, len(raw)) - start)


class Sequence(YamlNode):
    """A list; ``flow`` says that it is written in brackets."""

    __slots__ = ("flow", "items")

    def __init__(
        self, file: SourceFile, start: int, end: int, items: tuple[YamlNode, ...], flow: bool
    ) -> None:
        super().__init__(file, start, end)
        self.items = items
        self.flow = flow

    def __repr__(self) -> str:
        return f"Sequence({list(self.items)!r})"


class Mapping(YamlNode):
    """Keys and values in the order of the file; ``flow`` says that it is written in braces."""

    __slots__ = ("_index", "entries", "flow")

    def __init__(
        self,
        file: SourceFile,
        start: int,
        end: int,
        entries: tuple[tuple[Scalar, YamlNode], ...],
        flow: bool,
    ) -> None:
        super().__init__(file, start, end)
        self.entries = entries
        self.flow = flow
        self._index: dict[str, tuple[Scalar, YamlNode]] | None = None

    def __repr__(self) -> str:
        return f"Mapping({ {key.text: value for key, value in self.entries}!r})"

    def get(self, key: str) -> YamlNode | None:
        """The value of a key, or None when there is no such key."""
        entry = self._find(key)
        return entry[1] if entry else None

    def key(self, key: str) -> Scalar | None:
        """The key as it stands in the file, or None when there is no such key."""
        entry = self._find(key)
        return entry[0] if entry else None

    def _find(self, key: str) -> tuple[Scalar, YamlNode] | None:
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
    """A node as Python's own data: str, int, float, bool, None, list, dict with text for keys."""
    if isinstance(node, Scalar):
        return node.value
    if isinstance(node, Mapping):
        return {key.text: plain(value) for key, value in node.entries}
    assert isinstance(node, Sequence)
    return [plain(item) for item in node.items]


def locate(node: YamlNode, loc: SequenceABC[str | int], key: bool = False) -> YamlNode:
    """The deepest node that a path of keys and indices leads to.

    Steps that the data does not have are skipped: pydantic puts the names of union branches among
    them. With ``key`` it is the key of that node, when the last step taken was a key.
    """
    found_key: Scalar | None = None
    for step in loc:
        if isinstance(node, Mapping) and isinstance(step, str):
            name, value = node.key(step), node.get(step)
            if name is not None and value is not None:
                found_key, node = name, value
        elif isinstance(node, Sequence) and isinstance(step, int) and 0 <= step < len(node.items):
            found_key, node = None, node.items[step]
    return found_key if key and found_key is not None else node
