"""Facts and typed state, events, the journal, the clock, the inbox and the outbox."""

from treec.world.clock import Clock, RealClock, Timer, VirtualClock
from treec.world.facts import FactError, FactKind, Facts, FactStore, FactValue
from treec.world.inbox import Inbox, Message
from treec.world.journal import Journal, JournalError, Record, events, read_journal
from treec.world.outbox import Outbox
from treec.world.state import State, View
from treec.world.values import Value, freeze, thaw
from treec.world.world import Reducer, Refused, World, WorldError, replay

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
