"""The things that a request names, how many, and what is said of them. Rules, no model."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any

import yaml

from treec.frozen import frozen

_NAME = re.compile(r"\b[Tt]he ([A-Z]\w+)\b")
_CAMEL = re.compile(r"(?<=[a-z])(?=[A-Z])")
_SLICED = "Sliced"


@frozen(slots=False)
class ThingMention:
    """A thing in a request, and where it stands in the text; ``kind`` is "" for a drink alone."""

    kind: str
    count: int | None
    start: int
    end: int
    every: bool = False
    states: tuple[str, ...] = ()
    """Of clean, cooked, toasted, boiled."""
    liquid: str = ""
    plural: bool = False
    """Whether several are named, but not how many: "plants"."""
    others: tuple[str, ...] = ()
    """Other classes that the word may stand for: a lamp."""


@frozen
class AnotherOne:
    """Another thing than the one that was taken: of a class, called so, at a place of a class.

    What was not said is "". ``into``: things are to be put into it, or on it. ``not_that``: the one
    that was taken is not meant. ``too``: that one, too.
    """

    kind: str = ""
    word: str = ""
    place: str = ""
    into: bool = False
    not_that: bool = False
    too: bool = False


@cache
def words() -> Mapping[str, Any]:
    """The words of words.yaml."""
    text = (Path(__file__).parent / "words.yaml").read_text("utf-8")
    found: Mapping[str, Any] = yaml.safe_load(text)
    return found


def names_in(text: str) -> set[str]:
    """The names that routines are called by: "the Mary breakfast"."""
    return set(_NAME.findall(text))


def is_taught(text: str) -> bool:
    """Whether a request gives a routine its name, and so describes it."""
    return any(word in text.lower() for word in words()["taught"])


def any_of(phrases: Collection[str]) -> str:
    """A pattern for any of some phrases, the longest first."""
    return f"(?:{'|'.join(sorted(map(re.escape, phrases), key=len, reverse=True))})"


def mentions(text: str, kinds: Collection[str]) -> list[ThingMention]:
    """The things that a text names, in its order; ``kinds`` are the household's classes."""
    pattern, by_word = _pattern(frozenset(kinds))
    return [_mention(match, by_word, kinds) for match in pattern.finditer(text.lower())]


def another_one(text: str, kinds: Collection[str]) -> AnotherOne | None:
    """Which other thing of the same class is meant than the one taken; None if words say none."""
    plain = " ".join(_LETTERS.findall(text.lower()))
    match = _ANOTHER.fullmatch(plain) if len(plain) <= _LONGEST else None
    if match is None or (match["rest"] is None and match["not_that"] is None):
        return None
    named = match["named"] or ""
    if match["rest"] is None and named != "one" and not _only_mention(named, kinds):
        return None  # "not this time"
    rest = match["rest"] or f"other {named}"
    head, place_words = _WHERE.fullmatch(rest).groups()  # type: ignore[union-attr]
    place = _only_mention(place_words or "", kinds)
    parts = head.split()
    for start in range(len(parts)):
        kind = _only_mention(" ".join(parts[start:]), kinds)
        if kind or parts[start:] == ["one"]:
            break
    else:
        return None
    word = " ".join(parts[:start])
    known: tuple[str, ...] = (
        *words()["numbers"],
        *words()["polite"],
        *words()["every"],
        *words()["repeats"],
    )
    if word in words()["other"]:
        word, known = "", ()
    elif not (word or place) or word in known or " " in word:
        return None
    if place_words and not place:
        return None
    too = bool(match["too"]) and not match["not_that"]
    return AnotherOne(kind, word, place, bool(match["into"]), bool(match["not_that"]), too)


_LONGEST = 200
"""Characters of words that say which other thing is meant; `_ANOTHER` is slow on long texts."""
_LETTERS = re.compile(r"[a-z]+")
_ANOTHER = re.compile(
    r"(?:(?:no|oh|sorry|actually|wait|please|and|also|now) )*"
    r"(?P<not_that>not (?:that|this)(?: (?P<named>[a-z]+))? ?)?"
    r"(?:(?:no|but|please) )*(?:i meant? |i said |i want(?:ed)? |use |take |with )?"
    r"(?P<into>(?:put it )?(?:in|into|on|onto) )?(?:(?:the|that) (?P<rest>[a-z ]+?))?"
    r"(?: (?:please|instead|thanks|(?P<too>too|as well|also)))*"
)
_WHERE = re.compile(r"(.+?)(?: (?:that is |which is )?(?:on|in|inside|at|from) (?:the |my )?(.+))?")


def _only_mention(text: str, kinds: Collection[str]) -> str:
    """The class that a text names, if it says nothing else."""
    found = mentions(text, kinds)
    return found[0].kind if len(found) == 1 and (found[0].end - found[0].start) == len(text) else ""


def _mention(
    match: re.Match[str], by_word: Mapping[str, str], kinds: Collection[str]
) -> ThingMention:
    kind = by_word[match["thing"]]
    count = None
    if match["count"]:
        number = match["count"]
        count = int(number) if number.isdigit() else words()["numbers"][number]
    if match["slices"] or match["sliced"]:
        sliced = "EggCracked" if kind == "Egg" else kind + _SLICED
        kind = sliced if sliced in kinds else kind
    said = f"{match['adjectives'] or ''}{match['state'] or ''}"
    states = [state for state in ("clean", "cooked", "boiled", "toasted") if state in said]
    if re.search(r"\btoast(?:ed)?\b", match["thing"]) and "toasted" not in states:
        states.append("toasted")
    of = match["of"] or ""
    liquid = "coffee" if "coffee" in of else "water" if of else ""
    if kind == "":
        liquid = "coffee"
    several = f"{match['slices'] or ''} {match['sliced'] or ''}"
    plural = count is None and (
        match["thing"] in _plural_words(frozenset(kinds)) or re.search(r"s\b", several) is not None
    )
    every = bool(match["every"])
    others = tuple(other for other in _either(match["thing"], kinds) if other != kind)
    return ThingMention(kind, count, *match.span(), every, tuple(states), liquid, plural, others)


def _either(word: str, kinds: Collection[str]) -> list[str]:
    """The classes that a word may stand for, if it stands for several."""
    several = words()["either"].items()
    found = (of for name, of in several if word in _plurals(name))
    return [kind for kind in next(found, ()) if kind in kinds]


@cache
def _pattern(kinds: frozenset[str]) -> tuple[re.Pattern[str], Mapping[str, str]]:
    by_word = _by_word(kinds)
    things = any_of(by_word)
    return (
        re.compile(
            rf"(?:\b(?P<every>{any_of(words()['every'])}) )?"
            rf"(?:\b(?P<count>\d+|{any_of(words()['numbers'])}) )?(?:the |my |your |more |extra )*"
            r"(?P<adjectives>(?:(?:clean|cooked|boiled|toasted|sliced|whole) )*)"
            r"(?P<slices>(?:slices?|pieces?) of (?:the |a )?)?"
            r"(?P<state>cooked |boiled |toasted )?"
            rf"\b(?P<thing>{things})\b(?P<sliced> slices?)?"
            r"(?P<of> of coffee| filled with water| full of water| of water)?"
        ),
        by_word,
    )


@cache
def _by_word(kinds: frozenset[str]) -> dict[str, str]:
    by_word = dict.fromkeys(_plurals("coffee"), "")
    for kind in sorted(kinds):
        if not kind.endswith(_SLICED):
            for word in _plurals(_singular(kind)):
                by_word.setdefault(word, kind)
    for kind, names in words()["classes"].items():
        if kind in kinds:
            by_word.update({word: kind for name in names for word in _plurals(name)})
    for name in words()["either"]:
        for kind in _either(name, kinds)[:1]:
            by_word.update(dict.fromkeys(_plurals(name), kind))
    return by_word


@cache
def _plural_words(kinds: frozenset[str]) -> frozenset[str]:
    names = [name for of in words()["classes"].values() for name in of]
    singular = {"coffee", *names, *words()["either"], *map(_singular, kinds)}
    return frozenset(_by_word(kinds)) - singular


def _singular(kind: str) -> str:
    return " ".join(_CAMEL.split(kind)).lower()


def _plurals(word: str) -> Iterator[str]:
    yield word
    yield f"{word}es" if word.endswith(("s", "x", "ch", "sh", "o")) else f"{word}s"
    if word.endswith("fe"):
        yield f"{word[:-2]}ves"
    elif word.endswith("f"):
        yield f"{word[:-1]}ves"


def spoken(kind: str) -> str:
    """A class in words: a BreadSliced is a slice of bread."""
    text = " ".join(_CAMEL.split(kind)).lower()
    if text.endswith(" sliced"):
        return f"slice of {text.removesuffix(' sliced')}"
    return text.removesuffix(" cracked")


def listed(texts: Sequence[str]) -> str:
    """Texts as people list them: "a, b and c"."""
    *first, last = texts
    return f"{', '.join(first)} and {last}" if first else last
