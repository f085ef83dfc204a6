"""Reads the answers of decision models as servers send them, and computes what they leave out.

System One answers by the questions' names, OpenAI's Decisions in their order; both are brought into
one form: `{choice, probabilities, confidence}`, `{noul}`, `{score, probabilities, confidence}`.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from treec.source.diagnostics import unknown

Question = Mapping[str, Any]


class NoTypedAnswer(ValueError):
    """A question has no answer, and why."""


def typed_answer(question: Question, answer: object) -> dict[str, Any]:
    """One answer in the common form. Raises NoTypedAnswer."""
    if isinstance(answer, Mapping) and answer.get("type") == "refusal":
        raise NoTypedAnswer("the model refuses to answer")
    if question["type"] == "noul":
        return {"noul": _noul(answer)}
    if not isinstance(answer, Mapping):
        raise NoTypedAnswer(f"it is {answer!r}" if answer is not None else "there is none")
    if question["type"] == "choice":
        return _choice(list(question["criteria"]), answer)
    return _score(list(question["criteria"]), answer)


def answers_by_name(questions: Mapping[str, Question], found: object) -> Mapping[str, object]:
    """The answers by the names of their questions: of a mapping, or of a list."""
    if isinstance(found, Mapping):
        return {str(name): answer for name, answer in found.items()}
    answers = found if isinstance(found, list | tuple) else ()
    named: dict[str, object] = {}
    for name, answer in zip(questions, answers, strict=False):
        own = answer.get("name") if isinstance(answer, Mapping) else None
        named[own if isinstance(own, str) and own in questions else name] = answer
    return named


def _noul(answer: object) -> float:
    if isinstance(answer, Mapping):
        chances = dict(_pairs(answer.get("probabilities")))
        given = (answer.get("noul"), answer.get("probability"), chances.get("true"))
        answer = next((one for one in given if one is not None), None)
    return _share(answer, "a yes")


def _choice(options: list[str], answer: Mapping[str, Any]) -> dict[str, Any]:
    chances = {
        name: _share(value, name)
        for option, value in _pairs(answer.get("probabilities"))
        if (name := _option(options, option)) is not None
    }
    choice = _option(options, answer.get("choice"))
    if choice is None and answer.get("choice") is not None:
        raise NoTypedAnswer(unknown("option", str(answer["choice"]), options))
    if choice is None:
        choice = max(chances, key=lambda name: chances[name], default=None)
    if choice is None:
        raise NoTypedAnswer("it names no option")
    sure = _confidence(answer, chances.get(choice), len(options))
    return {"choice": choice, "probabilities": chances, "confidence": sure}


def _confidence(answer: Mapping[str, Any], chance: float | None, number: int) -> float:
    """How sure an answer is: as it says, else by the chance of what it says, of a number."""
    given = answer.get("confidence")
    if given is None and chance is not None and number > 1:
        given = min(1.0, max(0.0, (number * chance - 1) / (number - 1)))
    return _share(given, "its confidence")


def _score(levels: list[str], answer: Mapping[str, Any]) -> dict[str, Any]:
    """A level, which may be named, and stand between two; its chance is that of the nearest."""
    chances = {name: _share(value, name) for name, value in _pairs(answer.get("probabilities"))}
    score, names = answer.get("score"), [level.partition(":")[0] for level in levels]
    if isinstance(score, str) and (name := _option(names, score)) is not None:
        score = names.index(name)
    number = _number(score)
    if not 0 <= number <= len(levels) - 1:
        raise NoTypedAnswer(f"the score {score!r} is not from 0 to {len(levels) - 1}")
    at = round(number)
    chance = next(
        (chances[one] for one in (str(at), levels[at], names[at]) if one in chances), None
    )
    sure = _confidence(answer, chance, len(levels))
    return {"score": number, "probabilities": chances, "confidence": sure}


def _pairs(given: object) -> Iterator[tuple[str, object]]:
    """Probabilities by name: of a mapping, or of a list of pairs."""
    if isinstance(given, Mapping):
        yield from ((str(name), value) for name, value in given.items())
    elif isinstance(given, Iterable) and not isinstance(given, str):
        for one in given:
            if isinstance(one, Mapping):
                yield str(one.get("value")), one.get("probability")


def _option(options: list[str], given: object) -> str | None:
    """The option that is meant: case, blanks, `_` and `-` do not matter where one fits."""
    if given in options:
        return str(given)
    alike = [one for one in options if _plain(one) == _plain(str(given))]
    return alike[0] if len(alike) == 1 else None


def _plain(name: str) -> str:
    return re.sub(r"[\s_-]+", "", name).casefold()


def _share(value: object, what: str) -> float:
    share = _number(value)
    if isinstance(value, str) and value.rstrip().endswith("%"):
        share = _number(value.rstrip()[:-1]) / 100
    if not 0 <= share <= 1:
        raise NoTypedAnswer(f"the probability of {what} is {value!r}")
    return share


def _number(value: object) -> float:
    """A number, perhaps as text; not a number for anything else."""
    try:
        return float(value) if isinstance(value, int | float | str) else math.nan
    except ValueError:
        return math.nan
