"""What hearing refuses, by the whole message."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from tests.support import golden
from treec_hearing.encoder import WordEncoder
from treec_hearing.node import _check_act

TOLD: dict[str, Callable[[], object]] = {
    "BadReport: gave 3 among its acts, not a mapping": lambda: _check_act(3),
    "BadReport: gave an act that has the type object, which is not plain data": lambda: _check_act(
        {"kind": object}
    ),
    "NetworkError: no encoder is installed: /nosuch is not a folder": lambda: WordEncoder(
        Path("/nosuch")
    ),
}


def test_what_cannot_be_is_told_by_these_words() -> None:
    golden.check_told(TOLD)
