"""Journals that cannot be resumed, monitors and approvals that cannot be, by whole messages."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from tempfile import TemporaryDirectory

from tests.support import golden
from treec.run.resume import open_run
from treec.world.journal import lock_journal
from treec_live.debugger import read_approved


def resumed(text: str | None) -> object:
    """A run with this journal, opened again."""
    with TemporaryDirectory() as folder:
        file = Path(folder) / "journal.jsonl"
        if text is not None:
            file.write_text(text, "utf-8")
        try:
            return open_run(file, print)
        except Exception as error:
            raise type(error)(str(error).replace(folder, "runs/a")) from None


TOLD: dict[str, Callable[[], object]] = {
    "CannotResume: no journal in runs/a": lambda: resumed(None),
    (
        "JournalError: /nosuch/journal.jsonl: cannot lock the journal: No such file or directory"
    ): lambda: lock_journal(Path("/nosuch/journal.jsonl")),
    "InvalidOrder: unknown approvals 'skils'; write skills actions, or nothing": lambda: (
        read_approved("skils")
    ),
}


def test_what_cannot_be_is_told_by_these_words() -> None:
    golden.check_told(TOLD)
