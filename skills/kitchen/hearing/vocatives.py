"""Vocatives without further meaning: "get the salt, mate"."""

from __future__ import annotations

from collections.abc import Sequence

from treec.skills.kitchen.hearing.words import Word, word_set

_PALS = word_set(
    "mate mates buddy pal bro bruv dude fella friend matey hun pet hen duck dear love guys folks "
    "lads boss chef captain skipper gaffer sunshine amigo champ"
)
_DEARS = word_set("sweetie sweetheart darling petal poppet sunshine chum chief boss champ captain")
"""Possible endings of an utterance; in the middle they may address somebody else."""
_CALLS = word_set("mate mates buddy pal bro bruv dude fella friend matey")
"""Possible openings of an utterance; "love, …" may address somebody else."""
_NO_CALL = word_set(
    "the a an his her our your their is 's are am was be been to of with for and or by "
    "from like best good old true i we you they he she would does did really much oh make makes "
    "made new another some any who only have has school poor little need want get find call thank "
    "thanks hello hi hey bye two both"
)
_OPENING = word_set("yes ok no sure right aye fine sorry nope")
"""A vocative may follow these words at the beginning: "ok boss, …"."""
_NO_LOVE = _NO_CALL | word_set("in do on no not just first as me")
"""Behind these words it is no vocative: "with love", "that is a friend"."""
_MINE = ("my", "my dear", "dear", "my good", "my old", "old")
_TEASED = (["stop", "it"], ["stop", "that"], ["leave", "it"], ["give", "over"], ["quit", "it"])


def remove_vocatives(words: Sequence[Word]) -> list[Word]:
    """The words without vocatives at the beginning or end of a part."""
    result = list(words)
    if sum(not w.breaks for w in result) < 2:
        return result
    for index in range(len(words) - 1, -1, -1):
        last = all(w.breaks for w in words[index + 1 :]) and words[0].key not in ("no", "yes")
        if words[index].key not in _PALS and not (last and words[index].key in _DEARS):
            continue
        start = _start(words, index)
        ends = index + 1 == len(words) or words[index + 1].breaks
        if start == 0 or (words[start - 1].breaks and words[start - 1].key in ".!?;"):
            comma = index + 1 < len(words) and words[index + 1].key == ","
            if comma and words[index].key in _CALLS and index + 2 < len(words):
                del result[start : index + 2]
            continue
        before = words[start - 1]
        word = words[start - 2] if before.breaks and start > 1 else before
        apart = before.breaks and before.key == "," and not word.breaks
        exceptions = _NO_LOVE if words[index].key == "love" else _NO_CALL
        plain = not before.breaks and before.key not in exceptions
        is_opening = start == 1 and before.key in _OPENING and words[index].key in _CALLS
        if is_opening or (ends and (apart or plain) and not _is_teasing(words, start)):
            del result[start - before.breaks : index + 1]
    return result


def _start(words: Sequence[Word], index: int) -> int:
    """The index at which a vocative begins: "my dear friend"."""
    for size in (2, 1):
        before = " ".join(w.key for w in words[max(0, index - size) : index])
        if index >= size and before in _MINE:
            return index - size
    return index


def _is_teasing(words: Sequence[Word], start: int) -> bool:
    """ "Stop it, love": possibly no order."""
    keys = [w.key for w in words[:start] if not w.breaks]
    return any(keys[-2:] == phrase for phrase in _TEASED) or len(keys) < 1
