"""The state of a world after the records of a journal."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path
from types import MappingProxyType

from treec.world.clock import VirtualClock
from treec.world.facts import FactKind
from treec.world.journal import Journal, Record, read_journal
from treec.world.state import StateView
from treec.world.world import World


def replay(
    source: Path | Iterable[Record],
    *,
    facts: Iterable[FactKind] = (),
    state: Mapping[str, object] = MappingProxyType({}),
    slots: Mapping[str, object] = MappingProxyType({}),
) -> StateView:
    """The state after all records of a journal, equal to that of the run that wrote it."""
    records = read_journal(source) if isinstance(source, Path) else source
    unused = (VirtualClock(), Journal.in_memory())
    world = World(*unused, facts=facts, state=state, slots=slots)
    world.restore(records)
    return world.state
