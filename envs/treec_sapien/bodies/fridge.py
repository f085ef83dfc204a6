"""A refrigerated shelf without a door, as in shops: its contents are visible and reachable.

For kitchens whose domain has no doors; `refrigerator` has one.
"""

from __future__ import annotations

from collections.abc import Sequence

from treec_sapien.bodies import shelf
from treec_sapien.bodies.spec import Body


def build(
    *,
    size: Sequence[float] = (0.7, 0.45, 1.4),
    boards: Sequence[float] = (0.35, 0.65, 0.95),
) -> Body:
    """Build the shelf with boards whose upper faces are at the heights ``boards`` (m)."""
    return shelf.build(
        size=size, boards=boards, back=True, roof=True, material="white", kind="fridge"
    )
