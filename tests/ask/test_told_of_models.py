"""What answers of models and judges are refused for, by the whole message."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from types import SimpleNamespace
from typing import Any

import httpx

from tests.support import golden
from treec_models.completion import LONGEST, bounded_text
from treec_models.http_client import LARGEST, _read
from treec_models.judge import _read_score

LEVELS: Any = SimpleNamespace(options=("low", "high"), type="number")


def read(**headers: str) -> object:
    """A response with these headers."""
    given = {name.replace("_", "-"): value for name, value in headers.items()}
    return asyncio.run(_read(httpx.Response(200, headers=given)))


TOLD: dict[str, Callable[[], object]] = {
    "TooLarge: the answer has 1,000,001 characters; at most 1,000,000 are read": lambda: (
        bounded_text("a" * (LONGEST + 1))
    ),
    "TooLarge: the answer is compressed (br), which was not requested": lambda: read(
        content_encoding="br"
    ),
    "TooLarge: the answer has 4,000,001 bytes; at most 4,000,000 are read": lambda: read(
        content_length=str(LARGEST + 1)
    ),
    "ValueError: it answers 'mood' by 3, which is no level.": lambda: _read_score(
        {"mood": {"score": 3}}, "mood", LEVELS
    ),
}


def test_what_cannot_be_is_told_by_these_words() -> None:
    golden.check_told(TOLD)
