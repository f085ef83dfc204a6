"""Subtasks of a recipe as people hear them: with amounts for so many people, times and notes."""

from __future__ import annotations

import re
import unicodedata
from fractions import Fraction

from treec.files.tasks import RecipeFile
from treec.files.view import View
from treec.source.scope import MappingScope
from treec.team.sentences import sentence
from treec_hearing.question_words import determiners_before
from treec_mosaic.recipes.amounts import PARTS
from treec_mosaic.recipes.details import VALUES
from treec_mosaic.recipes.ingredients import NO_INCH

_PARTS = {part: Fraction(unicodedata.numeric(part)).limit_denominator(8) for part in PARTS}
_PART = f"[{''.join(_PARTS)}]"
_DIGITS = re.compile(
    rf"(?:\d+ )?\d+\s?[/⁄]\s?[1-9]\d*|[1-9]\d{{0,2}}(?:,\d{{3}})+(?!\d)|"
    rf"\d+(?:[.,]\d+)?(?: ?{_PART})?|{_PART}"
)
_NUMBER = re.compile(
    rf"{_DIGITS.pattern}|\b(?:{'|'.join(sorted(VALUES, reverse=True))})\b"
    r"(?!-| (?:half|third|quarter|few|little)\b)",
    re.IGNORECASE,
)
_COUNT = re.compile(rf"(?:{_DIGITS.pattern}|[\s–-]|\b(?:to|or)\b)+")
_RANGE = re.compile(r"\s?(?:-|–|to|or)\s?")
_OF_EACH = re.compile(r"\s?[x×]?\s?\(?")
"""Between how many there are and how large each is: 2 x 400 g, 1 (14 oz) can."""
_SIZE = re.compile(
    rf"(?:\s?(?:-|–|to|or)\s?(?:{_DIGITS.pattern}))?-[^\W\d]|- (?:to|or) "
    rf"|(?:\s?(?:[x×–-]|to|or)\s?(?:{_DIGITS.pattern}))?\s?-?"
    rf"(?:inch(?:es)?|in{NO_INCH}|[cm]m|[\"”″])(?!\w)"
)
"""Behind a number that says how large each is: 14-oz can, 9x13 inch, 9" pie crust."""


def scale(amount: str, factor: Fraction) -> str:
    """Multiply the numbers of an amount: twice 1½ cups is 3 cups. Sizes of each stay."""
    if factor == 1:
        return amount
    found, end, is_size, counted = [], 0, False, False
    for number in _NUMBER.finditer(amount):
        between = amount[end : number.start()]
        if not (is_size and _RANGE.fullmatch(between)):
            is_size = (
                bool(end and _OF_EACH.fullmatch(between))
                or _SIZE.match(amount, number.end()) is not None
                or _says_each(amount, number.end())
            )
        counted |= not is_size
        found += [between, number[0] if is_size else _say(_read(number[0]) * factor)]
        end = number.end()
    scaled = "".join((*found, amount[end:]))
    return scaled if counted or not found else f"{_say(factor)} x {scaled}"


def _says_each(amount: str, end: int) -> bool:
    """Whether a number is in brackets that say `each`."""
    rest, bracket, _ = amount[end:].partition(")")
    return bool(bracket) and "(" not in rest and re.search(r"\beach\b", rest) is not None


def _read(number: str) -> Fraction:
    if (word := number.lower()) in VALUES:
        return Fraction(VALUES[word])
    if re.fullmatch(r"[1-9]\d{0,2}(?:,\d{3})+", number):
        return Fraction(number.replace(",", ""))
    text = re.sub(r"\s?[/⁄]\s?", "/", number.replace(",", "."))
    parts = re.sub(f"({_PART})", r" \1", text).split()
    return sum((_PARTS.get(part) or Fraction(part) for part in parts), Fraction(0))


def _say(value: Fraction) -> str:
    whole, rest = divmod(value, 1)
    part = next((part for part, of in _PARTS.items() if of == rest), None)
    if part is not None and whole < 10:
        return f"{whole or ''}{part}"
    return f"{float(value):.3g}" if value < 100 else f"{round(value)}"


def spoken_words(view: View, recipe: RecipeFile, id: str, serves: int | None = None) -> str:
    """Return a subtask's words as people hear them, for as many as it is for or for others."""
    spec = recipe.subtasks[id]
    words, time = spec.do or id, None
    if spec.amount is not None:
        of = Fraction(serves, recipe.serves) if serves and recipe.serves else Fraction(1)
        amount = f"{spec.amount:g}" if isinstance(spec.amount, float) else spec.amount
        words = _with_amount(view, words, scale(amount, of))
    if spec.takes is not None:
        units = ((5400, 3600, "hour"), (60, 60, "minute"))
        fitting = (one for one in units if spec.takes >= one[0] and 2 * spec.takes % one[1] == 0)
        _, size, unit = next(fitting, (0, 1, "second"))
        time = f"{spec.takes / size:g} {unit}{'' if spec.takes == size else 's'}"
    details = {"at": spec.at, "time": time, "note": spec.note, "optional": spec.optional}
    return _render(view, "subtask", {"words": words, **details})


def _with_amount(view: View, words: str, amount: str) -> str:
    """Put an amount before the thing that it ends with, or before the first."""
    said = amount.split()
    for start in range(1, len(said)):
        name = re.escape(" ".join(said[start:]))
        if re.search(rf"\b{name}\b", words):
            return re.sub(rf"(?:\bthe )?\b{name}\b", amount, words, count=1)
    verb, _, thing = words.partition(" ")
    thing = determiners_before(view).sub("", thing)
    values = {"verb": verb, "amount": amount, "thing": thing}
    return _render(view, "portion", {**values, "counted": bool(_COUNT.fullmatch(amount))})


def _render(view: View, name: str, values: dict[str, object]) -> str:
    template = sentence(view, name)
    assert template is not None
    return template.render(MappingScope(values))
