"""Recognise misheard and mistyped words: "stpo" for "stop"."""

from __future__ import annotations

import re

ORDINARY = frozenset(
    re.findall(r"\w+", "step steps top shop shops slop stow crop atop stoop sop drop spot")
)
"""Common words within one edit of a command such as "stop"."""


def contains_typo_of(words: str, word: str) -> bool:
    """Whether one of the words is within 1 edit of ``word`` (2 from seven letters on).

    An edit changes, drops, adds or swaps letters (optimal string alignment distance); common words
    do not count.
    """
    from rapidfuzz.distance import OSA  # not imported by `treec check`

    edits = 1 if len(word) < 7 else 2
    return any(
        abs(len(candidate) - len(word)) <= edits
        and candidate not in ORDINARY
        and OSA.distance(candidate, word, score_cutoff=edits) <= edits
        for candidate in re.findall(r"[^\W\d_]+", words.lower())
    )
