"""The seven joints whose motion is forecast (MOSAIC, section 2.2), and how they mirror."""

from __future__ import annotations

JOINTS = (
    "neck",
    "left_shoulder",
    "right_shoulder",
    "left_elbow",
    "right_elbow",
    "left_wrist",
    "right_wrist",
)
WRISTS = (5, 6)
"""Which of them are wrists."""

MIRRORED = (0, 2, 1, 4, 3, 6, 5)
"""Each joint's counterpart on the other side."""

RATE = 25.0
"""Frames a second."""

PAST, FUTURE = 10, 25
"""Frames that are seen, and frames that are forecast: 0.4 s and 1 s."""

WINDOW = PAST + FUTURE
