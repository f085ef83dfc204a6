"""A run as the judge reads it: events, utterances and their intended acts."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

Data = Mapping[str, Any]

WITHIN = 15.0
"""Simulated seconds in which what the user says must have an effect or a reply."""


class JudgeError(Exception):
    """The two files do not belong together, or are no journal and no intents."""


@dataclass(frozen=True)
class StoryEvent:
    """An event of the journal; ``order`` counts events, also those inside commits."""

    order: int
    t: float
    kind: str
    data: Data

    @property
    def record(self) -> Data:
        """What it was recorded by; empty where it was not: an empty one is left out of journals."""
        return self.data.get("record") or {}


@dataclass(frozen=True)
class SaidWords:
    """Something said. ``acts``: what the user meant; empty for the assistant."""

    order: int
    t: float
    text: str
    person: bool
    acts: Sequence[Data] = ()
    interaction: str | None = None


@dataclass(frozen=True)
class Story:
    """``head``: who there is, the recipes, and what was planned."""

    head: Data
    events: Sequence[StoryEvent]
    said: Sequence[SaidWords]

    @property
    def user(self) -> str:
        """The user's name as an agent."""
        return str(self.head["user"])

    @property
    def agents(self) -> Sequence[str]:
        """All agents."""
        return list(self.head["agents"])

    @property
    def recipes(self) -> Sequence[str]:
        """All recipes there are."""
        return list(self.head["recipes"])

    def is_person(self, agent: str) -> bool:
        """Whether an agent is a person."""
        return bool(self.head["agents"].get(agent, {}).get("person"))

    def able(self, agent: str, task: str | None) -> bool:
        """Whether an agent can do a task."""
        can = self.head["agents"].get(agent, {}).get("can", ())
        return "anything" in can or (task is not None and task in can)

    def of(self, interaction: str) -> list[SaidWords]:
        """The user's words that belong to an interaction."""
        return [s for s in self.said if s.person and s.interaction == interaction]

    def until(self, said: SaidWords, within: float = WITHIN) -> Iterator[StoryEvent]:
        """What happened after some words, in the time in which they must be dealt with."""
        for event in self.events[said.order + 1 :]:
            if event.t > said.t + within:
                return
            yield event

    def next_words(self, said: SaidWords) -> SaidWords | None:
        """What the user said next."""
        return next((s for s in self.said if s.person and s.order > said.order), None)

    def replies(self, said: SaidWords, within: float = WITHIN) -> list[SaidWords]:
        """What the assistant said to it: in its time, and before the user's next words."""
        after = self.next_words(said)
        return [
            s
            for s in self.said
            if not s.person
            and s.order > said.order
            and s.t <= said.t + within
            and (after is None or s.order < after.order)
        ]


def recipe_chosen(act: Data) -> list[str]:
    """The recipe that an act of the user's chooses, by name or in words that fit no other.

    A list of one, or of none.
    """
    match act["do"]:
        case "choose":
            return [str(act["recipe"])]
        case "describe" if len(act["fitting"]) == 1:
            return [str(act["fitting"][0])]
    return []


def read_story(journal: str, intents: str) -> Story:
    """Put the two files together. Raises JudgeError."""
    lines = [json.loads(line) for line in intents.splitlines() if line.strip()]
    if not lines or lines[0].get("kind") != "begin":
        raise JudgeError("the intents begin with no 'begin'")
    head, meant = lines[0], lines[1:]
    events: list[StoryEvent] = []
    for line in journal.splitlines():
        record = json.loads(line)
        inner = record["data"]["events"] if record["kind"] == "commit" else [record]
        for event in inner:
            events.append(StoryEvent(len(events), float(record["t"]), event["kind"], event["data"]))
    return Story(head, events, _read_utterances(events, meant, str(head["user"])))


def _read_utterances(
    events: Sequence[StoryEvent], intents: Sequence[Data], user: str
) -> list[SaidWords]:
    found: list[SaidWords] = []
    number = 0
    for event in events:
        if event.kind != "said":
            continue
        text, person = str(event.data["text"]), event.data["who"] == user
        if not person:
            found.append(SaidWords(event.order, event.t, text, False))
            continue
        if number >= len(intents) or _plain(intents[number]["text"]) != _plain(text):
            raise JudgeError(f"the user's words {number + 1} are not those of the journal: {text}")
        intent = intents[number]
        number += 1
        acts, interaction = intent["acts"], intent.get("interaction")
        found.append(SaidWords(event.order, event.t, text, True, acts, interaction))
    return found


def _plain(text: str) -> str:
    return " ".join(text.split())
