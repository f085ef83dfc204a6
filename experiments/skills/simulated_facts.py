"""Facts of a world changed as skills promise, without running them, and restored."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager

from treec.nodes.skill_run import SkillRun
from treec.nodes.worker import Effect
from treec.program.effects import EffectError, GroundedEffect, ground, parse_effect
from treec.source.errors import EvaluationProblem, LocatedError
from treec.source.expression import Expression
from treec.world.events import Commit, FactForget, FactSet
from treec.world.facts import FactKey
from treec.world.world import World


class SimulatedFacts:
    """Changes of facts in nested levels, each of which can be undone or kept."""

    def __init__(self, world: World) -> None:
        self._world = world
        self._levels: list[dict[FactKey, object]] = []

    def value(self, key: FactKey) -> object:
        """The present value of a fact; None if unknown."""
        known = self._world.facts.get(*key)
        return None if known is None else known.value

    def apply(self, changes: Sequence[GroundedEffect]) -> None:
        """Set facts and record their previous values in the innermost level."""
        last = {(fact, args): value for fact, args, value in changes}
        changed: dict[FactKey, object] = {}
        for key, value in last.items():
            before = self.value(key)
            if before is not value and before != value:
                for level in self._levels[-1:]:
                    level.setdefault(key, before)
                changed[key] = value
        self._set(changed)

    @contextmanager
    def temporary(self) -> Iterator[None]:
        """Undo the changes made in the context."""
        self.open()
        try:
            yield
        finally:
            self.undo()

    def open(self) -> None:
        """Open a level."""
        self._levels.append({})

    def undo(self) -> None:
        """Undo the innermost level."""
        self._set(self._levels.pop())

    def keep(self) -> None:
        """Merge the innermost level into the enclosing one."""
        inner = self._levels.pop()
        for around in self._levels[-1:]:
            for key, value in inner.items():
                around.setdefault(key, value)

    def _set(self, changed: Mapping[FactKey, object]) -> None:
        events = tuple(
            FactForget(fact, args) if value is None else FactSet(fact, args, value, "expected")
            for (fact, args), value in changed.items()
        )
        if events:
            self._world.emit(Commit(events=events), "pretence")


def skill_effects(run: SkillRun) -> list[GroundedEffect] | None:
    """The effects of a skill; None if one cannot be evaluated."""
    try:
        texts = (*run.model.at_start, *run.model.after)
        return [ground(parse_effect(text), lambda part: value_in(run, part)) for text in texts]
    except (EffectError, LocatedError, EvaluationProblem):
        return None


def promised_effects(run: SkillRun) -> tuple[Effect, ...]:
    """The effects of a skill in the form that environments take."""
    return tuple(Effect(fact, args, value) for fact, args, value in skill_effects(run) or ())


def plain(value: object) -> str | int | float | bool | None:
    """The value of a fact in the form used by effects."""
    return value if isinstance(value, str | int | float | bool | None) else str(value)


def holds(run: SkillRun, text: str) -> bool:
    """Whether a condition of the skill holds; False if it cannot be evaluated."""
    try:
        return bool(value_in(run, text))
    except (LocatedError, EvaluationProblem):
        return False


def value_in(run: SkillRun, text: str) -> object:
    """The value of an expression over the skill's arguments."""
    return Expression.parse(text).evaluate(run.scope)
