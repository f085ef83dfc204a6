"""What the nodes of one run share: the world, the clock, the team, whom to ask, what skills act on.

Leaves hold a :class:`Runtime` and never reach past it. Everything that takes time comes back
through the inbox to a handler that a leaf registered here.
"""

from __future__ import annotations

import importlib
import random
from collections import deque
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, cast

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
from engine.world.journal import Record
from engine.world.world import Refused, World


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
    _sensed: dict[str, deque[tuple[Effect, ...]]] = field(default_factory=dict)
    _touched: dict[str, tuple[frozenset[tuple[str, ...]], frozenset[tuple[str, ...]]]] = field(
        default_factory=dict
    )
    _count: int = 0
    _changes: int = 0
    _failures: dict[str, tuple[str, int]] = field(default_factory=dict)
    _lost: str | None = None

    def __post_init__(self) -> None:
        self.world.subscribe(self._count_change)

    def _count_change(self, record: Record) -> None:
        self._changes += record.kind != "node.failed"

    def node_failed(self, path: str, reason: str, module: str) -> None:
        """Note a failure and the module that failed; again only once something else happened.

        A node that fails at every tick would otherwise change the world at every tick, and the
        loop would never rest.
        """
        failure = (reason, self._changes)
        if self._failures.get(path) != failure:
            self._failures[path] = failure
            told = {"node": path, "reason": reason, "module": module}
            self.world.emit("node.failed", told, path)

    def model_lost(self, reason: str, module: str) -> None:
        """No answer came: say so, once, until one comes or another module gives the reason."""
        if self._lost != module:
            self._lost = module
            self.world.emit("model.lost", {"reason": reason, "module": module}, "model")

    def model_back(self) -> None:
        """An answer came; worth saying only after none had come."""
        if self._lost is not None:
            self._lost = None
            self.world.emit("model.back", {}, "model")

    # Skills and their workers

    def worker(self, skill: str, agent: str) -> Worker:
        """A new worker for a skill in the agent's environment. Raises NodeError."""
        environment = self.runs_on.get(agent) or self.runs_on.get("default", "symbolic")
        model = self.team.knowledge.skill(skill)
        target = model.runs.get(environment) if model else None
        if model is None or target is None:
            known = ", ".join(model.runs if model else ()) or "nothing"
            raise NodeError(f"the skill '{skill}' runs on {known}, not on '{environment}'")
        try:
            worker = cast(Worker, load(target)())
        except Exception as error:  # a worker is anybody's code
            raise NodeError(f"the worker {target} of the skill '{skill}': {error}") from error
        return worker

    def at_work_on(
        self, facts: Collection[tuple[str, ...]], changes: Collection[tuple[str, ...]] | None = None
    ) -> bool:
        """Whether an order in flight sets one of these facts (name, arguments).

        With ``changes``, the facts among them that become otherwise than they are, two orders may
        set the same fact to what it is already.
        """
        changed = facts if changes is None else changes
        return any(
            not changing.isdisjoint(facts) or not touched.isdisjoint(changed)
            for touched, changing in self._touched.values()
        )

    def new_order(
        self,
        done: Callable[[Outcome], None],
        touches: Collection[tuple[str, ...]] = (),
        changes: Collection[tuple[str, ...]] | None = None,
    ) -> str:
        """An id for a skill's order; ``done`` hears how it ended.

        ``touches`` are the facts that it sets, ``changes`` those that become otherwise.
        """
        self._count += 1
        id = f"s{self._count}"
        self._orders[id] = done
        self._sensed[id] = deque()
        self._touched[id] = frozenset(touches), frozenset(touches if changes is None else changes)
        return id

    def count(self, orders: int) -> None:
        """Go on counting orders behind those of the run that is taken up."""
        self._count = orders

    def forget(self, order_id: str) -> None:
        """Hear no more of an order; what its worker said until now is taken in."""
        self._orders.pop(order_id, None)
        self._touched.pop(order_id, None)
        for effects in self._sensed.pop(order_id, ()):
            self.apply(effects, order_id)

    def sense(self, order_id: str, effects: tuple[Effect, ...]) -> None:
        """A worker's word on facts: applied by the loop, before what it says later."""
        said = self._sensed.get(order_id)
        if said is not None:
            said.append(effects)
            self.inbox.post("skill", ("sense", order_id, None))

    def finish(self, order_id: str, outcome: Outcome) -> None:
        """A worker's word on how an order ended."""
        self.inbox.post("skill", ("finish", order_id, outcome))

    def on_skill(self, message: Message) -> None:
        """The loop's handler of what workers said."""
        what, order_id, payload = cast(tuple[str, str, Any], message.payload)
        if order_id not in self._orders:
            return  # it was cancelled; its outcome is in the journal already
        if what == "sense":
            if self._sensed[order_id]:
                self.apply(self._sensed[order_id].popleft(), order_id)
            return
        done = self._orders[order_id]
        self.forget(order_id)
        wrong = self.apply(payload.effects, order_id)
        done(payload if wrong is None else Outcome(False, wrong, payload.module))

    def apply(self, effects: Sequence[Effect], by: str) -> str | None:
        """Make effects facts, as one record; when they cannot be, note it and return why."""
        events: list[tuple[str, Mapping[str, object]]] = []
        for effect in effects:
            fact = {"fact": effect.fact, "args": list(effect.args)}
            if effect.source == "unknown" or effect.value is None:
                events.append(("fact.unknown", fact))
            else:
                told = {**fact, "value": effect.value, "source": effect.source}
                events.append(("fact.set", told))
        try:
            if events:
                self.world.commit(by, {"for": "facts"}, events)
        except Refused as error:  # a worker is anybody's code
            self.node_failed(by, error.reason, __name__)
            return error.reason
        return None


def load(target: str) -> Callable[..., object]:
    """The Python object behind ``package.module:Name``."""
    module, _, name = target.partition(":")
    found: Callable[..., object] = getattr(importlib.import_module(module), name)
    return found


def located(path: str, error: LocatedError, line: int | None = None) -> str:
    """An error's text with the node it happened in."""
    where = f"{path}, line {line}" if line else path
    return f"{where}: {error.message}"
