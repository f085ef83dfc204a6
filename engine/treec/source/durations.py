"""Parses durations: ``20s``, ``3m``, ``1h``, ``500ms``, or a number of seconds."""

from __future__ import annotations

import math
import re

_SECONDS = {"ms": 0.001, "s": 1.0, "m": 60.0, "h": 3600.0, None: 1.0}
_DURATION = re.compile(r"([0-9]{1,15}(?:\.[0-9]{1,15})?|\.[0-9]{1,15}) *(ms|s|m|h)?")


def parse_duration(value: str | int | float) -> float:
    """Return a duration in seconds. Raises ValueError if it is not one."""
    if isinstance(value, str):
        match = _DURATION.fullmatch(value.strip())
        if match is None:
            raise ValueError(_wrong(value))
        seconds = float(match[1]) * _SECONDS[match[2]]
        return round(seconds, 9)  # 100ms is exactly 0.1
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise ValueError(_wrong(value))
    try:
        seconds = float(value)
    except OverflowError:
        seconds = math.inf
    if not math.isfinite(seconds) or seconds < 0:
        raise ValueError(_wrong(value))
    return seconds


def _wrong(value: object) -> str:
    shown = str(value) if not isinstance(value, int) or abs(value) < 10**20 else "this number"
    shown = shown if len(shown) <= 40 else shown[:39] + "…"
    return f"'{shown}' is not a duration: write a number with ms, s, m or h, such as 20s"
