"""Voices on this machine."""

from __future__ import annotations

import shutil
import subprocess
import tempfile
from pathlib import Path

from treec_voice.doors import CannotTalk, Sound
from treec_voice.sound import read_sound, resampled

LONGEST = 30.0
"""Seconds that espeak-ng may take for a sentence."""


class HibariVoice:
    """The voice of the wheel `hibari-tts`."""

    def __init__(self, speed: float = 1.0) -> None:
        from hibari import Hibari

        self._speak = Hibari()
        self._speed = speed

    def __call__(self, text: str) -> Sound:
        """A sentence as sound."""
        return resampled(self._speak(text, speed=self._speed), 24_000)


class EspeakVoice:
    """The command `espeak-ng`, with its many voices and languages."""

    def __init__(self, voice: str = "en-us", words_per_minute: int = 160) -> None:
        if shutil.which("espeak-ng") is None:
            raise CannotTalk("no command espeak-ng: apt-get install espeak-ng")
        self._command = ("espeak-ng", "-v", voice, "-s", str(words_per_minute))

    def __call__(self, text: str) -> Sound:
        """A sentence as sound."""
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "said.wav"
            command = [*self._command, "-w", str(path), "--", text]
            done = subprocess.run(
                command, capture_output=True, text=True, timeout=LONGEST, check=False
            )
            if done.returncode:
                raise CannotTalk(f"espeak-ng: {done.stderr.strip() or done.returncode}")
            return read_sound(path)
