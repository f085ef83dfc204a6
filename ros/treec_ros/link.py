"""What processes of one team tell each other: that they are there, whom they have, facts.

Each publishes all facts that it was the last to change, a few times a second, so that one that was
cut off, or is started later, knows as much as the others.
"""

from __future__ import annotations

import json
import time
import uuid
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
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

FORGOTTEN = 3600.0
"""Seconds after which nothing is known any more of a process that is silent."""

Key = tuple[str, tuple[str, ...]]
Facts = Sequence[Sequence[Any]]
"""Facts in JSON: name, arguments, value or null."""


@dataclass
class Peer:
    """Another process of the team: two may have one name, and one started anew is another one."""

    id: str
    name: str
    first: float = field(default_factory=time.monotonic)
    """When it was heard first, and when last."""
    last: float = field(default_factory=time.monotonic)
    agents: Sequence[str] = ()
    facts: Facts = ()

    def is_silent(self, seconds: float = SILENCE) -> bool:
        """Whether nothing was heard of it for so long."""
        return time.monotonic() - self.last > seconds


class TeamLink:
    """One process among those of a team. ``on_facts`` gets what others have changed, and its name.

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
        self.id = uuid.uuid4().hex
        self._peers: dict[str, Peer] = {}
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
        message = {"from": self.name, "id": self.id, "agents": self._agents, "facts": self.facts}
        self._publisher.publish(self._text(data=json.dumps(message)))

    def hear(self, id: str, name: str) -> Peer:
        """Note that something has come from a process."""
        if id not in self._peers:
            known = self._peers.items()
            self._peers = {other: it for other, it in known if not it.is_silent(FORGOTTEN)}
            self._peers[id] = Peer(id, name)
        peer = self._peers[id]
        peer.last = time.monotonic()
        return peer

    def is_silent(self, id: str, seconds: float = SILENCE) -> bool:
        """Whether nothing was heard of a process for so long."""
        return id not in self._peers or self._peers[id].is_silent(seconds)

    def has_namesake(self, name: str) -> bool:
        """Whether two processes of a name are there; one that was started anew is one."""
        peers = (peer for peer in self._peers.values() if peer.name == name)
        lives = sorted((peer.first, peer.last) for peer in peers if not peer.is_silent())
        return any(last > first for (_, last), (first, _) in pairwise(lives))

    def process_of(self, agent: str) -> Peer | None:
        """The process that has an agent, the last one heard; None if none has told so yet."""
        peers = (peer for peer in self._peers.values() if agent in peer.agents)
        return max(peers, key=lambda peer: peer.last, default=None)

    def take_facts(self, peer: Peer, facts: Facts) -> None:
        """Take what a process was the last to change."""
        before, peer.facts = peer.facts, facts
        changed = tuple(sensed(*fact) for fact in facts if fact not in before)
        for effect in changed:
            self._own.pop((effect.fact, effect.args), None)
        if changed:
            self._on_facts(peer.name, changed)

    def _take(self, text: Any) -> None:
        message: Mapping[str, Any] = json.loads(text.data)
        if message["id"] != self.id:
            peer = self.hear(message["id"], message["from"])
            peer.agents = message["agents"]
            self.take_facts(peer, message["facts"])
