"""What environments are given, checked before anything moves: actions, and how to be drawn."""

from __future__ import annotations

from typing import Any

import numpy as np


def discrete_action(action: Any, count: int) -> int:
    """Return an action as a number from 0 to before ``count``. Raises ValueError."""
    given = np.asarray(action)
    if given.size != 1 or given.dtype.kind not in "iu" or not 0 <= given.item() < count:
        raise ValueError(f"an action is a whole number from 0 to {count - 1}, not {action!r}")
    return int(given.item())


def continuous_action(action: Any, count: int) -> Any:
    """Return an action as an array of ``count`` finite numbers. Raises ValueError."""
    given = np.asarray(action)
    if given.shape != (count,) or given.dtype.kind not in "iuf" or not np.isfinite(given).all():
        raise ValueError(f"an action is {count} finite numbers, not {action!r}")
    return given


def no_pictures(render_mode: str | None) -> None:
    """Refuse every mode of rendering. Raises ValueError."""
    if render_mode is not None:
        raise ValueError(f"there are no pictures here: render_mode is None, not '{render_mode}'")
