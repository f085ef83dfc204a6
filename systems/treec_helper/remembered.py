"""Which remembered request a request is: the same words but for politeness and other names.

Without a model nothing is changed: what was remembered is carried out as it is, or not at all.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping, Sequence
from functools import cache

from treec_helper.mentions import any_of, is_taught, mentions, words
from treec_memory.names import routine_names

RecalledPair = Mapping[str, object]
_SPEAKER = re.compile(r"<\w+>")
_TURN = re.compile(r"<Driver>[^<]*")
_WORD = re.compile(r"[\w']+")
_INSTANCE = re.compile(r""",\s*object_instance\s*=\s*(["'])(?P<thing>[^"'\n]*)\1""")


def find_same(request: str, pairs: object, kinds: Collection[str]) -> RecalledPair | None:
    """The pair whose request is the same, else the routine that is called by its name alone."""
    recalled = [p for p in pairs if isinstance(p, Mapping)] if isinstance(pairs, Sequence) else []
    own = _essence(request, frozenset(kinds))
    for pair in recalled:
        if own and _essence(str(pair["key"]), frozenset(kinds)) == own:
            return pair
    return called_routine(request, recalled)


def called_routine(request: str, recalled: Sequence[RecalledPair]) -> RecalledPair | None:
    """The pair of the routine that a request calls by its name alone: the one that taught it."""
    named = [p for p in recalled if _calls(request, str(p["key"]))]

    def rank(pair: RecalledPair) -> tuple[bool, bool]:
        key = str(pair["key"])
        return not is_taught(key), "\n<Driver>" in key  # corrected for one time

    return min(named, key=rank, default=None)


def for_scene(program: str, things: Collection[str]) -> str:
    """A remembered program for a scene of these things: what another scene calls its own things is
    left out, and things of their classes are taken.
    """
    return _INSTANCE.sub(lambda found: found[0] if found["thing"] in things else "", program)


def _calls(request: str, key: str) -> bool:
    """Whether a request is for a named routine, and says nothing more of it."""
    bare = _without_courtesies(request)
    for name, noun in routine_names(key):
        pattern = rf"\b(?:the )?{re.escape(name)}(?:'s)? {re.escape(noun)}\b"
        rest, times = re.subn(pattern, " ", bare, flags=re.IGNORECASE)
        left = [word for word in _WORD.findall(rest.lower()) if word not in words()["courtesy"]]
        if times == 1 and all(word in _BEGIN for word in left) and len(left) < 2:
            return True
    return False


def order_words(request: str) -> list[str]:
    """The words of a request without politeness and what begins any order."""
    known = (*words()["courtesy"], *_BEGIN)
    found = _WORD.findall(_without_courtesies(request))
    return [word for word in found if word.lower() not in known]


def _without_courtesies(text: str) -> str:
    """What a person says, without phrases that only make an order of it."""
    bare = " ".join(_SPEAKER.sub(" ", _TURN.sub(" ", text)).replace("’", "'").split())
    return _courtesies().sub(" ", bare)


@cache
def _courtesies() -> re.Pattern[str]:
    phrases, wishes = any_of(words()["courtesies"]), any_of(words()["wishes"])
    return re.compile(rf"\b(?:{phrases}\b|{wishes}\b(?! (?:you )?to\b))", re.IGNORECASE)


_BEGIN = frozenset(
    ("make", "prepare", "fix", "do", "run", "complete", "perform", "serve", "bring", "get", "one")
)


_DETERMINED = re.compile(r"\b(?:the|my|your)\b")


@cache
def _essence(text: str, kinds: frozenset[str]) -> tuple[str, ...]:
    """The words of a request that say what is wanted, things as their classes."""
    plain = " ".join(_without_courtesies(text).lower().split())
    same = {word: group[0] for group in words()["same"] for word in group}
    found: list[str] = []
    end = 0

    def add(part: str) -> None:
        for word in _WORD.findall(part):
            if same.get(word, word) not in polite:
                found.append(same.get(word, word))

    polite = frozenset(words()["courtesy"])
    for one in mentions(plain, kinds):
        add(plain[end : one.start])
        end = one.end
        the_plants = one.plural and _DETERMINED.search(plain[one.start : one.end])
        number = "several" if one.plural else str(one.count or 1)
        many = "every" if one.every or the_plants else number
        own = " ".join((*one.states, one.liquid))
        found.append(f"{many} {own} {one.kind}")
    add(plain[end:])
    return tuple(found)
