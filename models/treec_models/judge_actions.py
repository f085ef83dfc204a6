"""What contracts see of an answer of a judge: the action `judged`."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from treec.team.team import Team
    from treec.world.events import Event


def judged(
    team: Team, judge: str, fact: str, things: list[str], value: object, by: str
) -> Iterable[Event]:
    """Set a fact or state to what was judged. A judge does it; contracts can forbid it."""
    return [set_event(team, fact, things, value)]


def set_event(team: Team, name: str, things: Sequence[str], value: object) -> Event:
    """The event that sets a fact or state."""
    from treec.world.events import FactSet, StateSet

    if name in team.knowledge.view.facts:
        return FactSet(name, tuple(things), value, "judged")
    return StateSet(name, value)
