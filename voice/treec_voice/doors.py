"""The doors of speech: what a recognizer, a voice, a spotter, a detector and a canceller are.

Sound is mono at `RATE`: arrays of float32 between -1 and 1. A stream comes in frames of `FRAME`
samples (32 ms). Each part is a class, named in `[voice]` of treec.toml by a word of `NAMES` or as
``package.module:Class``; other keys of its table are the arguments of the class.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Protocol, cast, runtime_checkable

import numpy as np
from numpy.typing import NDArray

from treec.foreign import import_foreign, text_of
from treec.frozen import frozen
from treec.requirements import missing_package
from treec.source.diagnostics import suggestion
from treec.source.errors import TreecError

RATE = 16_000
"""Samples per second of all sound."""
FRAME = 512
"""Samples of a frame: what Silero's detector reads at a time."""
SECONDS = FRAME / RATE
"""Seconds of a frame."""

Sound = NDArray[np.float32]
"""Shape (samples,)."""


class CannotTalk(TreecError):
    """A part of speech cannot be had; the message says which, and what would help."""


@frozen
class Transcript:
    """What a recognizer heard: words, how sure it is (0 to 1), and other readings, best first."""

    text: str
    confidence: float
    alternatives: Sequence[str] = ()


@frozen
class Spotted:
    """A phrase that a spotter heard; ``ago`` is how many seconds ago it began and ended.

    One that is not ``sure`` is recognized before it counts; ``chance`` is its probability.
    """

    phrase: str
    ago: tuple[float, float]
    sure: bool = True
    chance: float = 1.0


class Recognizer(Protocol):
    """Writes what is said. It may take its time and raise anything: it has a thread of its own."""

    def __call__(self, sound: Sound, hints: Sequence[str]) -> Transcript:
        """The words of an utterance; ``hints`` are names that may occur, the likeliest first."""


@runtime_checkable
class Weigher(Protocol):
    """A recognizer that can tell how likely other words are; a stop in doubt is checked by it."""

    has_judge: bool
    """Whether it can tell the chance of a stop at once."""

    def chance_of_stop(self, sound: Sound) -> float | None:
        """The probability that a stop was just said, if it can tell at once."""

    def weigh(
        self, sound: Sound, instead: Callable[[str], Sequence[str]]
    ) -> tuple[Transcript, Sequence[tuple[str, float]]]:
        """The words, and what ``instead`` makes of them, each with its weight.

        The weight is the log probability, less that of the words.
        """


class Voice(Protocol):
    """Speaks."""

    def __call__(self, text: str) -> Sound:
        """A sentence as sound."""


class Spotter(Protocol):
    """Hears phrases in a stream, each within a fraction of a second of its end."""

    def __call__(self, frame: Sound) -> Spotted | None:
        """Take the next frame; the phrase that has just been heard, if any."""


class SpeechDetector(Protocol):
    """Tells speech from other sound in a stream."""

    def __call__(self, frame: Sound) -> float:
        """Take the next frame; the probability that somebody speaks in it."""


class Canceller(Protocol):
    """Takes our own voice out of what the microphone hears."""

    def __call__(self, near: Sound, far: Sound) -> Sound:
        """A frame of the microphone without the echo of ``far``, what is played meanwhile."""


@runtime_checkable
class GentleCanceller(Canceller, Protocol):
    """One that mutes others with our own voice, and has the frame as it was before."""

    heard: Sound
    """The last frame with what it left of our own voice: words and stops are heard in it."""


NAMES: Mapping[str, Mapping[str, str]] = {
    "recognizer": {
        "whisper": "treec_voice.whisper:WhisperRecognizer",
        "openai": "treec_voice.services:OpenAIRecognizer",
        "google": "treec_voice.services:GoogleRecognizer",
    },
    "voice": {
        "hibari": "treec_voice.voices:HibariVoice",
        "espeak": "treec_voice.voices:EspeakVoice",
    },
    "spotter": {
        "network": "treec_voice.spotter:StopSpotter",
        "pocketsphinx": "treec_voice.phrase_spotter:PhraseSpotter",
    },
    "detector": {"silero": "treec_voice.detector:SileroDetector"},
    "canceller": {"webrtc": "treec_voice.echo:WebRtcCanceller"},
}
"""Words for the parts that this package brings; the first of each is the default."""


def open_part(part: str, named: str | Mapping[str, Any], *args: object) -> Any:
    """Make a part from its name, or from a table with `use` and arguments. Raises CannotTalk."""
    options = {"use": named} if isinstance(named, str) else dict(named)
    use = str(options.pop("use", next(iter(NAMES[part]))))
    target = NAMES[part].get(use, use)
    if ":" not in target:
        hint = suggestion(use, NAMES[part], f"{part}s")
        raise CannotTalk(f"unknown {part} '{use}'; {hint}, or name a package.module:Class")
    try:
        return cast(Any, import_foreign(target))(*args, **options)
    except CannotTalk:
        raise
    except Exception as error:  # anybody's code, and models that may be broken
        why = missing_package(error, target.partition(":")[0]) or text_of(error)
        raise CannotTalk(f"the {part} '{use}' cannot be used: {why}") from error
