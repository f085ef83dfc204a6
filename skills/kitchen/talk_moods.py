"""Clauses that ask or set a condition: what they speak of is not asked for, agreed to or done."""

from __future__ import annotations

import re

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
    r"(?:what(?! (?:a|an|lovely|nice|great|beautiful|awful|terrible|wonderful|fun|strange|gorgeous|horrible)(?!\S))|who|whom|whose|which|where|why(?! not(?! ))|how(?! (?:nice|lovely|sweet|kind|funny|cute|good|wonderful|beautiful))|"
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
