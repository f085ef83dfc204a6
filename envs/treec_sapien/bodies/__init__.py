"""Physical bodies of objects. A kind of furniture or food is one module with a `build` function.

`spec` defines a body, `make` helps to write one, `scene` reads those of a scene, `judge` finds
impossible placements, `picture` draws. Everything but the pictures is plain Python: `treec check`
loads neither numpy nor SAPIEN.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from treec_sapien.bodies.placement_check import problems

__all__ = ["problems", "show"]


def show(
    objects: Mapping[str, Mapping[str, Any]],
    bodies: Sequence[str],
    agents: Mapping[str, Mapping[str, Any]],
    out: Path,
    **options: Any,
) -> str:
    """Write a picture of a scene: see `treec_sapien.bodies.picture.show`, which needs numpy."""
    from treec_sapien.bodies.picture import show as picture

    return picture.show(objects, bodies, agents, out, **options)
