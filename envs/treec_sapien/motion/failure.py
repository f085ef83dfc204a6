"""Failure of a motion, with a name that a tree and a person can act on."""

from __future__ import annotations

NAMES = ("slipped", "dropped", "blocked", "not reached", "knocked over", "spilled")


class MotionFailure(Exception):
    """A motion failed; ``name`` is one of `NAMES` or as short, ``why`` gives the details.

    ``person`` is who was in the way, if it was a person.
    """

    def __init__(self, name: str, why: str = "", *, person: str = "") -> None:
        super().__init__(f"{name}: {why}" if why else name)
        self.name = name
        self.why = why
        self.person = person
