"""Precondition that nothing can make true.

A condition under `before` without a repair must be made true by a skill's effect, the scene or an
agent's `starts`. If nothing ever sets its fact, the skill can never begin.

Wrong, where no skill's `after` and no object has `sharp`:

    skill: cut
    about: Cut something.
    args: {agent: Robot, tool: Item}
    before:
      - sharp(tool)

Right:

    skill: cut
    about: Cut something.
    args: {agent: Robot, tool: Item}
    before:
      - sharp(tool): sharpen(agent, tool)
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from treec.check.environments import world
from treec.check.skill_texts import conditions, effects
from treec.check.unreadable import unreadable_kinds
from treec.files.view import View
from treec.frozen import frozen
from treec.program.effects import EffectSpec
from treec.source.diagnostics import Diagnostic
from treec.source.errors import SourceError
from treec.source.expression import Expression, ExpressionCall
from treec.source.objects import UnknownValue
from treec.source.scope import Special, UnknownScope
from treec.team.names import SPECIALS

CODE = "TC507"


def check(view: View) -> Iterator[Diagnostic]:
    """Report facts that a condition without a repair needs and nothing ever sets."""
    broken = unreadable_kinds(view.library)
    if not view.scenes or broken & {"skill", "scene", "agent", "domain"}:
        return
    given = frozenset(_settable_facts(view))
    for condition, repair in conditions(view):
        if repair is not None:
            continue
        try:
            expression = Expression.parse(condition.text)
        except SourceError:
            continue
        for call in _missing(expression, view, given):
            yield Diagnostic(
                CODE,
                "error",
                condition.span(call.offset, len(call.name)),
                f"nothing ever sets '{call.name}': no skill, no object, no agent's 'starts'",
                f"add a repair, '{condition.text}: SKILL(…)', or set the fact in the scene",
            )


def _missing(expression: Expression, view: View, given: frozenset[str]) -> list[ExpressionCall]:
    """Return the calls of unset facts in a condition that never holds.

    Of several, those that each make it false whatever the others are; else all.
    """
    if expression.judge(_Settable(view, given)) is not False:
        return []
    unset = [c for c in expression.calls if c.name in view.facts and c.name not in given]
    everything = frozenset(view.facts)
    return [
        call
        for call in unset
        if expression.judge(_Settable(view, everything - {call.name})) is False
    ] or unset


@frozen(slots=False)
class _Settable(UnknownScope):
    """A world in which facts that nothing sets are none or false, and all else is unknown."""

    view: View
    given: frozenset[str]

    def lookup(self, name: str) -> object:
        """Return the value of an argument or a thing; the state of the world is unknown."""
        return super().lookup(name) if name in world(self.view).names else UnknownValue()

    def call(self, name: str, args: tuple[object, ...], kwargs: Mapping[str, object]) -> object:
        """Return a fact's value; the results of other calls are unknown."""
        fact = self.view.facts.get(name)
        if fact is None or (fact.value is None and name in self.given):
            return super().call(name, args, kwargs)
        if name in self.given:
            return UnknownValue()
        return None if fact.value is not None else False

    def special(self, name: str) -> Special | None:
        """Functions of a fact itself, such as its age, are unknown."""
        return super().special(name) if name in SPECIALS else None


def _settable_facts(view: View) -> set[str]:
    """Return the facts that something sets to a value other than false or none."""
    given: set[str] = set()
    for written in effects(view):
        effect = written.effect()
        if isinstance(effect, EffectSpec) and not effect.negated and effect.value != "none":
            given.add(effect.fact)
    for spec in view.type_specs.values():
        given.update(name for name, value in spec.has.items() if value not in (None, False))
    for scene in view.library.of_kind("scene"):  # a skill may be for another scene of this domain
        if scene.model.domain not in view.all("domain"):
            continue
        for spec in scene.model.objects.values():
            given.update(name for name, value in spec.facts.items() if value not in (None, False))
    for agent in view.agents.values():
        given.update(name for name, value in agent.starts.items() if value not in (None, False))
    return given
