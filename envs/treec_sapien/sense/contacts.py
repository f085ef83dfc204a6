"""Contacts at one control step."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from treec_sapien.environment import SapienKitchen

Piece = tuple[str, str]
"""A link of a body or a robot: (body, link)."""

GROUND: Piece = ("ground", "ground")

LEAST = 1e-6
"""Impulse (N s) in one physics step below which a contact is ignored."""


class Contacts:
    """The pairs of pieces in contact at the control step ``tick``."""

    def __init__(self, tick: int, pairs: Iterable[tuple[Piece, Piece, float]]) -> None:
        self.tick = tick
        self.pairs = tuple(pairs)
        self._of: dict[Piece, dict[Piece, float]] = defaultdict(dict)
        for one, other, impulse in self.pairs:
            self._of[one][other] = self._of[one].get(other, 0.0) + impulse
            self._of[other][one] = self._of[other].get(one, 0.0) + impulse

    def of(self, name: str, link: str | None = None) -> dict[Piece, float]:
        """Return what touches a body or a robot, or one of its links: piece → impulse (N s)."""
        impulses: dict[Piece, float] = {}
        for piece, others in self._of.items():
            if piece[0] == name and link in (None, piece[1]):
                for other, impulse in others.items():
                    if other[0] != name:
                        impulses[other] = impulses.get(other, 0.0) + impulse
        return impulses

    def touch(self, one: str, other: str) -> bool:
        """Whether two things touch."""
        return any(piece[0] == other for piece in self.of(one))


def contacts_now(kitchen: SapienKitchen) -> Contacts:
    """Return the contacts of the last physics step; none before the first."""
    names = kitchen.pieces
    pairs = []
    for contact in kitchen.scene.get_contacts():
        impulse = float(sum(np.linalg.norm(point.impulse) for point in contact.points))
        if impulse >= LEAST:
            one, other = (names.get(body.entity, GROUND) for body in contact.bodies)
            pairs.append((one, other, impulse))
    return Contacts(kitchen.ticks, pairs)
