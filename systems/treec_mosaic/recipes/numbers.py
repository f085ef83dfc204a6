"""Spoken numbers in digits: "two hundred", "twenty-five", "a cup and a half".

Where an amount or a time is read; single words up to forty are read as they are.
"""

from __future__ import annotations

import re
from functools import partial

_ONES = "one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen"
_ONES += " sixteen seventeen eighteen nineteen"
_SMALL = {word: n for n, word in enumerate(_ONES.split(), 1)}
_TENS = {
    **{"twenty": 20, "thirty": 30, "forty": 40, "fifty": 50},
    **{"sixty": 60, "seventy": 70, "eighty": 80, "ninety": 90},
}
_SIGNS = {
    **{"half": "½", "third": "⅓", "two thirds": "⅔", "quarter": "¼", "three quarters": "¾"},
    **{"three-quarters": "¾", "two-thirds": "⅔"},
}
_WORD = rf"(?:{'|'.join((*_SMALL, *_TENS))})"
_HUNDREDS = rf"(?:(?:{_WORD}|an?) hundred(?: and)?(?: {_WORD}(?:[- ]{_WORD})?)?)"
_WHOLE = rf"(?:{_HUNDREDS}|(?:{'|'.join(_TENS)})[- ](?:{'|'.join(_SMALL)})|{_WORD}|\d+)"
_PART = rf"(?:(?:an?|one) )?(?:{'|'.join(sorted(_SIGNS, key=len, reverse=True))})"
_SIZES = (
    r"cups?|tea ?spoons?|table ?spoons?|pounds?|ounces?|pints?|quarts?|lit(?:er|re)s?|inch(?:es)?"
)
_ENDS = r"(?=\s*(?:$|[,.;)]|(?:in|into|on|onto|to|over|with|until)\b))"
_PATTERNS = (
    (rf"\b(?P<whole>{_WHOLE}) and (?P<part>{_PART})\b(?: of(?= an? ))?", "{whole}{part} "),
    (
        rf"\b(?:an?|one) (?P<unit>[a-z]+) and (?P<part>{_PART})\b(?: of\b|{_ENDS})",
        "1{part} {unit} ",
    ),
    (rf"\b(?P<part>{_PART}) of an? ", "{part} "),
    (rf"\b(?P<part>{_PART})[ -](?=(?:{_SIZES}))", "{part} "),
    (r"\bhalf a dozen\b", "6 "),
    (r"\ba dozen\b", "12 "),
    (r"\ba couple(?: of)?\b", "2 "),
    (rf"\b(?P<whole>{_WHOLE})\b", "{whole} "),
)
_SEVERAL = (
    (r"(?<=[^aeiou])y$", "ies"),
    (r"(?<=ea|oa|al|el)f$|(?<=ni)fe$", "ves"),
    (r"(?<=[sxz])$|(?<=[cs]h)$|(?<=[mt]ato)$", "es"),
)
_COUNT_BEFORE = re.compile(rf"(?:\d|\b{_WORD}) $", re.IGNORECASE)
_ANY = [(re.compile(pattern, re.IGNORECASE), form) for pattern, form in _PATTERNS]


def in_digits(text: str) -> str:
    """A text with its spoken numbers and parts in digits; "a", "half the" and "one" stay."""
    for pattern, form in _ANY:
        text = pattern.sub(partial(_said, form), text)
    return " ".join(text.split())


def _said(form: str, found: re.Match[str]) -> str:
    parts = found.groupdict()
    whole, part = parts.get("whole"), parts.get("part")
    if whole and not part and (whole.isdigit() or whole.lower() in _SMALL):
        return found[0]  # "one" may be a pronoun, and the rest is read as it is
    if part and not whole and _COUNT_BEFORE.search(found.string[: found.start()]):
        return found[0]  # two half-pints are no two and a half
    sign = _SIGNS[re.sub(r"^(?:an?|one) ", "", part.lower())] if part else ""
    number = str(_value(whole.lower())) if whole else ""
    return form.format(whole=number, part=sign, unit=_plural(parts.get("unit") or ""))


def _plural(noun: str) -> str:
    """Several of what a noun is called: pinches, potatoes, berries, loaves."""
    for pattern, form in _SEVERAL:
        if (several := re.sub(pattern, form, noun)) != noun:
            return several
    return f"{noun}s"


def _value(words: str) -> int:
    """The value of number words, of up to three digits."""
    if words.isdigit():
        return int(words)
    above, hundred, below = words.rpartition("hundred")
    rest = sum(_SMALL.get(word, _TENS.get(word, 0)) for word in re.split(r"[- ]", below))
    return (
        100 * (_SMALL.get(above.strip(), _TENS.get(above.strip(), 1))) + rest if hundred else rest
    )
