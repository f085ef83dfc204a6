"""Speaking: sentences one after another, which a person can cut short."""

from __future__ import annotations

import queue
import re
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import Protocol

import numpy as np

from treec.foreign import text_of
from treec_voice.doors import FRAME, Sound, Voice
from treec_voice.sound import write_wav

PATIENCE = 15.0
"""Seconds that a sentence may take to be made."""
_SENTENCE = re.compile(r"(?<=[.!?]) +")


class Speaker(Protocol):
    """Where sound is played."""

    def play(self, sound: Sound, text: str) -> None:
        """Play a sentence after those that are being played."""

    def cut(self) -> None:
        """Be silent at once."""

    def played(self) -> Sound:
        """The next frame of what is played, in step with the microphone's frames."""

    @property
    def is_playing(self) -> bool:
        """Whether something is being played."""

    def close(self) -> None:
        """Play nothing any more."""


class FolderSpeaker:
    """Writes each sentence into a WAV file, as far as it was played.

    ``at_once``: sentences take no time.
    """

    def __init__(self, folder: Path, *, at_once: bool) -> None:
        """Raises OSError."""
        folder.mkdir(parents=True, exist_ok=True)
        self._folder, self._at_once = folder, at_once
        self._lock = threading.Lock()
        self._sounds: list[tuple[Sound, str]] = []
        self._at = 0
        self._count = 0

    def play(self, sound: Sound, text: str) -> None:
        """Play a sentence; raises OSError where it cannot be written at once."""
        with self._lock:
            if self._at_once:
                self._write(sound)
            elif len(sound):
                self._sounds.append((sound, text))

    def cut(self) -> None:
        """Be silent; the file of the sentence ends there."""
        with self._lock:
            if self._sounds and self._at:
                self._write(self._sounds[0][0][: self._at])
            self._sounds.clear()
            self._at = 0

    def played(self) -> Sound:
        """The next frame."""
        with self._lock:
            if not self._sounds:
                return np.zeros(FRAME, np.float32)
            sound, _ = self._sounds[0]
            frame = sound[self._at : self._at + FRAME]
            self._at += FRAME
            if self._at >= len(sound):
                self._write(sound)
                self._sounds.pop(0)
                self._at = 0
            return np.pad(frame, (0, FRAME - len(frame)))

    @property
    def is_playing(self) -> bool:
        """Whether a sentence is being played."""
        return bool(self._sounds)

    def close(self) -> None:
        """Write what is left, as a loudspeaker would be heard to the end."""
        with self._lock:
            for sound, _ in self._sounds:
                self._write(sound)
            self._sounds.clear()

    def _write(self, sound: Sound) -> None:
        self._count += 1
        write_wav(self._folder / f"{self._count:03}.wav", sound)


class Speech:
    """Says texts, in a thread of its own; ``open`` makes the voice there."""

    def __init__(
        self, open: Callable[[], Voice], speaker: Speaker, failed: Callable[[str], None]
    ) -> None:
        self._open, self.speaker, self._failed = open, speaker, failed
        self._texts: queue.SimpleQueue[tuple[int, str] | None] = queue.SimpleQueue()
        self._turn = 0
        self._given = self._done = 0
        """Sentences that were given and that are done with; each is counted by one thread."""
        self._since: float | None = None
        """When the voice was given the sentence that it has not yet said."""
        self._thread = threading.Thread(target=self._work, name="treec voice", daemon=True)

    def begin(self) -> None:
        """Begin to load the voice."""
        self._thread.start()

    @property
    def is_speaking(self) -> bool:
        """Whether something is said, or is about to be."""
        return self._given > self._done or self.speaker.is_playing

    def say(self, text: str) -> None:
        """Say a text after those that are being said; returns at once."""
        since = self._since
        if since is not None and time.monotonic() - since > PATIENCE:
            self._since = None
            self._failed(f"it has said nothing for {PATIENCE:g} s; answers are only written")
        for sentence in _SENTENCE.split(text):
            self._given += 1
            self._texts.put((self._turn, sentence))

    def cut(self) -> None:
        """Stop speaking: somebody else does."""
        self._turn += 1
        self.speaker.cut()

    def close(self, patience: float) -> None:
        """Say what is left, within so many seconds."""
        self._texts.put(None)
        self._thread.join(patience)
        try:
            self.speaker.close()
        except Exception as error:  # anybody's device
            self._failed(f"what was said last may be cut off: {text_of(error)}")

    def _work(self) -> None:
        try:
            voice = self._open()
        except (Exception, SystemExit) as error:  # anybody's code
            self._failed(text_of(error))
            voice = None
        while (given := self._texts.get()) is not None:
            turn, sentence = given
            self._since = time.monotonic()
            try:
                if voice is not None and turn == self._turn:
                    sound = voice(sentence)
                    if turn == self._turn:
                        self.speaker.play(sound, sentence)
            except (Exception, SystemExit) as error:
                self._failed(f'"{sentence}" cannot be said: {text_of(error)}')
            self._since = None
            self._done += 1
