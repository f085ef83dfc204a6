"""Effect that does not set a fact.

Each item of `after` and `at_start` sets one fact of the domain: `fact(args) == value`, or
`fact(args)` and `not fact(args)` of one that is true or false.

Wrong, where `at` has a value and `hot` is true or false:

    after:
      - at(item)
      - hot(item) == 'very'
      - at(item) == agent and hot(item)

Right:

    after:
      - at(item) == agent
      - hot(item)
"""

from __future__ import annotations

from collections.abc import Iterator

from treec.check.skill_texts import SkillText, effects
from treec.check.texts import reported_elsewhere
from treec.check.unreadable import unreadable_kinds
from treec.files.types import a, read_type
from treec.files.view import View
from treec.program.effects import EffectError, EffectSpec
from treec.source.diagnostics import Diagnostic, suggestion

CODE = "TC508"


def check(view: View) -> Iterator[Diagnostic]:
    """Report invalid effects, unknown facts, and values the fact's declaration excludes."""
    if "domain" in unreadable_kinds(view.library) or not view.domains:
        return
    reported = reported_elsewhere(view)
    for written in effects(view):
        if written.where in reported:
            continue
        effect = written.effect()
        if isinstance(effect, EffectError):
            span = written.span(effect.offset, effect.length)
            yield Diagnostic(CODE, "error", span, effect.message, effect.help)
        elif effect is not None:
            yield from _judge(view, written, effect)


def _judge(view: View, written: SkillText, effect: EffectSpec) -> Iterator[Diagnostic]:
    fact = view.facts.get(effect.fact)
    name = written.span(effect.offset, len(effect.fact))
    if fact is None:
        help = suggestion(effect.fact, view.facts, "facts")
        yield Diagnostic(CODE, "error", name, f"unknown fact '{effect.fact}'", help)
        return
    if fact.value is None and effect.wanted is not None:
        part = effect.wanted
        if part.text in ("true", "false", "True", "False"):
            return
        yield Diagnostic(
            CODE,
            "error",
            written.span(part.offset, len(part.text)),
            f"'{effect.fact}' is either true or false and has no other value",
            f"write {effect.fact}(…), or not {effect.fact}(…)",
        )
    elif fact.value not in (None, "bool") and effect.wanted is None:
        value = "none" if effect.negated else f"…, {a(read_type(fact.value))}"
        yield Diagnostic(
            CODE,
            "error",
            name,
            f"'{effect.fact}' has a value, but this does not say which",
            f"write {effect.fact}({', '.join(effect.args)}) == {value}",
        )
