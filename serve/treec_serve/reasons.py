"""Why a decision was made: which rules fitted at that moment, and what they looked at."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from typing import Any

from treec.source.errors import EvaluationProblem, LocatedError
from treec.source.expression import Expression
from treec.source.grammar import brackets
from treec.source.scope import Scope
from treec.source.template import TextTemplate
from treec_asking.decide import Decision

LONGEST = 120
"""Characters of a value that are shown."""

EITHER = {True: "yes", False: "no"}


def rules_at(node: object, scope: Scope) -> list[dict[str, Any]]:
    """The rules of a decision in the order in which they are tried, up to the first that fits.

    ``kind`` is always, offer or offline; ``number`` counts the rules of a kind, from 1; ``fits`` is
    None for those after the first that fits, which are not looked at. ``looked`` has what a rule
    read, and the values. Nothing is told of what is no decision.
    """
    if not isinstance(node, Decision):
        return []
    found, fitted = [], False
    for kind, number, rule, choose in node.rules_in_order():
        fits = None if fitted else bool(rule.evaluate(scope))
        looked = [] if fitted else [list(one) for one in _looked(rule, scope)]
        data = {"kind": kind, "number": number, "when": rule.text, "choose": choose}
        found.append({**data, "fits": fits, "looked": looked})
        fitted = fitted or bool(fits)
    return found


def _looked(rule: Expression, scope: Scope) -> Iterator[tuple[str, str]]:
    """What a rule reads, each once, and its value in words."""
    told = set()
    for name in rule.names:
        text = ".".join([name.name, *(field for field, _ in name.fields)])
        if name.called:
            text = _call(rule.text, name.offset)
        if text in told:
            continue
        told.add(text)
        with suppress(LocatedError, EvaluationProblem):
            value = Expression.parse(text).evaluate(scope)
            words = EITHER.get(value) if isinstance(value, bool) else None
            yield text, words or _short(TextTemplate.parse(f"{{{{ {text} }}}}").render(scope))


def _call(text: str, begin: int) -> str:
    """The call that begins at an offset, its arguments included."""
    ends = (found.end() for found, depth in brackets(text, begin) if not depth and found[0] == ")")
    return text[begin : next(ends, len(text))]


def _short(text: str) -> str:
    """A text in one line; "nothing" for an empty one."""
    line = " ".join(text.split())
    if line in ("", "[]", "{}", "none"):
        return "nothing"
    return line if len(line) <= LONGEST else f"{line[: LONGEST - 1]}…"
