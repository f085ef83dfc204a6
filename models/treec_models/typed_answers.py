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
    return _score(len(question["criteria"]), answer)


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
    confidence = answer.get("confidence")
    if confidence is None and choice in chances and len(options) > 1:
        confidence = (len(options) * chances[choice] - 1) / (len(options) - 1)
        confidence = min(1.0, max(0.0, confidence))
    sure = _share(confidence, "its confidence")
    return {"choice": choice, "probabilities": chances, "confidence": sure}


def _score(levels: int, answer: Mapping[str, Any]) -> dict[str, Any]:
    chances = {name: _share(value, name) for name, value in _pairs(answer.get("probabilities"))}
    score = answer.get("score")
    if not isinstance(score, int | float) or not 0 <= score <= levels - 1:
        raise NoTypedAnswer(f"the score {score!r} is not from 0 to {levels - 1}")
    sure = _share(answer.get("confidence"), "its confidence")
    return {"score": float(score), "probabilities": chances, "confidence": sure}


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
    try:
        share = float(value) if isinstance(value, int | float | str) else math.nan
    except ValueError:
        share = math.nan
    if not 0 <= share <= 1:
        raise NoTypedAnswer(f"the probability of {what} is {value!r}")
    return share
