"""The conversation as entities, rebuilt only when something is said, read or answered.

It grows throughout a run and is read in every tick, so unchanged utterances are reused.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence

from treec.team.entities import Utterance
from treec.team.state import UtteranceState
from treec.world.persistent import PersistentMap, changed_keys


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
        self.utterances: PersistentMap[str, Utterance]
        changed = None if earlier is None else changed_keys(stored, earlier.stored)
        if earlier is None or changed is None:
            changed = list(stored)
            self.utterances = PersistentMap((id, _utterance(id, stored[id])) for id in changed)
            self.chat: tuple[Utterance, ...] = tuple(self.utterances.values())
            waiting = self.chat
        else:
            chat = list(earlier.chat)
            found = {id: _utterance(id, stored[id]) for id in changed}
            self.utterances = earlier.utterances
            for id, utterance in found.items():
                if id not in self.utterances:
                    chat.append(utterance)
                elif utterance != self.utterances[id]:
                    chat[_place(chat, id)] = utterance
                self.utterances = self.utterances.set(id, utterance)
            self.chat = tuple(chat)
            before = [found.pop(u.id, u) for u in earlier.waiting]
            waiting = (*before, *found.values())
        self.waiting = tuple(u for u in waiting if not (u.read and u.answered))
        self.unread = tuple(u for u in self.waiting if not u.read)
        self.last_heard = next((u.id for u in reversed(self.chat) if u.who in people), "")

    def at(self, stored: Mapping[str, UtteranceState], people: Collection[str]) -> Conversation:
        """The conversation with these utterances; itself if they are the same."""
        return self if stored is self.stored else Conversation(stored, people, self)


def _place(chat: Sequence[Utterance], id: str) -> int:
    """Where an utterance stands; mostly near the end."""
    return next(place for place in reversed(range(len(chat))) if chat[place].id == id)


def _utterance(id: str, stored: UtteranceState) -> Utterance:
    return Utterance(id, stored.who, stored.text, stored.t, stored.read, stored.answered)
