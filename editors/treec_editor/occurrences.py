"""Where in its file a name stands, as a word of keys, values, expressions and templates."""

from __future__ import annotations

import re
from collections.abc import Iterator

from treec.files.library import Library
from treec.source.text import Span
from treec.source.yaml import read_documents, scalars
from treec_editor.hover import word_at


def occurrences(library: Library, path: str, offset: int) -> list[Span]:
    """Return where the name at an offset stands in its file; comments are not looked at."""
    word = word_at(library, path, offset)
    return [] if word is None or not word[0] else [*_places(library, path, word[0])]


def _places(library: Library, path: str, name: str) -> Iterator[Span]:
    documents, _ = read_documents(library.sources[path])
    whole = re.compile(rf"(?<!\w){re.escape(name)}(?!\w)")
    for document in documents:
        for scalar in scalars(document.root, keys=True):
            for match in whole.finditer(scalar.text):
                yield scalar.at(match.start(), len(name))
