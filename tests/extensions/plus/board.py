"""A monitor: a file that says when a run began and ended."""

from __future__ import annotations

from contextlib import AbstractContextManager
from pathlib import Path

from treec.run.run import Run


class Board(AbstractContextManager["Board"]):
    """Writes into a file that it is given."""

    def __init__(self, file: Path) -> None:
        self._file = file

    def __str__(self) -> str:
        return f"the board is {self._file.name}"

    def __enter__(self) -> Board:
        self._file.write_text("begun\n")
        return self

    def __exit__(self, *error: object) -> None:
        self._file.write_text(self._file.read_text() + "ended\n")


def open_board(run: Run, address: str) -> Board:
    if not address:
        raise ValueError("say which file is the board")
    return Board(Path(address))
