"""What a request wants, by its words: things that nothing here is called, and states in the end.

Rules, no model. A conversation about one task names things in many ways ("the knife is in the
sink"), so nothing is concluded from one.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterator
from functools import cache

from treec_helper.mentions import (
    COFFEE,
    WATER,
    ThingMention,
    is_taught,
    mentions,
    names_in,
    words,
)

_SPEAKER = re.compile(r"<\w+>")
_CLAUSES = re.compile(r"([.,;:!?]+|\b(?:and then|and|then|but)\b)")
_PLACE = re.compile(r"\b(?:in|on|onto|into|to|out|off|from|for|at|by|over|under|near|with|using)\b")
_ARTICLES = frozenset(re.findall(r"\w+", "a an the some any more my our your another of"))
_DRINKS = frozenset((COFFEE.lower(), WATER.lower()))
_LONGEST = 4
"""The most words of the name of a thing."""
Holds = Callable[[str, str], bool | None]
"""Whether a fact holds of a thing; None if that is not known."""


def is_conversation(request: str) -> bool:
    """Whether more than one turn of the user is in a request."""
    return request.count("<Commander>") > 1


def missing_things(request: str, key: str, kinds: Collection[str]) -> list[str]:
    """What a request orders something to be done with, and nothing here is called.

    ``kinds`` are the household's classes. Words of ``key``, the remembered request that is carried
    out in its place, are known, too: a breakfast is no class.
    """
    if is_conversation(request) or is_taught(request):
        return []  # what is taught says itself what its names are
    known = _DRINKS | _stems(key) | {stem for name in names_in(request) for stem in _stems(name)}
    found = []
    for phrase, rest in _objects(request):
        name = phrase.rpartition(" of ")[2]  # three slices of cheese
        own = [word for word in name.split() if word not in _ARTICLES | {*words()["numbers"]}]
        if not own or len(own) > _LONGEST or set(own) & set(words()["pronouns"]):
            continue
        is_made_of = rest.startswith(("with", "using")) and mentions(rest, kinds)
        if not (mentions(name, kinds) or is_made_of or {*own, *_stems(" ".join(own))} & known):
            found.append(" ".join(own))
    return list(dict.fromkeys(found))


def speaks_of(request: str, key: str, kinds: Collection[str]) -> bool:
    """Whether a request names something of the household, or has a word of a remembered one.

    "The cat sat" is as near to any request as to another.
    """
    return bool(_stems(request) & _stems(key)) or bool(mentions(request, kinds))


def unasked_things(
    request: str, key: str, items: Collection[str], kinds: Collection[str]
) -> list[str]:
    """What a remembered program is about and a request does not speak of.

    ``items`` are the classes that the program is about. Nothing if both requests have a word for
    the whole of it ("breakfast"), or a name.
    """
    if is_conversation(request) or is_taught(request) or names_in(request) & names_in(key):
        return []
    said = mentions(request, kinds)
    classes = {one.kind.removesuffix("Sliced") for one in said}
    things = {stem for kind in kinds for stem in _stems(_words(kind))} | _class_stems()
    if (_stems(request) & _stems(key)) - things:
        return []
    asked = {*classes, *(["Egg"] if "EggCracked" in classes else [])}
    return [
        kind
        for kind in items
        if kind.removesuffix("Sliced").replace("EggCracked", "Egg") not in asked
    ]


@cache
def _class_stems() -> frozenset[str]:
    """Words that go with things and are no name of a whole: "clean", "slices", "toast"."""
    said = words()
    found = {stem for names in said["classes"].values() for name in names for stem in _stems(name)}
    common = (
        "clean",
        "cooked",
        "boiled",
        "toasted",
        "sliced",
        "slice",
        "cup",
        "mug",
        *said["numbers"],
    )
    return frozenset(found | {*common, "coffee"} | {word.removesuffix("s") for word in common})


def _objects(request: str) -> Iterator[tuple[str, str]]:
    """The objects of a request's orders, each with what follows it in its clause."""
    begins = _orders()
    plain = " ".join(_SPEAKER.sub(" ", request).lower().split())
    clauses = _CLAUSES.split(plain)
    ordered = False
    for number in range(0, len(clauses), 2):
        clause, before = clauses[number].strip(), clauses[number - 1] if number else ""
        match = begins.match(clause)
        if match is not None:
            text = match["object"]
        elif ordered and before in ("and", ",") and _is_a_name(clause):
            text = clause
        else:
            ordered = ordered and not clause
            continue
        ordered = True
        place = _PLACE.search(text)
        yield (text, "") if place is None else (text[: place.start()], text[place.start() :])
        if place is not None and place[0] == "with":
            yield text[place.end() :], ""


def _is_a_name(clause: str) -> bool:
    """Whether a clause is the further thing of an order: "some juice"."""
    own = clause.split()
    short = 0 < len(own) <= 2 and not any(word.endswith("ly") for word in own)
    return own[:1] != [] and (
        own[0] in _ARTICLES | {*words()["numbers"]}
        or (short and not set(own) & {*words()["after_orders"], *words()["before_orders"]})
    )


@cache
def _orders() -> re.Pattern[str]:
    lead, verbs = (
        "|".join(sorted(map(re.escape, words()[name]), key=len, reverse=True))
        for name in ("before_orders", "orders")
    )
    return re.compile(
        rf"(?:(?:{lead}) )*(?:{verbs}) (?:(?:me|us|him|her|them|up|out) )*(?P<object>.+)"
    )


def _stems(text: str) -> set[str]:
    """The words of a text that may name something, without the ending of a plural."""
    found = re.findall(r"[a-z]+", _SPEAKER.sub(" ", text).lower())
    common = _ARTICLES | {*words()["orders"], *words()["before_orders"], *words()["pronouns"]}
    return {word.removesuffix("s") for word in found if word not in common and len(word) > 2}


def unmet_wants(request: str, kinds: dict[str, str], holds: Holds) -> list[str]:
    """What a request says that things are to be like and is not so: "2 toasts: there is 1".

    ``kinds`` are the classes of the things by name.
    """
    if is_conversation(request):
        return []
    found = []
    for one in mentions(request, set(kinds.values())):
        if one.how not in ("keep", "only", "extra", "target"):
            continue
        things = [thing for thing, kind in kinds.items() if kind == one.kind]
        for state, is_so in _states(one, holds):
            answers = [is_so(thing) for thing in things]
            number, unknown = answers.count(True), answers.count(None)
            if number < (least := one.count or 1):
                text = f"{_counted(least, f'{state} {_words(one.kind)}')}: there is {number}"
                found.append(text + (f", and of {unknown} it is not known" if unknown else ""))
    return list(dict.fromkeys(found))


def _states(one: ThingMention, holds: Holds) -> Iterator[tuple[str, Callable[[str], bool | None]]]:
    if one.cooked:
        yield "cooked", lambda thing: holds("cooked", thing)
    if one.toasted:
        yield "toasted", lambda thing: holds("cooked", thing)
    if one.clean:
        yield "clean", lambda thing: _not(holds("dirty", thing))


def _not(known: bool | None) -> bool | None:
    """The contrary of what is known; of what is not known, nothing is."""
    return None if known is None else not known


def _counted(number: int, name: str) -> str:
    return f"{number} {name}{'' if number == 1 else 's'}"


def _words(kind: str) -> str:
    """A class in words: a BreadSliced is a bread slice."""
    text = re.sub(r"(?<=[a-z])(?=[A-Z])", " ", kind)
    return text.replace(" Sliced", " slice").replace(" Cracked", "").lower()
