"""Enough English to speak of work: 'get the salt' as 'got the salt', 'getting the salt'."""

from __future__ import annotations

_PAST = {
    "bring": "brought",
    "build": "built",
    "cut": "cut",
    "do": "done",
    "fetch": "fetched",
    "find": "found",
    "get": "got",
    "give": "given",
    "grind": "ground",
    "hand": "handed",
    "lay": "laid",
    "leave": "left",
    "make": "made",
    "put": "put",
    "run": "run",
    "set": "set",
    "shake": "shaken",
    "spread": "spread",
    "take": "taken",
}
_SIMPLE = {"do": "did", "give": "gave", "run": "ran", "shake": "shook", "take": "took"}
_DOUBLED = {"chop", "stir", "cut", "get", "put", "run", "set", "mix", "whip", "drain", "dip", "top"}
_NOT_DOUBLED = {"mix", "drain"}
_PLURAL_ALREADY = ("s",)


def participle(verb: str) -> str:
    """'chop' → 'chopped'."""
    if verb in _PAST:
        return _PAST[verb]
    if verb.endswith("e"):
        return verb + "d"
    if verb.endswith("y") and verb[-2:-1] not in "aeiou":
        return verb[:-1] + "ied"
    return _stem(verb) + "ed"


def past(verb: str) -> str:
    """'run' → 'ran'; for most verbs it is the participle."""
    return _SIMPLE.get(verb) or participle(verb)


def gerund(verb: str) -> str:
    """'slice' → 'slicing'."""
    if verb.endswith("e") and not verb.endswith("ee"):
        return verb[:-1] + "ing"
    return _stem(verb) + "ing"


def _stem(verb: str) -> str:
    doubled = verb in _DOUBLED and verb not in _NOT_DOUBLED
    return verb + verb[-1] if doubled else verb


def split(words: str) -> tuple[str, str]:
    """The verb of a subtask's words, and the rest: ('chop', 'the onions')."""
    verb, _, rest = words.partition(" ")
    return verb.lower(), rest


def plain_object(words: str) -> str | None:
    """'onions' of 'chop the onions'; none when there is more to it ('into the pot')."""
    rest = split(words)[1].removeprefix("the ").removeprefix("some ")
    more = {"into", "to", "on", "onto", "in", "with", "over", "for", "again", "away", "from", "and"}
    return rest if rest and not more & set(rest.split()) else None


def is_or_are(thing: str) -> str:
    """'are' for what looks like more than one."""
    return "are" if thing.endswith(_PLURAL_ALREADY) and not thing.endswith("ss") else "is"


def listed(items: list[str], word: str = "and") -> str:
    """'a', 'a and b', 'a, b and c'."""
    if len(items) < 2:
        return "".join(items)
    return f"{', '.join(items[:-1])} {word} {items[-1]}"
