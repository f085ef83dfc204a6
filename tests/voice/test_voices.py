"""The voices, as `[voice]` names them."""

from __future__ import annotations

import inspect

import pytest

from treec.foreign import import_foreign
from treec_voice.doors import NAMES, CannotTalk, open_part


@pytest.mark.parametrize("name", NAMES["voice"])
def test_a_voice_needs_no_arguments(name: str) -> None:
    inspect.signature(import_foreign(NAMES["voice"][name])).bind()  # type: ignore[arg-type]


@pytest.mark.parametrize("language", ["de", "auto", None])
def test_the_model_of_the_wheel_knows_english_alone_and_that_is_told(language: str | None) -> None:
    with pytest.raises(CannotTalk, match=f"name the folder of another for '{language or 'auto'}'"):
        open_part("recognizer", {"use": "whisper", "language": language})
