"""A folder in which an evaluation stores results at once, one line of JSON each.

A process that ends while writing leaves a torn line, which is removed when the folder is opened
again.
"""

from __future__ import annotations

import json
from pathlib import Path


class LineStoreError(Exception):
    """The folder cannot be read or written; the message says why."""


class LineStore:
    """Lines of JSON in one file of a folder."""

    def __init__(self, folder: Path, name: str) -> None:
        """Open the file, creating the folder if needed. Raises LineStoreError."""
        self.file = folder / name
        try:
            folder.mkdir(parents=True, exist_ok=True)
            self._mend()
            text = self.file.read_text("utf-8") if self.file.is_file() else ""
        except (OSError, UnicodeDecodeError) as error:
            raise LineStoreError(f"{self.file}: {error}") from None
        self.lines = tuple((n, line) for n, line in enumerate(text.split("\n"), 1) if line)
        """The lines present when the file was opened, with their numbers from 1."""

    def add(self, data: object) -> None:
        """Append and flush a line. Raises LineStoreError."""
        line = json.dumps(data, ensure_ascii=False)
        try:
            with self.file.open("a", encoding="utf-8") as file:
                file.write(line + "\n")
        except OSError as error:
            raise LineStoreError(f"{self.file}: {error.strerror}") from None

    def _mend(self) -> None:
        """Complete the last line if only its newline is missing, else cut it off."""
        if not self.file.is_file():
            return
        text = self.file.read_bytes()
        if not text or text.endswith(b"\n"):
            return
        start = text.rfind(b"\n") + 1
        try:
            json.loads(text[start:])
        except ValueError:
            self.file.write_bytes(text[:start])
        else:
            self.file.write_bytes(text + b"\n")
