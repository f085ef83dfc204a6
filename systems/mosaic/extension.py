"""What MOSAIC adds to treec."""

from __future__ import annotations

from treec.extensions import Extension

EXTENSION = Extension(
    name="mosaic",
    commands={"evaluate planner": "treec.systems.mosaic.evaluate.command:command"},
)
