"""The recognizer in a thread of its own: slow, stuck or broken, it holds nothing up."""

from __future__ import annotations

import queue
import threading
import time
from collections.abc import Callable, Sequence

from treec.foreign import text_of
from treec_voice.doors import Recognizer, Sound, Transcript
from treec_voice.segments import SpeechSegment

PATIENCE = 15.0
"""Seconds that an utterance may take; one that takes longer is given up with its thread."""
MOST = 8
"""Utterances that wait; further ones are told as not heard."""

Hints = Callable[[], Sequence[str]]


class Recognition:
    """Recognizes utterances one after another.

    ``open`` makes the recognizer, in its thread. ``heard`` and ``failed`` are called from there.
    """

    def __init__(
        self,
        open: Callable[[], Recognizer],
        hints: Hints,
        heard: Callable[[SpeechSegment, Transcript], None],
        failed: Callable[[str], None],
        *,
        doubt: float = 0.0,
        patience: float = PATIENCE,
        drafted: Callable[[str], None] = lambda text: None,
    ) -> None:
        """``doubt``: below this confidence it is asked again without hints, which can mislead.

        ``drafted`` is given the words of what may go on, and none for what was given up.
        """
        self._open, self._hints = open, hints
        self._heard, self._failed = heard, failed
        self._doubt, self._patience = doubt, patience
        self._drafted = drafted
        self._waiting: queue.Queue[SpeechSegment | None] = queue.Queue(MOST)
        self._since: float | None = None
        self._thread: threading.Thread | None = None
        self._pending = 0
        self.has_failed = False
        """Whether the last utterance was not recognized because the recognizer is broken."""
        self._draft: tuple[tuple[float, float], Transcript] | None = None
        self._lock = threading.Lock()

    def begin(self) -> None:
        """Begin to load the recognizer."""
        self._thread = threading.Thread(target=self._work, name="treec recognizer", daemon=True)
        self._thread.start()

    @property
    def is_busy(self) -> bool:
        """Whether an utterance waits or is being recognized."""
        return self._pending > 0

    def add(self, utterance: SpeechSegment) -> None:
        """Let an utterance be recognized; returns at once."""
        try:
            self._waiting.put_nowait(utterance)
        except queue.Full:
            self._failed("too much is said at once: some of it is not heard")
            return
        with self._lock:
            self._pending += 1

    def look(self) -> None:
        """Give up an utterance that takes too long, and go on with another thread."""
        since = self._since
        if since is None or time.monotonic() - since < self._patience:
            return
        self._since = None
        self._drafted("")
        self._failed(f"it has not answered for {self._patience:g} s; please say it again or type")
        self._done()
        self.begin()

    def recognize(self, recognizer: Recognizer, utterance: SpeechSegment) -> Transcript:
        """The words of an utterance: those of its draft, if nothing was said since.

        Raises what the recognizer raises.
        """
        key = (round(utterance.start, 3), utterance.spoken)
        if self._draft is not None and self._draft[0] == key:
            return self._draft[1]
        heard = self._recognize(recognizer, utterance)
        self._draft = (key, heard) if utterance.is_draft else None
        return heard

    def _recognize(self, recognizer: Recognizer, utterance: SpeechSegment) -> Transcript:
        return recognize(recognizer, utterance.sound, tuple(self._hints()), self._doubt)

    def end(self) -> None:
        """Let the thread end after what it is doing."""
        while True:
            try:
                self._waiting.put_nowait(None)
                return
            except queue.Full:
                self._waiting.get_nowait()

    def _work(self) -> None:
        mine = threading.current_thread()
        try:
            recognizer = self._open()
        except Exception as error:  # anybody's code
            self._failed(f"{text_of(error)}; please type")
            recognizer = None
        while mine is self._thread and (utterance := self._waiting.get()) is not None:
            self._since = time.monotonic()
            try:
                heard = recognizer and self.recognize(recognizer, utterance)
            except Exception as error:
                heard = None
                if mine is self._thread and not utterance.is_draft:
                    self._failed(f"{text_of(error)}; please say it again or type")
            if mine is not self._thread:  # it was given up
                return
            self._since = None
            self.has_failed = heard is None
            if utterance.is_draft:
                self._drafted(heard.text if heard else "")
                self._done()
                continue
            if heard is None and recognizer is None and utterance.stop is None:
                self._failed("nothing was recognized, since there is no recognizer; please type")
            self._heard(utterance, heard or Transcript("", 0.0))
            self._done()

    def _done(self) -> None:
        with self._lock:
            self._pending -= 1


def recognize(
    recognizer: Recognizer, sound: Sound, hints: Sequence[str], doubt: float
) -> Transcript:
    """Words with hints and, below a confidence of ``doubt``, without: hints can mislead."""
    heard = recognizer(sound, hints)
    if not hints or not heard.text or heard.confidence >= doubt:
        return heard
    plain = recognizer(sound, ())
    if not plain.text or _plain(plain.text) == _plain(heard.text):
        confidence = max(heard.confidence, plain.confidence)
        return Transcript(heard.text, confidence, heard.alternatives)
    return Transcript(heard.text, heard.confidence, (plain.text, *heard.alternatives))


def _plain(text: str) -> str:
    return "".join(letter for letter in text.lower() if letter.isalnum())
