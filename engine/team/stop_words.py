"""Recognizes utterances that say nothing but stop, so that a stop depends on no parser."""

from __future__ import annotations

import re
from collections.abc import Sequence

from treec.team.talk import TalkAgent

STOP = "stop"
"""The kind of act; a reading that has it, with the field `agent` alone, hears these words."""

STOPS = frozenset({"stop", "halt", "freeze"})
FILLERS = frozenset(
    {
        *("please", "now", "immediately", "at", "once", "and", "it"),
        *("everybody", "everyone", "everything", "all", "robots", "robot"),
    }
)
"""Words that may stand beside a stop and do not change it."""


def stop_acts(text: str, agents: Sequence[TalkAgent]) -> list[dict[str, object]]:
    """The acts of an utterance such as "R2, stop!": one for each robot named, or one for all.

    Empty if the utterance contains anything else; the parser reads it then.
    """
    quote = text.strip(" \t\n.!,;:")
    whole = rest = quote.lower()
    mentions: list[tuple[int, str]] = []
    for agent in agents:
        if agent.person:
            continue
        for name in (agent.name, *agent.also):
            pattern = rf"(?<!\w){re.escape(name.lower())}(?!\w)"
            if re.search(pattern, rest) and (found := re.search(pattern, whole)):
                mentions.append((found.start(), agent.name))
                rest = re.sub(pattern, " ", rest)
    words = re.findall(r"[^\s.!,;:]+", rest)
    if not STOPS.intersection(words) or not STOPS.union(FILLERS).issuperset(words):
        return []
    robots: list[str | None] = [name for _, name in sorted(mentions)]
    return [
        {"kind": STOP, "quote": quote, "agent": name} for name in dict.fromkeys(robots or [None])
    ]
