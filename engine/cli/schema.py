"""``treec schema``."""

from __future__ import annotations


def command() -> int:
    """To come."""
    return 2
