"""Takes our own voice out of what is heard: a linear filter, and WebRTC's echo canceller.

WebRTC's mutes whatever may be echo, other people's words with it: it tells who speaks. Words and
stops are heard behind the filter, a partitioned-block frequency-domain Kalman filter (Enzner and
Vary, 2006; Kuech et al., 2014), which takes nothing out but what it can foretell.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from treec_voice.doors import FRAME, Sound

BLOCKS = 12
"""Frames of a room's echo that are foretold: 0.38 s."""
UNKNOWN, DECAY = 0.1, 0.5
"""Variance of an unknown echo's first block, and how much it falls from block to block (log)."""
CHANGE = 0.001
"""How much of an echo may change within a frame."""
LOUD = 1.0
"""Energy of what is left, beside that of the echo, from which somebody else speaks."""
RECENT, HELD = 0.75, 10
"""How much the frames before count there, and frames for which somebody speaks on."""
HEARD = 1e-3
"""Energy of a band of what is played, from which there is something to learn."""
WORSE, LOST = 1.5, 10
"""Energy that the filter may add at most, and frames of more after which it begins anew."""


class EchoFilter:
    """Foretells the echo of what is played, and takes it away; 0.2 ms a frame."""

    def __init__(self) -> None:
        self._far = np.zeros(2 * FRAME)
        self._spectra = np.zeros((BLOCKS, FRAME + 1), np.complex128)
        self._begin()

    def _begin(self) -> None:
        """Know nothing of the room."""
        self._room = np.zeros((BLOCKS, FRAME + 1), np.complex128)
        falls = np.exp(-DECAY * np.arange(BLOCKS))[:, None]
        self._variance = np.repeat(UNKNOWN * falls, FRAME + 1, axis=1)
        self._worse = 0

    def __call__(self, near: Sound, far: Sound) -> Sound:
        """A frame of the microphone without the linear echo of ``far``."""
        self._far = np.concatenate([self._far[FRAME:], far])
        self._spectra = np.concatenate([np.fft.rfft(self._far)[None], self._spectra[:-1]])
        echo = np.fft.irfft((self._room * self._spectra).sum(axis=0))[FRAME:]
        rest = near - echo
        power = self._spectra.real**2 + self._spectra.imag**2
        if power.max() < HEARD:
            return near
        self._learn(rest, power)
        if rest @ rest <= WORSE * (near @ near):
            self._worse = 0
            return rest.astype(np.float32)
        self._worse += 1  # also where something is no number
        if self._worse > LOST:
            self._begin()
        return near

    def _learn(self, rest: NDArray[np.float64], power: NDArray[np.float64]) -> None:
        """Correct what is known of the room by what was not foretold."""
        error = np.fft.rfft(np.concatenate([np.zeros(FRAME), rest]))
        noise = (self._variance * power).sum(axis=0) / 2 + error.real**2 + error.imag**2
        gain = self._variance / (noise + 1e-10)
        step = gain * self._spectra.conj() * error
        answer = np.fft.irfft(self._room + step, axis=1)
        answer[:, FRAME:] = 0
        self._room = np.fft.rfft(answer, axis=1)
        known = (1 - CHANGE) * (1 - gain * power / 2) * self._variance
        self._variance = known + CHANGE * (self._room.real**2 + self._room.imag**2)


class WebRtcCanceller:
    """WebRTC's, which finds the delay between loudspeaker and microphone by itself."""

    def __init__(self, delay: float = 0.0) -> None:
        """``delay``: seconds from a sound being played to its echo, if they are known."""
        from pywebrtc_audio import EchoCanceller

        self._canceller = EchoCanceller(stream_delay_ms=round(1000 * delay))
        self._filter = EchoFilter()
        self._left = self._taken = 0.0
        self._since = 0
        self._near = self._far = self._clean = np.zeros(0, np.float32)
        self.heard: Sound = np.zeros(FRAME, np.float32)
        """The last frame: what the filter left where that is more than echo, else as returned."""

    def __call__(self, near: Sound, far: Sound) -> Sound:
        """A frame without the echo, late by less than 10 ms: WebRTC's frames are of 160 samples."""
        rest = self._filter(near, far)
        self._near = np.concatenate([self._near, near])
        self._far = np.concatenate([self._far, far])
        whole = len(self._near) // 160 * 160
        clean = self._canceller.process(self._near[:whole], self._far[:whole])
        self._near, self._far = self._near[whole:], self._far[whole:]
        if not len(self._clean):
            self._clean = np.zeros(160, np.float32)
        self._clean = np.concatenate([self._clean, clean])
        frame, self._clean = self._clean[: len(near)], self._clean[len(near) :]
        self.heard = rest if self._is_somebody_else(rest, near - rest) else frame
        return frame

    def _is_somebody_else(self, rest: Sound, echo: Sound) -> bool:
        self._left = RECENT * self._left + float(rest @ rest)
        self._taken = RECENT * self._taken + float(echo @ echo)
        self._since = 0 if self._left >= LOUD * self._taken else self._since + 1
        return self._since <= HELD
