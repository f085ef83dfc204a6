"""The answer of a sensor that cannot know, such as where a thing is that has no body."""

from __future__ import annotations

from enum import Enum
from typing import Final


class SensorSilence(Enum):
    """Nothing is said of the fact, and what was expected of it stands."""

    UNSENSED = "unsensed"


UNSENSED: Final = SensorSilence.UNSENSED
