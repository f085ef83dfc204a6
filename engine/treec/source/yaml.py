"""Reads YAML files: libyaml's events become nodes with positions, or diagnostics.

Reading any file ends quickly with documents and diagnostics, and never raises. Dangerous or
ambiguous YAML is refused: duplicate keys, tags, merge keys, anchors and aliases, excessive depth
and size. See ``yaml_rules`` for each.
"""

from __future__ import annotations

import os
import stat
from pathlib import Path

from treec.source import yaml_rules as rules
from treec.source.diagnostics import Diagnostic
from treec.source.text import SourceFile, Span
from treec.source.yaml_nodes import (
    Document,
    Mapping,
    Scalar,
    Sequence,
    YamlNode,
    locate,
    plain,
    scalars,
)
from treec.source.yaml_reader import DocumentReader, size_factor

__all__ = [
    "Document",
    "Mapping",
    "Scalar",
    "Sequence",
    "YamlNode",
    "locate",
    "plain",
    "read_documents",
    "read_file",
    "scalars",
]

MAX_BYTES = 1_000_000


def read_file(path: Path, shown: str) -> tuple[SourceFile | None, list[Diagnostic]]:
    """Read a file's text; ``shown`` is its path as shown to the user.

    At most MAX_BYTES are read (of a scene more), and only plain files are opened.
    """
    start = Span(shown, 1, 1, 1, 2)
    try:
        status = os.stat(path)
        if not stat.S_ISREG(status.st_mode):
            what = "a folder" if stat.S_ISDIR(status.st_mode) else "not a plain file"
            return None, [rules.UNREADABLE.at(start, f"this cannot be read: it is {what}")]
        with open(path, "rb") as stream:
            data = stream.read(MAX_BYTES * size_factor(shown) + 1)
    except (OSError, ValueError) as error:
        reason = error.strerror if isinstance(error, OSError) else str(error)
        return None, [rules.UNREADABLE.at(start, f"this cannot be read: {reason}")]
    if len(data) > MAX_BYTES * size_factor(shown):
        size = max(status.st_size, len(data))
        return None, [_too_large(start, f"{size:,} bytes")]
    try:
        return SourceFile(shown, data.decode("utf-8")), []
    except UnicodeDecodeError as error:
        good = SourceFile(shown, data[: error.start].decode("utf-8"))
        line, column = good.position(len(good.text))
        return None, [
            rules.ENCODING.at(
                Span(shown, line, column, line, column + 1),
                f"the byte 0x{data[error.start]:02x} is not UTF-8",
                "save the file as UTF-8",
            )
        ]


def read_documents(
    file: SourceFile, number_keys: bool = False
) -> tuple[list[Document], list[Diagnostic]]:
    """Return the documents of a file and its problems as YAML, in order of position.

    After a syntax error the documents before it are returned. A document with an alias or a merge
    key is omitted, since its data would be wrong; after any other problem it is read as its author
    probably meant it. An empty document is omitted silently. With ``number_keys`` a whole number
    is allowed as a key.
    """
    if len(file.text) > MAX_BYTES * size_factor(file.path):
        return [], [_too_large(file.span(0), f"{len(file.text):,} characters")]
    reader = DocumentReader(file, number_keys)
    reader.read()
    return reader.documents, sorted(reader.diagnostics)


def _too_large(span: Span, size: str) -> Diagnostic:
    return rules.TOO_LARGE.at(
        span,
        f"this file has {size}; at most {MAX_BYTES * size_factor(span.path):,} are read",
        "split it: one file for each behaviour",
    )
