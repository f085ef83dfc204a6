"""Formatting of a file: indentation and spaces as ruamel.yaml writes them, with all comments.

Data, order, quotes, folded texts, brackets and blank lines stay. A file is left as it is if its
data or its comments would not be the same afterwards.
"""

from __future__ import annotations

import io
from collections import Counter

from treec.source.text import BOM, SourceFile
from treec.source.yaml import Mapping, plain, read_documents

WIDTH = 120
"""Columns that no line may exceed that did not before: a list in brackets would be one line."""


def formatted(text: str) -> str | None:
    """Return a file's text with its layout normalised; None if that is not certain to lose nothing.

    Lists stand two columns to the right of their key. Line breaks and a byte order mark are kept.
    """
    from ruamel.yaml import YAML
    from ruamel.yaml.error import YAMLError

    file = SourceFile("formatted.yaml", text)
    documents, problems = read_documents(file)
    if problems or not documents:
        return None
    writer = YAML()
    writer.preserve_quotes = True
    writer.brace_single_entry_mapping_in_flow_sequence = True
    writer.width = 10**9
    if all(isinstance(it.root, Mapping) for it in documents):
        writer.indent(mapping=2, sequence=4, offset=2)
    written = io.StringIO()
    try:
        writer.dump_all(list(writer.load_all(file.text)), written)
    except (YAMLError, ValueError, TypeError, AttributeError, NotImplementedError):
        return None
    lines = [line.rstrip(" \t") for line in written.getvalue().split("\n")]
    new = SourceFile("formatted.yaml", "\n".join(lines).rstrip("\n") + "\n")
    after, _ = read_documents(new)
    if [plain(it.root) for it in after] != [plain(it.root) for it in documents]:
        return None
    if _comments(new) != _comments(file) or _longest(new) > max(_longest(file), WIDTH):
        return None
    line_break = "\r\n" if "\r\n" in text else "\n"
    return (BOM if text.startswith(BOM) else "") + new.text.replace("\n", line_break)


def _longest(file: SourceFile) -> int:
    return max(map(len, file.text.split("\n")))


def _comments(file: SourceFile) -> Counter[str]:
    lines = file.text.split("\n")
    return Counter(line[line.index("#") :].rstrip() for line in lines if "#" in line)
