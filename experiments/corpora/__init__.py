"""Labelled phrases as compressed lines of JSON: a set's rounds, its moments and its frames.

README.md says how the phrases are to be read; `experiments.hearing.phrases` reads them.
"""

from __future__ import annotations

import json
import lzma
from pathlib import Path
from typing import Any

ENDING = ".jsonl.xz"


class CorpusError(ValueError):
    """A file is no compressed lines of JSON."""


def read(path: Path) -> list[Any]:
    """The lines of a file. Raises OSError or CorpusError."""
    try:
        with lzma.open(path, "rt", encoding="utf-8") as file:
            return [json.loads(line) for line in file]
    except (lzma.LZMAError, EOFError, ValueError) as error:
        raise CorpusError(str(error)) from error


def write(path: Path, lines: list[Any]) -> None:
    """Write lines, the same bytes for the same lines."""
    text = "".join(json.dumps(line, ensure_ascii=False) + "\n" for line in lines)
    path.write_bytes(lzma.compress(text.encode(), preset=9 | lzma.PRESET_EXTREME))
