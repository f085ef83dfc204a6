"""The voices, as `[voice]` names them."""

from __future__ import annotations

import inspect
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from treec.foreign import import_foreign
from treec_voice.doors import NAMES, RATE, CannotTalk, open_part
from treec_voice.stop_judge import TOGETHER, StopJudge
from treec_voice.whisper import OF_TWO, WhisperRecognizer


@pytest.mark.parametrize("name", NAMES["voice"])
def test_a_voice_needs_no_arguments(name: str) -> None:
    inspect.signature(import_foreign(NAMES["voice"][name])).bind()  # type: ignore[arg-type]


@pytest.mark.parametrize("language", ["de", "auto", None])
def test_the_model_of_the_wheel_knows_english_alone_and_that_is_told(language: str | None) -> None:
    with pytest.raises(CannotTalk, match=f"name the folder of another for '{language or 'auto'}'"):
        open_part("recognizer", {"use": "whisper", "language": language})


@pytest.mark.parametrize(
    ("chances", "confidence"),
    [([0.1, 0.9, 0.2, 0.8], OF_TWO), ([0.1, 0.8, 0.0], 0.9), (OSError("unreadable"), 0.9)],
)
def test_words_of_two_who_speak_at_once_are_unsure(
    monkeypatch: pytest.MonkeyPatch, chances: Any, confidence: float
) -> None:
    said = SimpleNamespace(
        no_speech_prob=0.0, compression_ratio=1.0, tokens=[1], avg_logprob=np.log(0.9), text="Yes."
    )
    recognizer: Any = object.__new__(WhisperRecognizer)
    recognizer.model = SimpleNamespace(transcribe=lambda sound, **options: ([said], None))
    recognizer.has_judge, recognizer._language, recognizer._rows = True, "en", len
    given = iter([chances] if isinstance(chances, Exception) else chances)

    def judge(rows: object) -> float:
        chance = next(given)
        if isinstance(chance, Exception):
            raise chance
        return float(chance)

    monkeypatch.setattr("treec_voice.whisper._judge", lambda file: judge)
    count = 1 if isinstance(chances, Exception) else len(chances)
    sound = np.zeros(round(0.8 * (count + 1) * RATE), np.float32)
    assert recognizer(sound, ()).confidence == confidence


def test_the_network_of_two_people_is_read_and_is_one_of_probabilities() -> None:
    rows = np.random.default_rng(0).normal(size=(80, 384)).astype(np.float32)
    assert 0 <= StopJudge(TOGETHER)(rows) <= 1
