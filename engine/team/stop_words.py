"""Recognizes utterances that say nothing but stop, so that a stop depends on no parser."""

from __future__ import annotations

import re
from collections.abc import Sequence

from treec.team.talk import TalkAgent

STOP = "stop"
"""The kind of act; a reading that has it, with the field `agent` alone, hears these words."""

STOPS = frozenset({"stop", "halt", "freeze", "e-stop"})
FILLERS = frozenset(
    {
        *("please", "now", "right", "immediately", "at", "once", "there", "here", "just"),
        *("and", "it", "hey", "oh", "whoa", "emergency", "moving", "working"),
        *("everybody", "everyone", "everything", "all", "both", "two", "of", "you", "them"),
        *("the", "robots", "robot"),
    }
)
"""Words that may stand beside a stop and do not change it; not "no" and "ok", which are acts."""

NEGATIONS = frozenset({"not", "never", "without", "cannot", "nor"})
REACH = 3
"""How many words after a negation are negated by it."""


def stop_acts(text: str, agents: Sequence[TalkAgent]) -> list[dict[str, object]]:
    """The acts of an utterance such as "R2, stop!": one for each robot named, or one for all.

    Empty if the utterance contains anything else, or is a question; the parser reads it then.
    """
    robots, rest = _mentions(text, agents)
    words = _words(rest)
    if "?" in rest or not STOPS.intersection(words) or not STOPS.union(FILLERS).issuperset(words):
        return []
    return _acts(text, robots)


def stop_acts_in(text: str, agents: Sequence[TalkAgent]) -> list[dict[str, object]]:
    """The same for any utterance in which "stop" is a word that is not negated.

    For words that nothing else can read: a stop that nobody meant costs a moment.
    """
    robots, rest = _mentions(text, agents)
    words = _words(rest)
    for place, word in enumerate(words):
        if word in STOPS and not any(map(_negates, words[max(place - REACH, 0) : place])):
            return _acts(text, robots)
    return []


def _mentions(text: str, agents: Sequence[TalkAgent]) -> tuple[list[str], str]:
    """The robots that are named, in order, and the words without their names."""
    whole = rest = text.lower()
    found: list[tuple[int, str]] = []
    for agent in agents:
        if agent.person:
            continue
        for name in (agent.name, *agent.also):
            pattern = rf"(?<!\w){re.escape(name.lower())}(?!\w)"
            if re.search(pattern, rest) and (match := re.search(pattern, whole)):
                found.append((match.start(), agent.name))
                rest = re.sub(pattern, " ", rest)
    return [name for _, name in sorted(found)], rest


def _words(text: str) -> list[str]:
    words = (word.strip("'’-") for word in re.findall(r"[\w'’-]+", text))
    return [word for word in words if word]


def _negates(word: str) -> bool:
    return word in NEGATIONS or word.endswith(("n't", "n’t"))


def _acts(text: str, robots: Sequence[str]) -> list[dict[str, object]]:
    quote = text.strip(" \t\n.!,;:")
    named: list[str | None] = [*dict.fromkeys(robots)]
    return [{"kind": STOP, "quote": quote, "agent": name} for name in named or [None]]
