"""Takes our own voice out of what is heard: WebRTC's echo canceller."""

from __future__ import annotations

import numpy as np

from treec_voice.doors import Sound


class WebRtcCanceller:
    """WebRTC's, which finds the delay between loudspeaker and microphone by itself."""

    def __init__(self, delay: float = 0.0) -> None:
        """``delay``: seconds from a sound being played to its echo, if they are known."""
        from pywebrtc_audio import EchoCanceller

        self._canceller = EchoCanceller(stream_delay_ms=round(1000 * delay))
        self._near = self._far = self._clean = np.zeros(0, np.float32)

    def __call__(self, near: Sound, far: Sound) -> Sound:
        """A frame without the echo, late by less than 10 ms: WebRTC's frames are of 160 samples."""
        self._near = np.concatenate([self._near, near])
        self._far = np.concatenate([self._far, far])
        whole = len(self._near) // 160 * 160
        clean = self._canceller.process(self._near[:whole], self._far[:whole])
        self._near, self._far = self._near[whole:], self._far[whole:]
        if not len(self._clean):
            self._clean = np.zeros(160, np.float32)
        self._clean = np.concatenate([self._clean, clean])
        frame, self._clean = self._clean[: len(near)], self._clean[len(near) :]
        return frame
