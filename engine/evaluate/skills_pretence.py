"""A world in which skills are only pretended: facts are set as they promise, and taken back."""

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


class Pretence:
    """Changes of a world's facts in levels, each of which can be undone or kept."""

    def __init__(self, world: World) -> None:
        self._world = world
        self._levels: list[dict[FactKey, object]] = []

    def value(self, key: FactKey) -> object:
        """What is held of a fact now; None for what nobody knows."""
        known = self._world.facts.get(*key)
        return None if known is None else known.value

    def apply(self, changes: Sequence[GroundedEffect]) -> None:
        """Make facts so; what they were is remembered by the innermost level."""
        last = {(fact, args): value for fact, args, value in changes}
        news: dict[FactKey, object] = {}
        for key, value in last.items():
            before = self.value(key)
            if before is not value and before != value:
                for level in self._levels[-1:]:
                    level.setdefault(key, before)
                news[key] = value
        self._set(news)

    @contextmanager
    def undone(self) -> Iterator[None]:
        """Take back what is changed within."""
        self.open()
        try:
            yield
        finally:
            self.undo()

    def open(self) -> None:
        """Begin a level."""
        self._levels.append({})

    def undo(self) -> None:
        """Take the innermost level back."""
        self._set(self._levels.pop())

    def keep(self) -> None:
        """What the innermost level has changed belongs to the one around it."""
        inner = self._levels.pop()
        for around in self._levels[-1:]:
            for key, value in inner.items():
                around.setdefault(key, value)

    def _set(self, news: Mapping[FactKey, object]) -> None:
        events = tuple(
            FactForget(fact, args) if value is None else FactSet(fact, args, value, "expected")
            for (fact, args), value in news.items()
        )
        if events:
            self._world.emit(Commit(events=events), "pretence")


def effects_of(look: SkillRun) -> list[GroundedEffect] | None:
    """What a skill brings about in the end; None where an effect is about nothing."""
    try:
        texts = (*look.model.at_start, *look.model.after)
        return [ground(parse_effect(text), lambda part: value_in(look, part)) for text in texts]
    except (EffectError, LocatedError, EvaluationProblem):
        return None


def promised(look: SkillRun) -> tuple[Effect, ...]:
    """The same as an environment is asked about."""
    return tuple(Effect(fact, args, value) for fact, args, value in effects_of(look) or ())


def plain(value: object) -> str | int | float | bool | None:
    """A fact's value as effects have it."""
    return value if isinstance(value, str | int | float | bool | None) else str(value)


def holds(look: SkillRun, text: str) -> bool:
    """Whether a condition of the skill holds; one that cannot be evaluated does not."""
    try:
        return bool(value_in(look, text))
    except (LocatedError, EvaluationProblem):
        return False


def value_in(look: SkillRun, text: str) -> object:
    """The value of an expression over the skill's arguments."""
    return Expression.parse(text).evaluate(look.scope)
