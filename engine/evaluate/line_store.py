"""A folder in which an evaluation keeps what it has, a line of JSON for each piece, at once.

A process that ends in the middle of a line leaves it torn: the next one that opens the folder
takes the torn line away and goes on.
"""

from __future__ import annotations

import json
from pathlib import Path


class LineStoreError(Exception):
    """The folder cannot be written to or read; the text says why."""


class LineStore:
    """The lines of one file of a folder."""

    def __init__(self, folder: Path, name: str) -> None:
        """Open it, and make the folder where there is none. Raises CannotKeep."""
        self.file = folder / name
        try:
            folder.mkdir(parents=True, exist_ok=True)
            self._mend()
            text = self.file.read_text("utf-8") if self.file.is_file() else ""
        except (OSError, UnicodeDecodeError) as error:
            raise LineStoreError(f"{self.file}: {error}") from None
        self.lines = tuple((n, line) for n, line in enumerate(text.split("\n"), 1) if line)
        """What was there when it was opened: each line with its number from 1."""

    def add(self, data: object) -> None:
        """Write a line at once. Raises CannotKeep."""
        line = json.dumps(data, ensure_ascii=False)
        try:
            with self.file.open("a", encoding="utf-8") as file:
                file.write(line + "\n")
        except OSError as error:
            raise LineStoreError(f"{self.file}: {error.strerror}") from None

    def _mend(self) -> None:
        """End the last line if it is whole but for its end, or else cut it off."""
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
