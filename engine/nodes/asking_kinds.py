"""The kinds of files that ask, each with the class of its nodes."""

from __future__ import annotations

from typing import Any

from treec.extensions import registry
from treec.files.entry import AnyEntry
from treec.nodes.asking import AskingNode


def asking_class(kind: str) -> type[AskingNode[Any]]:
    """The class of the nodes of such files. Raises ExtensionError."""
    tables = registry()
    return tables.load(tables.kinds[kind].asks)  # type: ignore[return-value]


def class_of(entry: AnyEntry) -> type[AskingNode[Any]]:
    """The class of the nodes that a file is made of. Raises ExtensionError."""
    return asking_class(entry.kind)
