"""What happens to a run, as tuples; see :class:`treec_prove.explored.Explored`."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from typing import Any

Happening = tuple[Any, ...]
"""What happens next: its word, and what it is about."""

PAIR = 2
"""Things that happen at once, at most, but for timers."""

VOLUNTARY = ("says", "fault")
"""What nobody has to let happen."""


def parts_of(happening: Happening) -> Iterator[Happening]:
    """What happens at a moment, one by one."""
    match happening:
        case ("both", one, other):
            yield from parts_of(one)
            yield from parts_of(other)
        case ("before", _, one) | ("read", _, one):
            yield from parts_of(one)
        case _:
            yield happening


def is_voluntary(happening: Happening) -> bool:
    """Whether it need not happen: it has words or events in it."""
    return any(one[0] in VOLUNTARY for one in parts_of(happening))


def never_has_to(possible: Collection[Happening], late: Collection[str]) -> set[Happening]:
    """What need never happen, of what can happen in a state.

    People and scenarios' events; a failure of a skill that may as well go on, a limit that makes it
    ``late`` (whose), the silence of a model that may as well answer.
    """
    answered = {one[1] for one in possible if one[0] in ("answer", "arrives")}
    found = set()
    for one in possible:
        match one:
            case ("fail", order):
                never = ("end", order) in possible
            case ("late", about):
                never = about in late
            case ("silent", number):
                never = number in answered
            case _:
                never = one[0] in VOLUNTARY
        if never:
            found.add(one)
    return found
