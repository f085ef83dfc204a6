"""The conversation as entities, brought up to date when something is said, read or answered.

It grows throughout a run, so what happens costs no more late in a run than early.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from functools import cached_property
from itertools import islice

from treec.team.entities import Utterance
from treec.team.state import UtteranceState
from treec.world.persistent import PersistentMap, changed_keys

MAX_TEXTS = 256
"""Texts of which is remembered when they were last said."""


class Conversation:
    """All utterances of one version of the world."""

    def __init__(
        self,
        stored: Mapping[str, UtteranceState],
        people: Collection[str],
        earlier: Conversation | None = None,
    ) -> None:
        self.stored = stored
        self._people = people
        self.last_heard = ""
        self._last_said: dict[tuple[str, bool], tuple[int, float | None]] = {}
        self.utterances: PersistentMap[str, Utterance]
        changed = None if earlier is None else changed_keys(stored, earlier.stored)
        if earlier is None or changed is None:
            self.utterances = PersistentMap((id, _utterance(id, u)) for id, u in stored.items())
            new = list(self.utterances.values())
        else:
            self.utterances, new = earlier.utterances, []
            for id in changed:
                utterance = _utterance(id, stored[id])
                if id not in self.utterances:
                    new.append(utterance)
                self.utterances = self.utterances.set(id, utterance)
            self.last_heard, self._last_said = earlier.last_heard, earlier._last_said
        heard = (u.id for u in reversed(new) if u.who in people)
        self.last_heard = next(heard, self.last_heard)

    @cached_property
    def waiting(self) -> tuple[Utterance, ...]:
        """Those that are unread or unanswered, in order."""
        return tuple(self.utterances[id] for id in self.utterances.where(_by_need, "waiting"))

    @cached_property
    def unread(self) -> tuple[Utterance, ...]:
        """Those that are unread, in order."""
        return tuple(utterance for utterance in self.waiting if not utterance.read)

    @cached_property
    def chat(self) -> tuple[Utterance, ...]:
        """All of it, in order."""
        return tuple(self.utterances.values())

    def backwards(self) -> Iterator[Utterance]:
        """From the last utterance; those that are not asked for cost nothing."""
        return (self.utterances[id] for id in reversed(self.utterances))

    def last_said(self, text: str, *, by_people: bool) -> float | None:
        """When words with a text in them, in lower case, were last said; None if never.

        Only what was said since the question was last asked is looked through.
        """
        key, now = (text, by_people), len(self.utterances)
        seen, last = self._last_said.get(key, (0, None))
        if seen > now:  # it was asked of a later version
            seen, last = 0, None
        for utterance in islice(self.backwards(), now - seen):
            if (utterance.who in self._people) == by_people and text in utterance.text.lower():
                last = utterance.t
                break
        if len(self._last_said) >= MAX_TEXTS:
            self._last_said.clear()
        self._last_said[key] = now, last
        return last

    def at(self, stored: Mapping[str, UtteranceState], people: Collection[str]) -> Conversation:
        """The conversation with these utterances; itself if they are the same."""
        return self if stored is self.stored else Conversation(stored, people, self)


def _by_need(utterance: Utterance) -> tuple[str, ...]:
    """The group of an utterance that is unread or unanswered."""
    return () if utterance.read and utterance.answered else ("waiting",)


def _utterance(id: str, stored: UtteranceState) -> Utterance:
    return Utterance(id, stored.who, stored.text, stored.t, stored.read, stored.answered)
