"""A study in a terminal as people have it: a pseudo-terminal, with prompt and keys."""

from __future__ import annotations

import json
import os
import re
import select
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from functools import partial
from pathlib import Path

import pytest

from tests.experiments.mosaic.study.test_command import STUDY
from tests.support.library import copy_library

pytestmark = [
    pytest.mark.thorough,
    pytest.mark.skipif(sys.platform == "win32", reason="no pseudo-terminals"),
]

GUARD = 120.0
"""Real seconds after which what does not come is given up."""

_CONTROL = re.compile(r"\x1b\[[0-9;?]*[ -/]*[@-~]|\x1b[=>]|\r")


class Terminal:
    """A command in a pseudo-terminal: keys go in, and what it shows comes out."""

    def __init__(self, ours: int, child: subprocess.Popen[bytes]) -> None:
        self._ours = ours
        self.child = child
        self._raw = b""
        self._seen = 0

    @property
    def shown(self) -> str:
        """All that was shown, without control sequences."""
        return _CONTROL.sub("", self._raw.decode("utf-8", "replace"))

    def expect(self, words: str) -> None:
        """Read until these words are shown after those that were expected last."""
        ends = time.monotonic() + GUARD
        while words not in self.shown[self._seen :]:
            assert time.monotonic() < ends, self.shown[-2000:]
            assert self._read() or self.child.poll() is None, self.shown[-2000:]
        self._seen = self.shown.index(words, self._seen) + len(words)

    def until(self, is_so: Callable[[], bool]) -> None:
        """Read until something is so."""
        ends = time.monotonic() + GUARD
        while not is_so():
            assert time.monotonic() < ends, self.shown[-2000:]
            self._read()

    def type(self, text: str) -> None:
        """Type some text and Enter."""
        os.write(self._ours, text.encode() + b"\r")

    def end(self) -> int:
        """Read to the end; returns the exit status."""
        while self.child.poll() is None:
            self._read()
        while self._read():
            pass
        return self.child.wait()

    def _read(self) -> bool:
        if not select.select([self._ours], [], [], 0.2)[0]:
            return False
        with suppress(OSError):  # the other end is closed
            more = os.read(self._ours, 1 << 16)
            self._raw += more
            return bool(more)
        return False


@contextmanager
def terminal(*args: object) -> Iterator[Terminal]:
    """A command in a terminal of its own, which ends with the block."""
    import pty

    ours, theirs = pty.openpty()
    child = subprocess.Popen(
        [sys.executable, "-m", "experiments.mosaic.study", *map(str, args)],
        stdin=theirs,
        stdout=theirs,
        stderr=theirs,
        env={**os.environ, "TERM": "xterm-256color", "COLUMNS": "100", "LINES": "40"},
        start_new_session=True,
    )
    os.close(theirs)
    try:
        yield Terminal(ours, child)
    finally:
        child.kill()
        child.wait()
        os.close(ours)


def is_in(file: Path, words: str) -> bool:
    """Whether a file has some words."""
    return words in file.read_text("utf-8")


def test_a_participant_talks_and_answers_with_keys(tmp_path: Path) -> None:
    library, folder = copy_library(tmp_path / "library"), tmp_path / "people"
    (tmp_path / "small.yaml").write_text(STUDY, "utf-8")
    call = ("run", tmp_path / "small.yaml", "--offline", "-L", library, "--to", folder)
    with terminal(*call) as found:
        for number in (1, 2):
            found.expect(f"Participant 1, conversation {number} of 2")
            found.expect("Do not name the recipe.")
            found.expect("Press Enter to begin.")
            found.type("")
            found.expect("/quit ends the run")
            found.type("Hi there!")
            found.until(partial(is_in, folder / f"p01-{number}/journal.jsonl", "Hi there!"))
            found.type("/quit")
            found.expect("What was said:")
            found.expect("you: Hi there!")
            found.expect("Question 1 of 3")
            found.expect("0 for never")
            found.type("often")
            found.expect("'often' is not a whole number.")
            found.type(str(number))
            found.expect("When, for example?")
            found.type("at the start")
            for answer in ("1", "7"):
                found.expect("Answer with a number from")
                found.type(answer)
                found.expect("When, for example?")
                found.type("")
        found.expect("Participant 1 has answered everything; 2 sessions are left.")
        assert found.end() == 0
        for planner in ("mosaic_one_prompt", "One-Prompt", "Tree"):
            assert planner not in found.shown
    for name, number in (("p01-1", 1), ("p01-2", 2)):
        answers = json.loads((folder / name / "answers.json").read_text("utf-8"))
        assert answers["answers"] == {"permission": number, "ignored": 1, "understood": 7}
        assert answers["instances"] == {"permission": "at the start"}
