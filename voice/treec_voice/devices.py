"""Where sound comes from and goes to: a file in the microphone's place, or the sound card."""

from __future__ import annotations

import queue
import threading
import time
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from treec_voice.doors import FRAME, RATE, SECONDS, CannotTalk, Sound
from treec_voice.sound import frames_of

LATE = 3.0
"""Seconds of sound that a microphone keeps while nobody reads it."""


class FileMicrophone:
    """Plays a sound at the pace of time, then silence for as long as it is listened to."""

    hears_us = False

    def __init__(self, sound: Sound, speed: float) -> None:
        self._sound, self._speed = sound, speed
        self.is_over = False
        """Whether all of the sound was heard."""

    def frames(self, stopped: threading.Event) -> Iterator[Sound]:
        """The frames, until it is stopped."""
        begun = time.monotonic()
        for count, frame in enumerate(self._all()):
            wait = begun + count * SECONDS / self._speed - time.monotonic()
            if stopped.wait(max(wait, 0.0)):
                return
            yield frame

    def _all(self) -> Iterator[Sound]:
        yield from frames_of(self._sound)
        self.is_over = True
        while True:
            yield np.zeros(FRAME, np.float32)


class CardMicrophone:
    """The microphone of the sound card. Raises CannotTalk."""

    is_over = False
    hears_us = True

    def __init__(self, device: str | int | None = None) -> None:
        """``device``: its number or a part of its name (default: the system's)."""
        self._frames: queue.Queue[Sound | None] = queue.Queue(round(LATE / SECONDS))
        self._stream = _begin(
            "microphone", "InputStream", device, callback=self._take, finished_callback=self._end
        )

    def frames(self, stopped: threading.Event) -> Iterator[Sound]:
        """The frames, until it is stopped. Raises CannotTalk if the device is gone."""
        try:
            while not stopped.is_set():
                try:
                    frame = self._frames.get(timeout=2.0)
                except queue.Empty:
                    raise CannotTalk("the microphone gives no sound any more") from None
                if frame is None:
                    raise CannotTalk("the microphone is gone")
                yield frame
        finally:
            self._stream.close()

    def _take(self, data: Any, frames: int, when: Any, status: Any) -> None:
        try:
            self._frames.put_nowait(data[:, 0].copy())
        except queue.Full:  # what listens is far behind: the oldest is of no use any more
            self._frames.get_nowait()
            self._frames.put_nowait(data[:, 0].copy())

    def _end(self) -> None:
        if not self._frames.full():
            self._frames.put_nowait(None)


class CardSpeaker:
    """The loudspeaker of the sound card. Raises CannotTalk."""

    def __init__(self, device: str | int | None = None) -> None:
        """``device``: its number or a part of its name (default: the system's)."""
        self._lock = threading.Lock()
        self._sound = np.zeros(0, np.float32)
        self._played: queue.Queue[Sound] = queue.Queue(round(LATE / SECONDS))
        self._is_gone = False
        self._stream = _begin(
            "loudspeaker", "OutputStream", device, callback=self._give, finished_callback=self._end
        )

    def play(self, sound: Sound, text: str) -> None:
        """Play a sentence after those that are being played. Raises CannotTalk if it is gone."""
        if self._is_gone:
            raise CannotTalk("the loudspeaker is gone")
        with self._lock:
            self._sound = np.concatenate([self._sound, sound])

    def cut(self) -> None:
        """Be silent at once."""
        with self._lock:
            self._sound = np.zeros(0, np.float32)

    def played(self) -> Sound:
        """A frame that was played, for each frame of the microphone."""
        try:
            return self._played.get_nowait()
        except queue.Empty:
            return np.zeros(FRAME, np.float32)

    @property
    def is_playing(self) -> bool:
        """Whether something is being played."""
        return len(self._sound) > 0

    def close(self) -> None:
        """Wait until all is played, then close the device."""
        end = time.monotonic() + len(self._sound) / RATE + 0.2
        while len(self._sound) and time.monotonic() < end:
            time.sleep(SECONDS)
        self._stream.close()

    def _end(self) -> None:
        self._is_gone = True
        self.cut()

    def _give(self, data: Any, frames: int, when: Any, status: Any) -> None:
        with self._lock:
            given, self._sound = self._sound[:frames], self._sound[frames:]
        data[:, 0] = np.pad(given, (0, frames - len(given)))
        if self._played.full():
            self._played.get_nowait()
        self._played.put_nowait(data[:, 0].copy())


_WHY = {
    -9985: "another program uses it, or it was unplugged; close that program or name another",
    -9996: "the system has none",
    -9997: f"it cannot give {RATE:,} samples a second; name one that converts, such as 'default'",
    -9998: "it has no channel for this",
}
"""PortAudio's errors in plain words."""


def _begin(what: str, kind: str, device: str | int | None, **calls: Callable[..., None]) -> Any:
    """A stream of frames from or to a device, which has begun. Raises CannotTalk."""
    card = _card(what)
    form = {"samplerate": RATE, "blocksize": FRAME, "channels": 1, "dtype": "float32"}
    try:
        stream = getattr(card, kind)(device=device, **form, **calls)
        stream.start()
    except (card.PortAudioError, ValueError, OSError) as error:
        code = error.args[1] if len(error.args) > 1 else None
        named = "" if device is None else f" '{device}'"
        why = _WHY.get(code, str(error)) if isinstance(code, int) else str(error)
        raise CannotTalk(f"no {what}{named}: {_found(card, kind, why)}") from None
    return stream


def _found(card: Any, kind: str, why: str) -> str:
    """Why a device cannot be had, and which there are."""
    channels = "max_input_channels" if kind == "InputStream" else "max_output_channels"
    try:
        names = [str(it["name"]) for it in card.query_devices() if it[channels]]
    except (card.PortAudioError, ValueError):
        names = []
    return f"{why}; there is {', '.join(dict.fromkeys(names))}" if names else "none is connected"


def _card(what: str) -> Any:
    """The package of the sound card. Raises CannotTalk."""
    try:
        import sounddevice
    except ImportError as error:
        raise CannotTalk(
            f"no {what}: 'sounddevice' is not installed (pip install 'treec[voice]')"
        ) from error
    except OSError as error:  # PortAudio itself is missing
        raise CannotTalk(f"no {what}: {error}: apt-get install libportaudio2") from None
    return sounddevice
