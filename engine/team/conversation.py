"""The conversation as entities, rebuilt only when something is said, read or answered.

It grows throughout a run and is read in every tick, so unchanged utterances are reused.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from itertools import islice

from treec.team.entities import Utterance
from treec.team.state import UtteranceState


class Conversation:
    """All utterances of one version of the world; ``waiting`` are unread or unanswered."""

    waiting: tuple[Utterance, ...]

    def __init__(
        self,
        stored: Mapping[str, UtteranceState],
        people: Collection[str],
        earlier: Conversation | None = None,
    ) -> None:
        self.stored = stored
        self.utterances: dict[str, Utterance]
        if earlier is None or len(earlier.stored) > len(stored):
            self.utterances, changed = {}, list(stored)
        else:  # answered utterances do not change, and new ones are at the end
            self.utterances = dict(earlier.utterances)
            changed = [u.id for u in earlier.waiting]
            changed += islice(stored, len(earlier.stored), None)
        for id in changed:
            u = stored[id]
            self.utterances[id] = Utterance(id, u.who, u.text, u.t, u.read, u.answered)
        self.chat = tuple(self.utterances.values())
        fresh = (self.utterances[id] for id in changed)
        self.waiting = tuple(u for u in fresh if not (u.read and u.answered))
        self.unread = tuple(u for u in self.waiting if not u.read)
        self.last_heard = next((u.id for u in reversed(self.chat) if u.who in people), "")

    def at(self, stored: Mapping[str, UtteranceState], people: Collection[str]) -> Conversation:
        """The conversation with these utterances; itself if they are the same."""
        return self if stored is self.stored else Conversation(stored, people, self)
