"""Words that were heard or typed wrong: "stpo" may be meant for "stop"."""

from __future__ import annotations

import re

ORDINARY = frozenset(
    re.findall(r"\w+", "step steps top shop shops slop stow crop atop stoop sop drop spot")
)
"""Ordinary words that are one letter away from words that one should not mishear."""


def nearly_said(words: str, word: str) -> bool:
    """Whether one of the words may be a given one, heard or typed wrong: one letter is another,
    missing, too many, or changed places. Ordinary words that are so near by chance do not count."""
    from rapidfuzz.distance import OSA  # heavy: `treec check` hears nothing

    heard = re.findall(r"[^\W\d_]+", words.lower())
    near = 1 if len(word) < 7 else 2
    return any(
        abs(len(one) - len(word)) <= near
        and one not in ORDINARY
        and OSA.distance(one, word, score_cutoff=near) <= near
        for one in heard
    )
