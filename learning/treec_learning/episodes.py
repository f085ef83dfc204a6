"""What came of an episode in an environment that is not treec's."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

EPISODE = "episode"
"""The name of the only start that these environments have."""


@dataclass(frozen=True)
class EpisodeResult:
    """What came of an episode; ``success`` is None where nothing says what one is."""

    success: bool | None
    value: float
    """The sum of its rewards."""
    steps: int


def succeeded(info: Mapping[str, Any], value: float, least: float | None) -> bool | None:
    """Return whether an episode is a success, by its last info, else by its return ``value``.

    None where neither the info nor ``least``, the return that is asked for, says what one is.
    """
    if "is_success" in info:
        return bool(info["is_success"])
    return None if least is None else value >= least
