"""English inflection for the simulated user: 'get the salt' → 'got the salt', 'getting …'."""

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
_DOUBLED = {"chop", "stir", "cut", "get", "put", "run", "set", "whip", "dip", "top"}


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
    """'run' → 'ran'; most verbs have the participle's form."""
    return _SIMPLE.get(verb) or participle(verb)


def gerund(verb: str) -> str:
    """'slice' → 'slicing'."""
    if verb.endswith("e") and not verb.endswith("ee"):
        return verb[:-1] + "ing"
    return _stem(verb) + "ing"


def _stem(verb: str) -> str:
    return verb + verb[-1] if verb in _DOUBLED else verb


def split(words: str) -> tuple[str, str]:
    """Split a subtask's words into verb and rest: ('chop', 'the onions')."""
    verb, _, rest = words.partition(" ")
    return verb.lower(), rest


def plain_object(words: str) -> str | None:
    """'chop the onions' → 'onions'; None if the object has a complement ('into the pot')."""
    rest = split(words)[1].removeprefix("the ").removeprefix("some ")
    more = {"into", "to", "on", "onto", "in", "with", "over", "for", "again", "away", "from", "and"}
    return rest if rest and not more & set(rest.split()) else None


def is_or_are(thing: str) -> str:
    """Return 'are' for words that look plural."""
    return "are" if thing.endswith("s") and not thing.endswith("ss") else "is"


def listed(items: list[str], word: str = "and") -> str:
    """'a', 'a and b', 'a, b and c'."""
    if len(items) < 2:
        return "".join(items)
    return f"{', '.join(items[:-1])} {word} {items[-1]}"
