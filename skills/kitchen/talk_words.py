"""Words of an utterance with their places in it, and how English verbs and nouns change."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache


@dataclass(frozen=True, slots=True)
class Item:
    """A word, or a break between words; `start` and `end` are offsets in the utterance.

    `key` is the word in small letters without accents, or the break's character.
    """

    key: str
    start: int
    end: int
    breaks: bool = False


_TOKEN = re.compile(
    r"(?P<word>[^\W_]+(?:[-'’][^\W_]+)*)|(?P<break>[.!?;:,…\n()\"“”—–。！？，、；：]|--+|(?<=\s)-(?=\s))"
)
_SUFFIX = re.compile(r"(.+)('(?:s|ll|d|re|ve|m))")
_SAME = {
    "dont": "don't", "lets": "let's", "cant": "can't", "wont": "won't", "shouldnt": "shouldn't",
    "okay": "ok", "okey": "ok", "yeah": "yes", "yep": "yes", "yup": "yes", "yea": "yes",
    "yeh": "yes", "nope": "no", "nah": "no", "im": "i'm", "ive": "i've", "whats": "what's",
    "nevermind": "never-mind", "alright": "all-right", "cannot": "can't", "pls": "please",
    "plz": "please", "non-stop": "nonstop", "everybody": "everyone", "somebody": "someone",
    "anybody": "anyone",
}  # fmt: skip
_FULL_WIDTH = str.maketrans("。！？，、；：", ".!?,,;:")


def word_set(text: str) -> frozenset[str]:
    """The words of a line, for lists of words that stay readable."""
    return frozenset(text.split())


def fold(word: str) -> str:
    """The word in small letters, accents gone, typographic apostrophes made plain."""
    plain = unicodedata.normalize("NFKD", word.replace("’", "'").casefold())
    return "".join(c for c in plain if not unicodedata.combining(c))


def items(text: str) -> list[Item]:
    """The words and breaks of a text; "I'll" is two words, "don't" and "let's" are one."""
    found: list[Item] = []
    for match in _TOKEN.finditer(text):
        start, end = match.span()
        if match["break"]:
            found.append(Item(match["break"][0].translate(_FULL_WIDTH), start, end, breaks=True))
            continue
        key = fold(match["word"])
        key = _SAME.get(key, key)
        parts = _SUFFIX.fullmatch(key)
        if parts is None or key == "let's":
            found.append(Item(key, start, end))
            continue
        # A casefolded word may be longer than it was written: count from its written end.
        cut = max(start + 1, end - len(parts[2])) if len(match["word"]) > 2 else end
        found.append(Item(parts[1], start, cut))
        found.append(Item(parts[2], min(cut, end), end))
    return found


@lru_cache(maxsize=4096)
def name_words(name: str) -> tuple[str, ...]:
    """A name cut into the words that `items` would give for it."""
    return tuple(item.key for item in items(name) if not item.breaks)


_IRREGULAR = {
    "get": "got gotten", "bring": "brought", "take": "took taken", "put": "put", "cut": "cut",
    "do": "did done", "make": "made", "give": "gave given", "hold": "held", "spread": "spread",
    "grind": "ground", "shake": "shook shaken", "throw": "threw thrown", "beat": "beat beaten",
    "set": "set", "go": "went gone", "find": "found", "freeze": "froze frozen", "lay": "laid",
    "leave": "left", "break": "broke broken", "sweep": "swept", "feed": "fed", "keep": "kept",
}  # fmt: skip
_DOUBLING = re.compile(r"[^aeiou]*[aeiou][bdgklmnprt]")


@lru_cache(maxsize=4096)
def gerunds(verb: str) -> tuple[str, ...]:
    """The -ing form of a verb, with the spellings that people use."""
    if verb.endswith("e") and not verb.endswith(("ee", "ye", "oe")):
        return (verb[:-1] + "ing",)
    if _DOUBLING.fullmatch(verb):
        return (verb + verb[-1] + "ing", verb + "ing")
    return (verb + "ing",)


@lru_cache(maxsize=4096)
def pasts(verb: str) -> tuple[str, ...]:
    """The past forms of a verb."""
    if verb in _IRREGULAR:
        return tuple(_IRREGULAR[verb].split())
    if verb.endswith("e"):
        return (verb + "d",)
    if verb.endswith("y") and verb[-2:-1] not in tuple("aeiou"):
        return (verb[:-1] + "ied",)
    if _DOUBLING.fullmatch(verb):
        return (verb + verb[-1] + "ed", verb + "ed")
    return (verb + "ed",)


def plurals(noun: str) -> Iterator[str]:
    """The noun in its other number, roughly; nothing for very short words."""
    if len(noun) < 3:
        return
    if noun.endswith("ies"):
        yield noun[:-3] + "y"
    if noun.endswith("es"):
        yield noun[:-2]
    if noun.endswith("s"):
        if not noun.endswith("ss"):
            yield noun[:-1]
        return
    if noun.endswith("y"):
        yield noun[:-1] + "ies"
    yield noun + ("es" if noun.endswith(("o", "ch", "sh", "x")) else "s")


@lru_cache(maxsize=4096)
def forms(word: str) -> frozenset[str]:
    """Every form under which a word of a subtask may be said."""
    return frozenset({word, *gerunds(word), *pasts(word), *plurals(word)})
