"""How soon an order is given again that ended without time passing.

A worker that fails at once (a connection that is refused) would be asked a hundred times at one
instant by any node that repeats: a retry, a loop, a tree with `then: repeat`, a program. An order
of the same skill, agent and arguments waits, therefore, until the world has changed, or some time
has passed: longer each time while it goes on failing at once. All of it follows from records, so
that a resumed run waits as long.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from treec.nodes.events import SkillEnded, SkillStarted
from treec.world.events import Event, StateSet, flat
from treec.world.journal import Record

AT_ONCE, FAILED_AT_ONCE = 0.1, 0.5
"""Seconds of the run below which an order has ended at once: in general, and with a failure."""

PAUSE, LONGEST = 1.0, 60.0
"""Seconds between two such orders: at first, and at most; doubled with each that fails."""

MOST = 10
"""How many such orders may begin in `PAUSE`, however often the world changes."""

MANY = 50
"""How many orders of one agent may end at once in `PAUSE`, whatever they are."""

VAIN = 3
"""After so many in a row that have failed at once there is an alarm."""

Key = tuple[str, str, str]
"""A skill, an agent, and the other arguments."""


def key_of(skill: str, agent: str, args: Mapping[str, Any]) -> Key:
    """The key of an order by its arguments as the journal has them."""
    return skill, agent, json.dumps({k: str(v) for k, v in args.items()}, sort_keys=True)


@dataclass(slots=True)
class _LastOrder:
    began: float
    ended: float | None = None
    changes: int = 0
    """The number of changes of the world when it had ended."""
    failures: int = 0
    """How often in a row it has failed at once."""
    first: float = 0.0
    begun: int = 0
    """How many have begun since ``first``."""


class OrderPace:
    """The last order of each key, from the records of a run."""

    def __init__(self) -> None:
        self.changes = 0
        """How often the world has changed: what is recorded without changing it does not count."""
        self.at_once, self.failed_at_once = AT_ONCE, FAILED_AT_ONCE
        self._orders: dict[Key, _LastOrder] = {}
        self._in_flight: dict[str, Key] = {}
        self._ended_at_once: dict[str, tuple[float, int]] = {}
        """For each agent since when, and how many of its orders have ended at once since then."""
        self._values: dict[str, object] = {}

    def follow(self, record: Record) -> None:
        """Take a record into account."""
        for event in flat(record.event):
            if isinstance(event, SkillStarted):
                self._begin(event, record.t)
            elif isinstance(event, SkillEnded):
                self._end(event, record.t)
            elif self._is_change(event):
                self.changes += 1

    def recall(self, records: Iterable[Record]) -> None:
        """Know again what happened last, in a resumed run."""
        for record in records:
            self.follow(record)

    @staticmethod
    def pause_after(failures: int) -> float:
        """Seconds to wait after so many failures in a row."""
        return float(min(LONGEST, PAUSE * 2.0 ** max(0, min(failures, 10) - 1)))

    def due(self, key: Key, now: float) -> float:
        """When an order may begin; now, or later."""
        since, many = self._ended_at_once.get(key[1], (now, 0))
        if many >= MANY and now < since + PAUSE:
            return since + PAUSE
        last = self._orders.get(key)
        if last is None or last.ended is None:
            return now
        due = last.began + self.pause_after(last.failures)
        if self.changes != last.changes and last.begun < MOST:
            return now
        return max(due, now)

    def failures(self, key: Key) -> int:
        """How often in a row an order has failed at once."""
        last = self._orders.get(key)
        return 0 if last is None else last.failures

    def _begin(self, event: SkillStarted, now: float) -> None:
        key = key_of(event.skill, event.agent, event.args)
        order = self._orders.setdefault(key, _LastOrder(now, first=now))
        if now - order.first >= PAUSE:
            order.first, order.begun = now, 0
        order.began, order.ended = now, None
        order.begun += 1
        self._in_flight[event.id] = key

    def _end(self, event: SkillEnded, now: float) -> None:
        key = self._in_flight.pop(event.id or "", None)
        if key is None or event.asked_again:
            return
        order = self._orders[key]
        order.ended, order.changes = now, self.changes
        at_once = now - order.began < (self.failed_at_once if event.failed else self.at_once)
        order.failures = order.failures + 1 if at_once and event.failed else 0
        if not at_once:
            del self._orders[key]
            return
        since, many = self._ended_at_once.get(event.agent, (now, 0))
        self._ended_at_once[event.agent] = (since, many + 1) if now < since + PAUSE else (now, 1)

    def _is_change(self, event: Event) -> bool:
        """Whether an event changes the world; to set the same value of state again does not."""
        if not isinstance(event, StateSet):
            return type(event).change is not Event.change
        known = event.name in self._values and self._values[event.name] == event.value
        self._values[event.name] = event.value
        return not known
