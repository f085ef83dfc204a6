"""What was said, as entities; made anew only when something is said, read or answered.

A conversation grows for as long as a run goes on, and is looked at in every tick: what did not
change is taken over from the one before.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping

from engine.team.entities import Utterance
from engine.team.state import UtteranceState


class Conversation:
    """All utterances of one version of the world, and those that wait."""

    def __init__(
        self,
        stored: Mapping[str, UtteranceState],
        people: Collection[str],
        earlier: Conversation | None = None,
    ) -> None:
        self.stored = stored
        old, made = (earlier.stored, earlier.utterances) if earlier is not None else ({}, {})
        self.utterances: dict[str, Utterance] = {
            id: made[id]
            if old.get(id) is u
            else Utterance(id, u.who, u.text, u.t, u.read, u.answered)
            for id, u in stored.items()
        }
        self.chat = tuple(self.utterances.values())
        self.waiting = tuple(u for u in self.chat if not (u.read and u.answered))
        self.unread = tuple(u for u in self.waiting if not u.read)
        self.last_heard = next((u.id for u in reversed(self.chat) if u.who in people), "")

    def at(self, stored: Mapping[str, UtteranceState], people: Collection[str]) -> Conversation:
        """The conversation with these utterances: this one, if they are the same."""
        return self if stored is self.stored else Conversation(stored, people, self)
