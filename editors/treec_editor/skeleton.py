"""A new file, as `treec new` writes it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field


@dataclass(frozen=True)
class Skeleton:
    """A new file: its path, and its text."""

    path: str
    text: str
    note: str
    """What to do besides filling it in."""
    beside: Mapping[str, str] = field(default_factory=dict)
    """Further new files, by path: the test of Python code."""
    settings: str | None = None
    """The new text of `treec.toml`, where that has to change."""
    changed: Mapping[str, str] = field(default_factory=dict)
    """The new texts of files that have to change, by path: the system that uses the new file."""
