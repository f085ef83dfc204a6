"""Recognizes utterances that say nothing but stop, so that a stop depends on no parser.

A stop may be misspelt by a letter ("stpo"), drawn out ("stoooop") or stuttered ("s-stop"): a word
too many that stops a robot does less harm than one that does not.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from treec.team.talk import TalkAgent

STOP = "stop"
"""The kind of act; a reading that has it, with the field `agent` alone, hears these words."""

STOPS = frozenset({"stop", "halt", "freeze"})
UNLIKE = frozenset(
    {
        *(
            "step",
            "shop",
            "stow",
            "slop",
            "swop",
            "strop",
            "stomp",
            "stops",
            "sop",
            "top",
            "to",
            "atop",
        ),
        *("half", "hall", "halo", "hale", "hart", "haft", "hat", "hast", "halts", "hal"),
        *("salt", "malt", "shalt", "alt"),
        *("freezer", "freezes", "frieze", "breeze"),
    }
)
"""Words that are a letter away from a stop and are none."""
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
    words = [word for word in re.findall(r"[^\s.!,;:…]+", rest) if word.strip("-–—")]
    stops = [word for word in words if _is_stop(word)]
    if not stops or not {*stops, *FILLERS}.issuperset(words):
        return []
    robots: list[str | None] = [name for _, name in sorted(mentions)]
    return [
        {"kind": STOP, "quote": quote, "agent": name} for name in dict.fromkeys(robots or [None])
    ]


def _is_stop(word: str) -> bool:
    """Whether the word is a stop, as it is or as somebody in a hurry types or cries it."""
    if word in STOPS:
        return True
    *stutter, last = word.split("-")
    if stutter:
        return _is_stop(last) and all(last.startswith(piece) for piece in stutter)
    from rapidfuzz.distance import OSA  # what only checks needs no distances

    plain = re.sub(r"(.)\1+", r"\1", word)
    if word in UNLIKE or plain in UNLIKE:
        return False
    return any(
        len(word) > 2 and OSA.distance(one, of, score_cutoff=1) <= 1
        for stop in STOPS
        for one, of in ((word, stop), (plain, re.sub(r"(.)\1+", r"\1", stop)))
    )
