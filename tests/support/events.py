"""Events as tests make them: from the data that a journal has, and one that changes nothing."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from treec.world.events import Event, UnknownEvent, decode, event
from treec.world.values import freeze


@event("note")
@dataclass(frozen=True, slots=True)
class Note(Event):
    """A line of text."""

    text: str = ""


@event("anything")
@dataclass(frozen=True, slots=True)
class Anything(Event):
    """Any plain data."""

    data: object = None


def happening(kind: str, **data: object) -> Event:
    """An event of a kind, from its data as a journal has them."""
    frozen = freeze(data)
    assert isinstance(frozen, Mapping)
    found = decode(kind, frozen)
    assert not isinstance(found, UnknownEvent), found.problem
    return found
