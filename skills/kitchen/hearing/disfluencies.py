"""Remove disfluencies from a text without moving any letter: "the uh, the pepper".

A speaker who searches for a word makes a sound, pauses, or repeats the function word before it.
These are replaced by blanks if the words before cannot end a phrase. Between two phrases the sound
is blanked and the break stays.
"""

from __future__ import annotations

import re

_SMALL = "the|a|an|my|your|our|some|his|her|its"
_HANGING = (
    rf"{_SMALL}|and|but|or|so|to|into|of|with|for|from|can|could|would|will|should|i'm|i'll|we'll|"
    r"i|we|is|are|let|can you|could you|would you|will you|let's|let me|"
    r"give me|hand me|pass me|bring me|get me"
)
_SEEKING = (
    r"(?:get|fetch|grab|bring|put|pour|add|chop|slice|stir|wash|prep|prepare|take|skip|drop|"
    r"scratch|"
    r"leave|return|clear|cut|dice|tip|pass|give|hand|do|tidy|cancel|forget|chuck|throw|toss|shake|"
    r"need|want|have|has|like|finish)(?:e?s|ed|d|ped|red)?|\w{2,}ing|does|done|got|gave|had|me|us|"
    r"in|on|about|at|over|off|away|out|up|back|all|both|not|except|before|after|when|once|"
    r"if|than|while|rather|just|only"
)
_PAUSE = r"(?:\.{2,}|…|\s*--+|\s*[—–]|\s-(?=\s))"
_SOUND = r"(?:u+h+m*(?![ -]huh)|u+m+|e+r+m*|eh+m+)"
_AGAIN = re.compile(
    rf"\b(?P<word>{_SMALL}|to|i|can|could|is|and|with|we|in|of|for|into|put)"
    rf"(?P<gap>(?:,|{_PAUSE}|\s)\s*(?:{_SOUND}[,.]*\s+)?)(?=(?P=word)\b(?!['’]))",
    re.IGNORECASE,
)
_NO_AGAIN = re.compile(r"\b(?P<word>no)(?P<gap>,?\s+)(?=no\s+(?!one\b|no\b|i\b)\w)", re.IGNORECASE)
_OPENING = re.compile(
    rf"^\s*(?:{_SOUND}\b(?![-'’])[,.…]*|(?:so|well|anyway)\s*,)(?=\s+\w+['’\w]*[,.!?]*\s*\w)",
    re.IGNORECASE,
)
_HALTED = re.compile(
    rf"(?P<kept>\b(?:{_HANGING}))(?P<gap>(?:\s*,?\s*\b{_SOUND}\b,?\.*…?|{_PAUSE})+)(?=\s+\w)",
    re.IGNORECASE,
)
_SOUGHT = re.compile(
    rf"(?P<kept>\b(?:{_SEEKING}))(?P<gap>(?:\s*,?\s*\b{_SOUND}\b,?\.*…?|{_PAUSE})+)"
    rf"(?=\s+(?:{_SMALL}|that|this|those)\s)",
    re.IGNORECASE,
)
_BETWEEN = re.compile(
    rf"(?P<kept>\w[,.;!?]?)(?<!\bnuh)(?P<gap>\s+{_SOUND}\b(?![-'’])[,.…]*)(?=\s+\w)", re.I
)


def remove_disfluencies(text: str) -> str:
    """The text with blanks in place of its disfluencies."""
    text = _AGAIN.sub(lambda found: " " * len(found[0]), text)
    text = _OPENING.sub(lambda found: " " * len(found[0]), text)
    text = _NO_AGAIN.sub(lambda found: " " * len(found[0]), text)  # "no no onions" as "no onions"
    for pattern in (_HALTED, _SOUGHT, _BETWEEN):
        text = pattern.sub(lambda found: found["kept"] + " " * len(found["gap"]), text)
    return text
