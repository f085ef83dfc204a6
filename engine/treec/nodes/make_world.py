"""Makes the initial world from a view's files."""

from __future__ import annotations

from collections.abc import Mapping

from treec.files.places import FactSpec
from treec.files.view import View
from treec.frozen import frozen
from treec.team.state import empty_slots
from treec.world.clock import RealClock, VirtualClock
from treec.world.events import Event
from treec.world.facts import FactKind
from treec.world.journal import Journal
from treec.world.world import World


@frozen(slots=False)
class WorldStart:
    """Where a world starts that is not new: state, slots, and the events that set its facts."""

    state: Mapping[str, object]
    slots: Mapping[str, object]
    facts: tuple[Event, ...]


def fact_kinds(facts: Mapping[str, FactSpec]) -> list[FactKind]:
    """The domain's facts in the form of the world."""
    return [FactKind(name, tuple(spec.args), spec.value) for name, spec in facts.items()]


def make_world(
    view: View,
    clock: VirtualClock | RealClock,
    journal: Journal,
    start: WorldStart | None = None,
) -> World:
    """A world with the domain's state and the team's, before its first event."""
    state = {name: spec.default for name, spec in view.state.items()}
    slots = empty_slots()
    if start is not None:
        state, slots = {**state, **start.state}, start.slots
    return World(clock, journal, facts=fact_kinds(view.facts), state=state, slots=slots)
