"""Facts and typed state, events, the journal, the clock, the inbox and the outbox."""

from engine.world.clock import Clock, RealClock, Timer, VirtualClock
from engine.world.facts import FactError, FactKind, Facts, FactStore, FactValue
from engine.world.inbox import Inbox, Message
from engine.world.journal import Journal, JournalError, Record, events, read_journal
from engine.world.outbox import Outbox
from engine.world.state import State, View
from engine.world.values import Value, freeze, thaw
from engine.world.world import Reducer, Refused, World, WorldError, replay

__all__ = [
    "Clock",
    "FactError",
    "FactKind",
    "FactStore",
    "FactValue",
    "Facts",
    "Inbox",
    "Journal",
    "JournalError",
    "Message",
    "Outbox",
    "RealClock",
    "Record",
    "Reducer",
    "Refused",
    "State",
    "Timer",
    "Value",
    "View",
    "VirtualClock",
    "World",
    "WorldError",
    "events",
    "freeze",
    "read_journal",
    "replay",
    "thaw",
]
