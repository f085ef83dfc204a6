"""The recognizer in a thread of its own: slow, stuck or broken, it holds nothing up."""

from __future__ import annotations

import threading
import time
from collections import deque
from collections.abc import Callable, Sequence

from treec.foreign import text_of
from treec_voice.doors import Recognizer, Sound, Transcript
from treec_voice.segments import SpeechSegment

PATIENCE = 15.0
"""Seconds that an utterance may take; one that takes longer is given up with its thread."""
LOADING = 60.0
"""Seconds that an utterance waits for the recognizer to be loaded."""
MOST = 8
"""Utterances that wait; further ones are told as not heard."""
HANGS = 3
"""Times that it may hang before it is not asked any more."""
GIVEN_UP = f"it has hung {HANGS} times and is not asked any more"

Hints = Callable[[], Sequence[str]]


class Recognition:
    """Recognizes utterances one after another.

    ``open`` makes the recognizer, in its thread. ``heard`` takes each utterance with its words, or
    with None where none could be had; ``failed`` is told why, and whether the next one may fare
    better. Both are called from there, or by who calls `add` and `look`.
    """

    def __init__(
        self,
        open: Callable[[], Recognizer],
        hints: Hints,
        heard: Callable[[SpeechSegment, Transcript | None], None],
        failed: Callable[[str, bool], None],
        *,
        doubt: float = 0.0,
        patience: float = PATIENCE,
        loading: float = LOADING,
        drafted: Callable[[str], None] = lambda text: None,
    ) -> None:
        """``doubt``: below this confidence it is asked again without hints, which can mislead.

        ``patience``, ``loading``: seconds after which an utterance is given up that is being
        recognized, or that waits for the recognizer to be loaded. ``drafted`` is given the words of
        what may go on, and none for what was given up.
        """
        self._open, self._hints = open, hints
        self._heard, self._failed = heard, failed
        self._doubt, self._patience, self._loading = doubt, patience, loading
        self._drafted = drafted
        self._changed = threading.Condition()
        self._waiting: deque[tuple[SpeechSegment, float]] = deque()
        """Utterances, and when each was added."""
        self._current: SpeechSegment | None = None
        self._since: float | None = None
        """When its recognition began; None once its words are there."""
        self._is_loading = self._is_over = False
        self._hangs = 0
        self._thread: threading.Thread | None = None
        self._threads: list[threading.Thread] = []
        self._draft: tuple[tuple[float, float], Transcript] | None = None

    def begin(self) -> None:
        """Begin to load the recognizer."""
        self._is_loading = True
        self._thread = threading.Thread(target=self._work, name="treec recognizer", daemon=True)
        self._threads.append(self._thread)
        self._thread.start()

    @property
    def is_busy(self) -> bool:
        """Whether an utterance waits or is being recognized."""
        return bool(self._waiting) or self._current is not None

    @property
    def is_ready(self) -> bool:
        """Whether the recognizer is loaded; not while one that hung is loaded anew, or given up."""
        return self._thread is not None and not self._is_loading

    def add(self, utterance: SpeechSegment) -> None:
        """Let an utterance be recognized; returns at once."""
        with self._changed:
            is_closed = self._hangs >= HANGS
            if not is_closed and len(self._waiting) < MOST:
                self._waiting.append((utterance, time.monotonic()))
                self._changed.notify()
                return
        if is_closed:
            self._lose(utterance, GIVEN_UP, False)
        else:
            self._lose(utterance, "too much is said at once: some of it is not heard")

    def look(self) -> None:
        """Give up an utterance that takes too long, and go on with another thread."""
        with self._changed:
            now, lost = time.monotonic(), self._current
            if lost is not None:
                if self._since is None or now - self._since < self._patience:
                    return
                why = f"it has not answered for {self._patience:g} s"
                self._current = self._since = self._thread = None
                self._hangs += 1
                if self._hangs < HANGS and not self._is_over:
                    self.begin()
            elif self._waiting and (self._is_loading or self._thread is None):
                lost, added = self._waiting[0]
                if self._is_loading and now - added < self._loading:
                    return
                why = f"it has not been loaded for {self._loading:g} s"
                if self._thread is None:
                    why = GIVEN_UP
                self._waiting.popleft()
            else:
                return
        self._lose(lost, why, self._thread is not None)

    def recognize(self, recognizer: Recognizer, utterance: SpeechSegment) -> Transcript:
        """The words of an utterance: those of its draft, if nothing was said since.

        Raises what the recognizer raises.
        """
        key = (round(utterance.start, 3), utterance.spoken)
        if self._draft is not None and self._draft[0] == key:
            return self._draft[1]
        heard = recognize(recognizer, utterance.sound, tuple(self._hints()), self._doubt)
        self._draft = (key, heard) if utterance.is_draft else None
        return heard

    def end(self, patience: float) -> None:
        """Drop what waits; wait so many seconds for what goes on.

        The process would be aborted if it ended while a thread is in native code.
        """
        with self._changed:
            self._is_over = True
            self._waiting.clear()
            self._changed.notify_all()
        until = time.monotonic() + patience
        for thread in self._threads:
            thread.join(max(until - time.monotonic(), 0.0))

    def _work(self) -> None:
        mine = threading.current_thread()
        recognizer: Recognizer | None = None
        try:
            recognizer = self._open()
        except (Exception, SystemExit) as error:  # anybody's code
            self._failed(text_of(error), False)
        while (utterance := self._next(mine)) is not None:
            heard, why = None, "nothing was recognized, since there is no recognizer"
            try:
                if recognizer is not None:
                    heard = self.recognize(recognizer, utterance)
            except (Exception, SystemExit) as error:
                why = text_of(error)
            with self._changed:
                if mine is not self._thread:  # it was given up
                    return
                self._since = None
            try:
                if utterance.is_draft:
                    self._drafted(heard.text if heard else "")
                elif heard is not None:
                    self._heard(utterance, heard)
                else:
                    self._lose(utterance, why, recognizer is not None)
            except (Exception, SystemExit) as error:
                self._failed(f"what was said is lost: {text_of(error)}", True)
            with self._changed:
                self._current = None

    def _next(self, mine: threading.Thread) -> SpeechSegment | None:
        """The next utterance for a thread; waits for it. None if the thread is to end."""
        with self._changed:
            if mine is self._thread:
                self._is_loading = False
            while mine is self._thread and not self._is_over:
                if self._waiting:
                    self._current, _ = self._waiting[0]  # first: who asks meanwhile finds it busy
                    self._since = time.monotonic()
                    self._waiting.popleft()
                    return self._current
                self._changed.wait()
            return None

    def _lose(self, utterance: SpeechSegment, why: str, again: bool = True) -> None:
        """Tell that an utterance was not recognized."""
        self._failed(why, again)
        if utterance.is_draft:
            self._drafted("")
        else:
            self._heard(utterance, None)


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
