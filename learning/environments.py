"""Importing this registers treec's environments with gymnasium.

``gymnasium.make("treec.learning.environments:treec/StretchPantry-v0")`` does both.
"""

from __future__ import annotations

import gymnasium

STRETCH_PANTRY = "treec/StretchPantry-v0"
"""The name of :class:`treec.learning.pantry.environment.StretchPantry`."""

if STRETCH_PANTRY not in gymnasium.registry:
    gymnasium.register(
        id=STRETCH_PANTRY, entry_point="treec.learning.pantry.environment:StretchPantry"
    )
