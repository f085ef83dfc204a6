"""The answer of a sensor that cannot know, e.g. the location of a thing without a body."""

from __future__ import annotations

from enum import Enum
from typing import Final


class SensorSilence(Enum):
    """The fact is not sensed; its expected value stands."""

    UNSENSED = "unsensed"


UNSENSED: Final = SensorSilence.UNSENSED
