"""The things that a request names, how many, and what is said of them. Rules, no model."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping
from functools import cache
from pathlib import Path
from typing import Any

import yaml

from treec.frozen import frozen

COFFEE, WATER = "Coffee", "Water"
"""Stand for vessels with coffee or water in them, which have no class of their own."""

_NAME = re.compile(r"\b[Tt]he ([A-Z]\w+)\b")
_CAMEL = re.compile(r"(?<=[a-z])(?=[A-Z])")
_SLICED = "Sliced"


@frozen(slots=False)
class ThingMention:
    """A thing in a request. ``how``: keep, leave_out, only, extra, ignore, target."""

    kind: str
    count: int | None
    how: str
    cooked: bool = False
    toasted: bool = False
    clean: bool = False


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


def mentions(text: str, kinds: Collection[str]) -> list[ThingMention]:
    """The things that a text names, in its order; ``kinds`` are the household's classes."""
    pattern, by_word = _pattern(frozenset(kinds))
    plain = " ".join(text.lower().split())
    found, before = [], 0
    for match in pattern.finditer(plain):
        lead = plain[before : match.start()]
        before = match.end()
        found.append(_mention(match, lead, by_word, kinds))
    return found


def _mention(
    match: re.Match[str], lead: str, by_word: Mapping[str, str], kinds: Collection[str]
) -> ThingMention:
    said = words()
    kind = by_word[match["thing"]]
    count = said["numbers"].get(match["count"]) if match["count"] else None
    if match["count"] and match["count"].isdigit():
        count = int(match["count"])
    if match["slices"] or match["sliced"]:
        sliced = "EggCracked" if kind == "Egg" else kind + _SLICED
        kind = sliced if sliced in kinds else kind
    if match["of"]:
        kind = COFFEE if "coffee" in match["of"] else WATER
    adjectives = (match["adjectives"] or "") + (match["state"] or "")
    how = _how(f"{lead} {match['extra'] or ''}")
    if how == "keep" and re.search(r"\b(on|onto|in|into) ?(the|a|an|my)?( clean)?$", lead.strip()):
        how = "target"
    return ThingMention(
        kind,
        count,
        how,
        cooked="cooked" in adjectives or "boiled" in adjectives,
        toasted="toast" in f"{adjectives}{match['thing']}",
        clean="clean" in adjectives,
    )


def _how(lead: str) -> str:
    """What the words before a thing say of it: the last of them counts."""
    clause = re.split(r"[,.;]", lead)[-1]
    said = words()
    found = {
        "ignore": said["instead_of"],
        "leave_out": said["leave_out"],
        "only": said["only"],
        "extra": said["extra"],
    }
    best, place = "keep", -1
    for how, phrases in found.items():
        for phrase in phrases:
            for match in re.finditer(rf"\b{re.escape(phrase)}\b", clause):
                if match.start() > place:
                    best, place = how, match.start()
    return best


@cache
def _pattern(kinds: frozenset[str]) -> tuple[re.Pattern[str], Mapping[str, str]]:
    by_word = {"coffee": COFFEE}
    for kind in sorted(kinds):
        if not kind.endswith(_SLICED):
            for word in _plurals(" ".join(_CAMEL.split(kind)).lower()):
                by_word.setdefault(word, kind)
    for kind, names in words()["classes"].items():
        if kind in kinds:
            by_word.update({word: kind for name in names for word in _plurals(name)})
    things = "|".join(map(re.escape, sorted(by_word, key=len, reverse=True)))
    numbers = "|".join(words()["numbers"])
    return (
        re.compile(
            rf"(?:\b(?P<count>\d+|{numbers}) )?(?P<extra>extra |more )?"
            rf"(?P<adjectives>(?:(?:clean|cooked|boiled|toasted|sliced|the) )*)"
            rf"(?P<slices>slices? of (?:a )?)?(?P<state>cooked |boiled |toasted )?"
            rf"\b(?P<thing>{things})\b(?P<sliced> slices?)?"
            rf"(?P<of> of coffee| filled with water| of water)?"
        ),
        by_word,
    )


def _plurals(word: str) -> Iterator[str]:
    yield word
    yield f"{word}es" if word.endswith(("s", "x", "ch", "sh", "o")) else f"{word}s"
    if word.endswith("fe"):
        yield f"{word[:-2]}ves"
