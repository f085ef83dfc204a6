"""Example of a judge that its own rules answer otherwise.

Without a model the first rule of `offline` that holds answers. An example says what the right
answer is, to a model and as a test; where the rules give another, one of the two is wrong.

Wrong:

    sees: {gap: gap(who)}
    offline:
      - {when: gap < 1, answer: {unsafe: true}}
      - {when: true, answer: {unsafe: false}}
    examples:
      - given: {gap: 0.5}
        answer: {unsafe: false}

Right:

    sees: {gap: gap(who)}
    offline:
      - {when: gap < 1, answer: {unsafe: true}}
      - {when: true, answer: {unsafe: false}}
    examples:
      - given: {gap: 1.5}
        answer: {unsafe: false}
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from treec.check.base import entries
from treec.check.environments import world
from treec.check.names import TypeEnvironment
from treec.files.entry import Entry
from treec.files.view import View
from treec.source.diagnostics import Diagnostic
from treec.source.errors import EvaluationProblem, LocatedError
from treec.source.expression import Expression
from treec.source.scope import MappingScope
from treec.source.values import resolve
from treec_models.judge_file import PROBABILITY, SCORE, JudgeExample, JudgeFile, form_of, type_set

CODE = "TC883"
SEVERITY = "warning"


def check(view: View) -> Iterator[Diagnostic]:
    """Report examples with another answer than the rules give to what they see."""
    env = world(view)
    for entry in entries(view, "judge"):
        for index, example in enumerate(entry.model.examples):
            ruled = _by_rules(entry.model, example)
            for name, value in example.answer.values.items():
                if ruled is None or name not in ruled or type_set(view, name) is None:
                    continue
                if _differ(env, entry, name, value, ruled[name]):
                    span = entry.span("examples", index, "answer", name)
                    message = f"the rules of 'offline' answer '{name}' by {_shown(ruled[name])}"
                    help = "correct the rule, or the example"
                    yield Diagnostic(CODE, "warning", span, message, help)


def _by_rules(model: JudgeFile, example: JudgeExample) -> Mapping[str, object] | None:
    """What the rules answer to what an example gives; None if that cannot be told."""
    things = {name: example.given.get(name, "") for name in model.for_}
    seen = {name: example.given.get(name) for name in model.sees}
    scope = MappingScope({**things, **seen})
    try:
        for rule in model.offline:
            if Expression.parse(rule.when).evaluate(scope):
                found = resolve(dict(rule.answer), scope)
                return found if isinstance(found, dict) else None
    except (EvaluationProblem, LocatedError):
        return None  # a thing of the scene, a function, or a mistake that is reported elsewhere
    return None


def _differ(
    env: TypeEnvironment, entry: Entry[JudgeFile], name: str, one: object, other: object
) -> bool:
    """Whether two answers are not the same; probabilities are if both are a yes or both a no."""
    spec = entry.model.sets.get(name)
    if spec is None:
        return False  # reported by TC882
    form = form_of(env.view, env, name, spec)
    mine, theirs = form.spelled(one), form.spelled(other)
    if form.misfit(mine) or form.misfit(theirs):
        return False  # reported by TC882
    are_numbers = all(isinstance(value, int | float) for value in (mine, theirs))
    if form.kind in (PROBABILITY, SCORE) and are_numbers:
        left, right = float(str(mine)), float(str(theirs))
        return (left >= 0.5) != (right >= 0.5) if form.kind == PROBABILITY else left != right
    return mine != theirs


def _shown(value: object) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)
