"""Patterns for the assistant's utterances: sentences, denials, questions, subjects."""

from __future__ import annotations

import re

from .story import SaidWords, Story

DENIAL = re.compile(
    r"\b(?:can ?not|can't|could not|couldn't|unable|not able|won't|will not|do not|don't|does not"
    r"|doesn't|have no|there is no|there's no|no robot|none of|nobody|no one|unfortunately|sorry"
    r"|not within|is not|isn't|are not|aren't|never|beyond|did not|didn't|unknown)\b",
    re.IGNORECASE,
)
"""Words with which somebody says that something cannot be."""

_STOP = frozenset(
    re.findall(
        r"\w+",
        "the a an some to into onto in on of with and for from up it that this please then again "
        "one my your our me you",
    )
)


def sentences(text: str) -> list[str]:
    """The sentences of a text, each with its mark."""
    return [s for s in re.split(r"(?<=[.!?;])\s+", text.strip()) if s]


def is_question(sentence: str) -> bool:
    """Whether a sentence asks."""
    return sentence.rstrip().endswith("?")


def denies(sentence: str) -> bool:
    """Whether a sentence says that something cannot be, or is not so."""
    return DENIAL.search(sentence) is not None


def stem(word: str) -> str:
    """'pouring', 'pours' and 'poured' as one."""
    for ending in ("ing", "ed", "es", "s"):
        if word.endswith(ending) and len(word) - len(ending) >= 3:
            word = word[: -len(ending)]
            if len(word) > 3 and word[-1] == word[-2] and ending in ("ing", "ed"):
                word = word[:-1]
            break
    return word.rstrip("e")


def content(text: str) -> set[str]:
    """The stems of the words that carry meaning."""
    return {stem(w) for w in re.findall(r"[\w']+", text.lower()) if w not in _STOP}


def verb(words: str) -> str:
    """The stem of a subtask's verb."""
    return stem((words.lower().split() or [""])[0])


def about(sentence: str, words: str) -> bool:
    """Whether a sentence speaks of a subtask: all of its words, or all but its verb."""
    wanted = content(words)
    things = wanted - {verb(words)}
    return wanted <= content(sentence) or (bool(things) and things <= content(sentence))


def names(story: Story, agent: str) -> str:
    """A pattern for what an agent is called by the assistant."""
    return r"you|the user|user" if agent == story.user else re.escape(agent)


def calls(story: Story, sentence: str, agent: str) -> bool:
    """Whether a sentence names an agent."""
    return re.search(rf"\b(?:{names(story, agent)})\b", sentence, re.IGNORECASE) is not None


def recipes_named(story: Story, replies: list[SaidWords]) -> list[str]:
    """The recipes that are named in some replies."""
    text = " ".join(reply.text for reply in replies).lower()
    return [name for name in story.recipes if name.lower() in text]
