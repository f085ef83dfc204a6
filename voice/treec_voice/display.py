"""Displays of a run that is talked with by voice; typed words work beside it."""

from __future__ import annotations

import io
import queue
import sys
import threading
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, TextIO

from treec.cli.basics import Stop
from treec.cli.display import RunDisplay
from treec.cli.live_piped import PipedDisplay
from treec.cli.progress import progress
from treec.cli.read_line import read_line
from treec.cli.terminal_text import is_terminal
from treec_voice.devices import CardMicrophone, CardSpeaker, FileMicrophone
from treec_voice.doors import CannotTalk
from treec_voice.settings import read_voice_settings
from treec_voice.sound import read_sound
from treec_voice.speech import FolderSpeaker
from treec_voice.talk import Talk

if TYPE_CHECKING:
    from treec.run.run import Run, RunOutcome

LOOK = 0.05
"""Seconds between looks whether the sound has ended."""


def voice_display(
    root: Path,
    *,
    voice: bool,
    heard: Path | None,
    spoken: Path | None,
    fast: bool,
    speed: float | None,
) -> Callable[[bool], RunDisplay]:
    """What makes the display of `treec run` with a voice.

    ``heard`` is a sound file in the place of the microphone, ``spoken`` a folder in that of the
    loudspeaker; ``voice`` says that the sound card is used where they are not given. On virtual
    time (``fast``) the file is heard as people would talk there. Raises Stop.
    """
    if fast and voice:
        raise Stop("--voice listens in real time: leave --fast out, or hear a file with --voice-in")
    try:
        settings = read_voice_settings(root)
        sound = None if heard is None else read_sound(heard)
        folder = None if spoken is None else FolderSpeaker(spoken, at_once=fast)
    except CannotTalk as error:
        raise Stop(str(error)) from None
    except OSError as error:
        raise Stop(f"{spoken} cannot be written: {error.strerror}") from None

    def microphone() -> FileMicrophone | CardMicrophone:
        return (
            CardMicrophone(settings.microphone)
            if sound is None
            else FileMicrophone(sound, speed or 1.0)
        )

    def speaker() -> FolderSpeaker | CardSpeaker:
        return CardSpeaker(settings.speaker) if folder is None else folder

    listens = not fast and (voice or sound is not None)
    talk = Talk(
        settings,
        microphone=microphone if listens else None,
        speaker=speaker if voice or folder is not None else None,
        recording=sound if fast else None,
    )

    def show(chat: bool) -> RunDisplay:
        if not chat:
            return _SpokenRun(sys.stdout, talk)
        if sys.stdin is not None and sys.stdin.isatty() and is_terminal(sys.stdout) and not fast:
            return _spoken_chat(sys.stdout, talk)
        return PipedVoice(sys.stdout, sys.stdin, talk, fast=fast)

    return show


class HeardLines(io.TextIOBase):
    """The lines of a chat: what is typed or piped, and what is heard."""

    def __init__(self, typed: TextIO | None, talk: Talk, stopped: threading.Event) -> None:
        self._lines: queue.SimpleQueue[str] = queue.SimpleQueue()
        self._talk, self._typed, self._stopped = talk, typed, stopped
        self._reader = threading.Thread(target=self._read_typed, daemon=True)

    def add(self, text: str) -> None:
        """Add what was heard."""
        self._lines.put(text + "\n")

    def begin(self) -> None:
        """Read what is typed from now on."""
        self._reader.start()

    def readline(self, size: int | None = -1, /) -> str:  # type: ignore[override]
        """The next line; waits for it. Empty at the end of both."""
        while not self._stopped.is_set():
            is_last = self._talk.is_over and not self._reader.is_alive()
            try:
                return self._lines.get(timeout=0 if is_last else LOOK)
            except queue.Empty:
                if is_last:
                    break
        return ""

    def _read_typed(self) -> None:
        while line := read_line(self._typed, self._stopped):
            self._lines.put((self._talk.answer(line.strip()) or "") + "\n")


class RecordedLines(io.TextIOBase):
    """The same on virtual time: heard on for each line that is asked for; then what is typed."""

    def __init__(self, typed: TextIO | None, talk: Talk) -> None:
        self._talk, self._typed = talk, typed
        self._lines: list[str] = []

    def add(self, text: str) -> None:
        """Add what was heard."""
        self._lines.append(text + "\n")

    def begin(self) -> None:
        """Nothing is read ahead."""

    def readline(self, size: int | None = -1, /) -> str:  # type: ignore[override]
        """The next line; empty at the end."""
        while not self._lines:
            with progress("frames heard", None) as advance:
                goes_on = self._talk.listen_on(advance)
            if not goes_on:
                line = read_line(self._typed, threading.Event())
                return (self._talk.answer(line.strip()) or "") + "\n" if line else ""
        return self._lines.pop(0)


class _Voiced(RunDisplay):
    """A display of a run that is talked with."""

    talk: Talk

    def run(self, run: Run) -> RunOutcome:
        """Run, listen and speak."""
        with self.talk.open(run):
            return super().run(run)


class _SpokenRun(_Voiced):
    """A run without a chat, whose answers are spoken."""

    def __init__(self, out: TextIO, talk: Talk) -> None:
        super().__init__(out)
        self.talk = talk


class PipedVoice(_Voiced, PipedDisplay):
    """A chat through a pipe and by voice."""

    def __init__(self, out: TextIO, typed: TextIO | None, talk: Talk, *, fast: bool) -> None:
        stopped = threading.Event()
        self._heard = RecordedLines(typed, talk) if fast else HeardLines(typed, talk, stopped)
        super().__init__(out, self._heard, real=not fast)  # type: ignore[arg-type]
        self.stopped = stopped
        self.talk = talk
        talk.say = self._heard.add

    def run(self, run: Run) -> RunOutcome:
        """Run until all is heard and said, and nobody is busy."""
        self._heard.begin()
        return super().run(run)

    def _parse(self, line: str) -> str | None:
        if not line and self._empty and not self.stopped.is_set():
            self.print(("! no words were heard or typed: the user stays silent", "red"))
            self._empty = False
        return super()._parse(line)


def _spoken_chat(out: TextIO, talk: Talk) -> RunDisplay:
    """A chat at the prompt and by voice."""
    from treec_live.chat import ChatDisplay

    class SpokenChat(_Voiced, ChatDisplay):
        def run(self, run: Run) -> RunOutcome:
            talk.say = run.say
            talk.show_draft = self.show_spoken
            return super().run(run)

    display = SpokenChat(out, read=lambda prompt: talk.answer(input(prompt)))
    display.talk = talk
    return display
