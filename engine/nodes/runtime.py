"""What the nodes of one run share: the world, the clock, the team, whom to ask, what skills act on.

Leaves hold a :class:`Runtime` and never reach past it. Everything that takes time comes back
through the inbox to a handler that a leaf registered here.
"""

from __future__ import annotations

import importlib
import random
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

from engine.ask.driver import Asker
from engine.files.view import View
from engine.nodes.base import Wake, no_wake
from engine.nodes.faults import FaultPlan
from engine.nodes.worker import Effect, Outcome, Worker
from engine.source.errors import LocatedError
from engine.team.contracts import Contract
from engine.team.names import WorldScope
from engine.team.team import Team
from engine.world.clock import Clock
from engine.world.inbox import Inbox, Message
from engine.world.world import World


class NodeError(Exception):
    """Something a node cannot do; its text says where in the files and why."""


@dataclass
class Runtime:
    """One run's surroundings."""

    world: World
    clock: Clock
    inbox: Inbox
    team: Team
    scope: WorldScope
    view: View
    contracts: Sequence[Contract] = ()
    asker: Asker | None = None
    faults: FaultPlan = field(default_factory=lambda: FaultPlan((), 0))
    rng: random.Random = field(default_factory=lambda: random.Random(0))
    wake: Wake = no_wake
    runs_on: Mapping[str, str] = field(default_factory=lambda: {"default": "symbolic"})
    _orders: dict[str, Callable[[Outcome], None]] = field(default_factory=dict)
    _count: int = 0

    # Skills and their workers

    def worker(self, skill: str, agent: str) -> Worker:
        """A new worker for a skill in the agent's environment. Raises NodeError."""
        environment = self.runs_on.get(agent) or self.runs_on.get("default", "symbolic")
        model = self.team.knowledge.skills[skill]
        target = model.runs.get(environment)
        if target is None:
            known = ", ".join(model.runs) or "nothing"
            raise NodeError(f"the skill '{skill}' runs on {known}, not on '{environment}'")
        try:
            worker: Worker = load(target)()
        except (ImportError, AttributeError, TypeError) as error:
            raise NodeError(f"the worker {target} of the skill '{skill}': {error}") from error
        return worker

    def new_order(self, done: Callable[[Outcome], None]) -> str:
        """An id for a skill's order; ``done`` hears how it ended."""
        self._count += 1
        id = f"s{self._count}"
        self._orders[id] = done
        return id

    def forget(self, order_id: str) -> None:
        """Hear no more of an order."""
        self._orders.pop(order_id, None)

    def sense(self, order_id: str, effects: tuple[Effect, ...]) -> None:
        """A worker's word on facts: applied by the loop, before what it says later."""
        self.inbox.post("skill", ("sense", order_id, effects))

    def finish(self, order_id: str, outcome: Outcome) -> None:
        """A worker's word on how an order ended."""
        self.inbox.post("skill", ("finish", order_id, outcome))

    def on_skill(self, message: Message) -> None:
        """The loop's handler of what workers said."""
        what, order_id, payload = message.payload  # type: ignore[misc]
        if order_id not in self._orders:
            return  # it was cancelled; its outcome is in the journal already
        if what == "sense":
            self.apply(payload, order_id)
            return
        self.apply(payload.effects, order_id)
        self._orders.pop(order_id)(payload)

    def apply(self, effects: Sequence[Effect], by: str) -> None:
        """Make effects facts, as one record."""
        events: list[tuple[str, Mapping[str, object]]] = []
        for effect in effects:
            fact = {"fact": effect.fact, "args": list(effect.args)}
            if effect.source == "unknown" or effect.value is None:
                events.append(("fact.unknown", fact))
            else:
                told = {**fact, "value": effect.value, "source": effect.source}
                events.append(("fact.set", told))
        if events:
            self.world.commit(by, {"for": "facts"}, events)


def load(target: str) -> Callable[..., object]:
    """The Python object behind ``package.module:Name``."""
    module, _, name = target.partition(":")
    found: Callable[..., object] = getattr(importlib.import_module(module), name)
    return found


def located(path: str, error: LocatedError, line: int | None = None) -> str:
    """An error's text with the node it happened in."""
    where = f"{path}, line {line}" if line else path
    return f"{where}: {error.message}"
