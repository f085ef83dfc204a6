"""The voices, as `[voice]` names them."""

from __future__ import annotations

import inspect

import pytest

from treec.foreign import import_foreign
from treec_voice.doors import NAMES


@pytest.mark.parametrize("name", NAMES["voice"])
def test_a_voice_needs_no_arguments(name: str) -> None:
    inspect.signature(import_foreign(NAMES["voice"][name])).bind()  # type: ignore[arg-type]
