"""Subtasks of a recipe as people hear them: with amounts for so many people, times and notes."""

from __future__ import annotations

import re
import unicodedata
from fractions import Fraction

from treec.files.tasks import RecipeFile
from treec.files.view import View
from treec.source.scope import MappingScope
from treec.team.language import determiners_before
from treec.team.sentences import sentence

_NUMBER = re.compile(r"(?:\d+ )?\d+/\d+|\d+(?:[.,]\d+)?(?: ?[½¼¾⅓⅔])?|[½¼¾⅓⅔]")
_PARTS = {part: Fraction(unicodedata.numeric(part)).limit_denominator(4) for part in "½¼¾⅓⅔"}
_COUNT = re.compile(rf"(?:{_NUMBER.pattern}|[\s–-])+")


def scale(amount: str, factor: Fraction) -> str:
    """Multiply the numbers of an amount: twice 1½ cups is 3 cups."""
    return amount if factor == 1 else _NUMBER.sub(lambda m: _say(_read(m[0]) * factor), amount)


def _read(number: str) -> Fraction:
    parts = re.sub("([½¼¾⅓⅔])", r" \1", number.replace(",", ".")).split()
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
        units = ((5400, 3600, "hour"), (60, 60, "minute"), (0, 1, "second"))
        size, unit = next((size, unit) for least, size, unit in units if spec.takes >= least)
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
