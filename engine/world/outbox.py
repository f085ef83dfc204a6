"""The outbox: speech and robot goals leave only when their event stands in the journal.

Each has an id that follows from the state, so that a resumed run goes on counting, repeats nothing
that was said and never gives an id twice: ``said`` ``{id: said-1, text: …}``.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from types import MappingProxyType
from typing import cast

from treec.world.journal import Record, events
from treec.world.state import State, View
from treec.world.world import Reducer, Refused, World

SLOT = "sent"
"""The slot that counts what has left, by kind."""


def fresh_ids(view: View, kind: str) -> Iterator[str]:
    """The next ids for this kind; take as many as a commit has such events, in their order."""
    count = _sent(view).get(kind, 0)
    while True:
        count += 1
        yield f"{kind}-{count}"


def reducers(*kinds: str) -> dict[str, Reducer]:
    """Reducers that count events of these kinds and refuse an id that is not the next one."""
    return dict.fromkeys(kinds, _count)


class Outbox:
    """Hands every event of some kind to whoever delivers it, once, in order.

    A restored world tells nothing, so nothing is delivered again after a resume.
    """

    def __init__(self, world: World) -> None:
        self._deliver: dict[str, list[Callable[[Record], None]]] = {}
        world.subscribe(self._told)

    def connect(self, kind: str, deliver: Callable[[Record], None]) -> None:
        """Give events of this kind to ``deliver``, also those that are part of a commit."""
        self._deliver.setdefault(kind, []).append(deliver)

    def _told(self, record: Record) -> None:
        for event in events(record):
            for deliver in self._deliver.get(event.kind, ()):
                deliver(event)


def _sent(view: View) -> Mapping[str, int]:
    return cast(Mapping[str, int], view.get(SLOT, MappingProxyType({})))


def _count(state: State, record: Record) -> None:
    expected = next(fresh_ids(state, record.kind))
    if record.data.get("id") != expected:
        raise Refused(f"{record.kind}: the next id is {expected!r}, not {record.data.get('id')!r}")
    sent = _sent(state)
    state[SLOT] = MappingProxyType({**sent, record.kind: sent.get(record.kind, 0) + 1})
