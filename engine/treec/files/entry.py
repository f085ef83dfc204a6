"""An entry: one document of a file, with its model and the position of every part."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import wraps
from typing import Any, Generic, TypeVar, cast

from treec.files.fields import Model
from treec.source.text import SourceFile, Span
from treec.source.yaml import Mapping, Scalar, YamlNode, locate

M = TypeVar("M", bound=Model)
T = TypeVar("T")


class Entry(Generic[M]):
    """A document of a file: kind, name, model, and the nodes with their positions.

    ``folder`` holds the file, as a posix path below the library's root; in a pack it begins with
    the pack's name.
    """

    __slots__ = ("file", "folder", "kind", "model", "name", "node", "results")

    def __init__(self, kind: str, name: str, model: M, node: Mapping, file: SourceFile) -> None:
        self.kind = kind
        self.name = name
        self.model = model
        self.node = node
        self.file = file
        self.folder = file.path.rpartition("/")[0]
        self.results: dict[object, object] = {}
        """Of functions that are called once for each entry."""

    @property
    def path(self) -> str:
        """The file's path as it is shown to the user."""
        return self.file.path

    def at(self, *loc: str | int, key: bool = False) -> YamlNode:
        """Return the node at a place in the document, or the deepest one above it that exists."""
        return locate(self.node, loc, key=key)

    def span(self, *loc: str | int, key: bool = False) -> Span:
        """Return the span of a place in the document; with ``key``, of its key."""
        return self.at(*loc, key=key).span

    def span_in(self, loc: Sequence[str | int], offset: int, length: int) -> Span:
        """Return the span of a part of the text at a place."""
        node = self.at(*loc)
        if isinstance(node, Scalar):
            return node.at(offset, length)
        return node.span

    def inside(self, *folders: str) -> bool:
        """Whether the file lies in one of the folders."""
        return any(f"{self.folder}/".startswith(f"{folder}/") for folder in folders)

    def __repr__(self) -> str:
        return f"<{self.kind} {self.name!r} in {self.path}>"


AnyEntry = Entry[Any]
"""An entry of a kind that is unknown to the type checker."""


def per_entry(make: Callable[[AnyEntry], T]) -> Callable[[AnyEntry], T]:
    """Call a function of an entry once for each entry, which keeps the result as long as it lives.

    An unchanged file has the same entries in each check of a process.
    """

    @wraps(make)
    def cached(entry: AnyEntry) -> T:
        if make not in entry.results:
            entry.results[make] = make(entry)
        return cast(T, entry.results[make])

    return cached
