"""What processes of one team tell each other: that they are there, whom they have, facts.

Each publishes all facts that it was the last to change, a few times a second, so that one that was
cut off, or is started later, knows as much as the others.
"""

from __future__ import annotations

import json
import time
import uuid
from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import pairwise
from typing import Any

from treec import Effect
from treec_ros.facts import sensed
from treec_ros.node import RosNode, steady_timer

TOPIC = "/treec/link"

BEAT = 0.2
"""Seconds between two messages."""

SILENCE = 2.0
"""Seconds without a message after which a process is cut off."""

Key = tuple[str, tuple[str, ...]]
Facts = Sequence[Sequence[Any]]
"""Facts in JSON: name, arguments, value or null."""


class TeamLink:
    """One process among those of a team. ``on_facts`` gets what others have changed.

    Made and called in the executor's thread, but for what is only read.
    """

    def __init__(
        self,
        ros: RosNode,
        agents: Iterable[str] = (),
        on_facts: Callable[[str, tuple[Effect, ...]], None] = lambda by, effects: None,
    ) -> None:
        from std_msgs.msg import String

        self.name: str = ros.node.get_name()
        self._agents = sorted(agents)
        self._on_facts = on_facts
        self._own: dict[Key, object] = {}
        self._told: dict[str, Facts] = {}
        self._agents_of: dict[str, Sequence[str]] = {}
        self._heard: dict[str, float] = {}
        self._id = uuid.uuid4().hex[:8]
        self._lives: dict[str, dict[str, tuple[float, float]]] = {}
        """By name the processes that were heard lately: when first, and when last."""
        self._text = String
        self._publisher = ros.node.create_publisher(String, TOPIC, 10)
        ros.node.create_subscription(String, TOPIC, self._take, 50)
        steady_timer(ros.node, BEAT, self.beat)

    @property
    def facts(self) -> Facts:
        """What this process was the last to change."""
        return [[fact, list(args), value] for (fact, args), value in self._own.items()]

    def set(self, effects: Iterable[Effect]) -> None:
        """Tell others of facts that have changed here."""
        for effect in effects:
            known = effect.source != "unknown"
            self._own[effect.fact, effect.args] = effect.value if known else None
        self.beat()

    def beat(self) -> None:
        """Tell others what there is to tell."""
        message = {"from": self.name, "id": self._id, "agents": self._agents, "facts": self.facts}
        self._publisher.publish(self._text(data=json.dumps(message)))

    def hear(self, process: str) -> None:
        """Note that something has come from a process."""
        self._heard[process] = time.monotonic()

    def is_silent(self, process: str, seconds: float = SILENCE) -> bool:
        """Whether nothing was heard of a process for so long."""
        return time.monotonic() - self._heard.get(process, 0.0) > seconds

    def has_namesake(self, process: str) -> bool:
        """Whether two processes of a name are there; one that was started anew is one."""
        lives = sorted(self._lives.get(process, {}).values())
        return any(last > first for (_, last), (first, _) in pairwise(lives))

    def process_of(self, agent: str) -> str | None:
        """The process that has an agent; None if none has told so yet."""
        found = [name for name, agents in self._agents_of.items() if agent in agents]
        return min(found, key=self.is_silent, default=None)

    def take_facts(self, process: str, facts: Facts) -> None:
        """Take what a process was the last to change."""
        before = self._told.get(process, ())
        self._told[process] = facts
        changed = tuple(sensed(*fact) for fact in facts if fact not in before)
        for effect in changed:
            self._own.pop((effect.fact, effect.args), None)
        if changed:
            self._on_facts(process, changed)

    def _take(self, text: Any) -> None:
        message: Mapping[str, Any] = json.loads(text.data)
        process = message["from"]
        if process != self.name:
            self.hear(process)
            self._note_life(process, str(message.get("id")))
            self._agents_of[process] = message["agents"]
            self.take_facts(process, message["facts"])

    def _note_life(self, process: str, id: str) -> None:
        now = time.monotonic()
        lives = self._lives.get(process, {})
        recent = {one: life for one, life in lives.items() if now <= life[1] + SILENCE}
        self._lives[process] = {**recent, id: (lives.get(id, (now, now))[0], now)}
