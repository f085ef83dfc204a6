"""Finds the node class of a kind of file that asks a model."""

from __future__ import annotations

from typing import Any

from treec.extensions import registry
from treec.files.entry import AnyEntry
from treec.nodes.asking import AskingNode


def asking_class(kind: str) -> type[AskingNode[Any]]:
    """The node class of a kind of file. Raises ExtensionError."""
    tables = registry()
    return tables.load(tables.kinds[kind].asks)  # type: ignore[return-value]


def class_of(entry: AnyEntry) -> type[AskingNode[Any]]:
    """The node class of a file. Raises ExtensionError."""
    return asking_class(entry.kind)
