"""Clauses that ask or set a condition: what they speak of is not asked for, agreed to or done."""

from __future__ import annotations

import re
from dataclasses import replace

from skills.kitchen.talk_clauses import Clause
from skills.kitchen.talk_requests import QUESTION_FRAME

_CONDITION = re.compile(
    r"(?:(?:only|even|but|ok|yes) )*(?:if|unless|whether|in case|suppose|supposing|once|when|"
    r"whenever|as soon as|as long as|provided|after(?! (?:that|this)))(?!\S).*"
)
_CONDITION_INSIDE = re.compile(
    r"(?<!\S)(?:if|unless|whether|in case|once|when|after|as soon as)(?!\S)"
)
_TELL = re.compile(r".*(?<!\S)(?:know|tell me|tell us|ask me|call me|shout) .*")
_QUESTION = re.compile(
    r"(?:(?:and|so|but|ok|well|hey|tell me|please tell me) )*"
    r"(?:what(?! (?:a|an|lovely|nice|great|beautiful|awful|terrible|wonderful|fun|strange|"
    r"gorgeous|horrible)(?!\S))|who|whom|whose|which|where|why(?! not(?! ))|how(?! (?:nice|"
    r"lovely|sweet|kind|funny|cute|good|wonderful|beautiful))|"
    r"should|shall|may i|am|is(?! (?:ok|good|fine|perfect|too|very|all-right))|are|"
    r"was|were|does|did|has|do (?:you|we|they|i|@a\d+)|have (?:you|we|they|i)|"
    r"(?:can|could) (?:i|we))(?!\S).*"
)


def questions(line: str) -> bool:
    """Whether a clause begins like a question, with or without its mark."""
    return _QUESTION.fullmatch(line) is not None


def conditional(line: str) -> bool:
    """Whether a clause begins with a condition, which then holds for its whole sentence."""
    return _CONDITION.fullmatch(line) is not None


def conditional_inside(line: str) -> bool:
    """Whether a clause ends in a condition; "let me know when …" sets none."""
    return _CONDITION_INSIDE.search(line) is not None and _TELL.fullmatch(line) is None


_TELLS = re.compile(
    r"(?<!\S)(?:(?<!i )said|says|(?:told|tells|asked|asks)(?! @a)|yelled|shouted|screamed|"
    r"texted|whispered|"
    r"(?:he|she|they|who|everyone|nobody|people|mom|mum|dad|wife|husband|son|daughter|"
    r"sister|brother|"
    r"boss|grandma|grandmother|friend) (?:always|never|goes|went|would|used|was|were|just|said)|"
    r"used to|yesterday|last (?:night|week|year|time|month)|when i was|every (?:day|morning|"
    r"evening|night|"
    r"time|week|summer)|years ago|as they say|the song|the movie|the film|on (?:tv|the radio)|"
    r"talking to|not you|on the phone|i remember|i dreamed|i dreamt|bye|honey|darling|"
    r"sweetheart)(?!\S)"
)


def tells(line: str) -> bool:
    """Whether a clause tells of others or of other times: what follows is not said to the team."""
    return _TELLS.search(line) is not None


_TAG = re.compile(
    r"right|ok|yes|no|correct|huh|eh|true|please|thanks|or what|or not|is it|is it not|isn't it|"
    r"don't you think|you know|(?:would|will|could|can) you|@a\d+"
)


def asking(parts: list[Clause]) -> list[Clause]:
    """A question mark asks the last clause of its sentence, and all before a tag ("…, right?")."""
    result: list[Clause] = []
    tagged = False
    for index, clause in enumerate(parts):
        behind = [c for c in parts[index + 1 :] if c.sentence == clause.sentence]
        tagged = bool(behind) and all(_TAG.fullmatch(c.line) for c in behind)
        frame = bool(behind) and (QUESTION_FRAME.fullmatch(clause.line) is not None)
        keeps = not behind or tagged or frame or clause.line in ("yes", "ok", "sure")
        result.append(clause if keeps else replace(clause, asks=False))
    return result
