"""What the skeletons of `treec new` are made of; :mod:`treec_editor.new_files` writes them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field


class NoSkeleton(Exception):
    """The library lacks something that a skeleton of this kind must name."""


@dataclass(frozen=True)
class Skeleton:
    """A new file: its path, and its text."""

    path: str
    text: str
    note: str = ""
    """What to do besides filling it in."""
    beside: Mapping[str, str] = field(default_factory=dict)
    """Further new files, by path: the test of Python code."""
    settings: str | None = None
    """The new text of `treec.toml`, where that has to change."""
