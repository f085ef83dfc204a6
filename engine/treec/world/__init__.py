"""Facts and typed state, events, the journal, the clock and the inbox."""

from treec.world.clock import Clock, RealClock, Timer, VirtualClock
from treec.world.events import Commit, Event, EventRefused, UnknownEvent, event
from treec.world.facts import FactError, FactKind, Facts, FactStore, FactValue
from treec.world.inbox import Inbox, InboxMessage
from treec.world.journal import Journal, JournalError, Record, events, read_journal
from treec.world.state import State, StateView
from treec.world.values import Value, freeze, thaw
from treec.world.world import World, WorldError, replay

__all__ = [
    "Clock",
    "Commit",
    "Event",
    "EventRefused",
    "FactError",
    "FactKind",
    "FactStore",
    "FactValue",
    "Facts",
    "Inbox",
    "InboxMessage",
    "Journal",
    "JournalError",
    "RealClock",
    "Record",
    "State",
    "StateView",
    "Timer",
    "UnknownEvent",
    "Value",
    "VirtualClock",
    "World",
    "WorldError",
    "event",
    "events",
    "freeze",
    "read_journal",
    "replay",
    "thaw",
]
