"""Long texts that a test compares with a file; with `TREEC_REWRITE=1` it writes the file anew.

Look at the difference before you commit it: it is the test.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Mapping
from dataclasses import fields, is_dataclass
from pathlib import Path
from typing import Any, SupportsFloat


def check(file: Path, text: str) -> None:
    """Compare a text with that of a file."""
    if os.environ.get("TREEC_REWRITE"):
        file.write_text(text, "utf-8")
    assert text == file.read_text("utf-8"), f"{file.name}: TREEC_REWRITE=1 writes it anew"


def check_line(file: Path, key: str, text: str) -> None:
    """Compare a text with that of one key of a file, of many that tests share."""
    lines = dict(line.split(": ", 1) for line in file.read_text("utf-8").splitlines())
    text = " ".join(text.split())
    if os.environ.get("TREEC_REWRITE") and lines.get(key) != text:
        lines = dict(sorted({**lines, key: text}.items()))
        file.write_text("".join(f"{name}: {one}\n" for name, one in lines.items()), "utf-8")
    assert text == lines.get(key), f"{file.name}: TREEC_REWRITE=1 writes it anew"


def outcome(call: Callable[[], object]) -> str:
    """What a call returns, or the class and the message of what it raises."""
    try:
        return repr(call())
    except Exception as error:
        return f"{type(error).__name__}: {error}"


def check_told(told: Mapping[str, Callable[[], object]]) -> None:
    """Compare what comes of calls with the table's keys: the class and the whole message."""
    assert [outcome(call) for call in told.values()] == list(told)


def outcomes(calls: Iterable[tuple[str, Callable[[], object]]]) -> str:
    """Lines for each call: its title, and what came of it."""
    return "".join(f"{title}\n  {outcome(call)}\n" for title, call in calls)


def written(value: object, digits: int = 4) -> str:
    """A value in few characters: numbers rounded, arrays by their shapes, sums and spreads."""
    if value is None or isinstance(value, bool | str):
        return str(value)
    if hasattr(value, "dtype") and getattr(value, "ndim", 0) > 1:
        return f"{value.shape} {_summary(value, digits)}"  # type: ignore[attr-defined]
    if isinstance(value, Mapping):
        return f"{{{', '.join(f'{key}: {written(one, digits)}' for key, one in value.items())}}}"
    if isinstance(value, Iterable):
        return f"({' '.join(written(one, digits) for one in value)})"
    if is_dataclass(value) and not isinstance(value, type):
        own = {one.name: getattr(value, one.name) for one in fields(value)}
        return f"{type(value).__name__}{written(own, digits)}"
    if isinstance(value, SupportsFloat):
        return f"{round(float(value), digits) + 0.0:g}"
    return str(value)


def _summary(array: Any, digits: int) -> str:
    """Numbers that most changes of an array change: a weighted sum tells an order, too."""
    flat = array.astype(float).ravel()
    finite = [(place % 97 + 1) * one for place, one in enumerate(flat) if one - one == 0.0]
    least, most = (min(finite, default=0.0), max(finite, default=0.0))
    return f"{len(finite)} of {len(flat)}: {written((sum(finite) / 97, least, most), digits)}"
