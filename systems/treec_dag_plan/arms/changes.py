"""Which facts of which things the commands of a world can change.

`running(basin(tap))` of a faucet in a sink changes `running(sink)`, never `running(faucet)`. What
an effect is about is followed through facts that no command changes; where it depends on the state
(`ran(at(item))`), every thing of the fact's type counts.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from treec.files.places import FactSpec
from treec_dag_plan.arms.world import ArmWorld, SkillModel
from treec_dag_plan.arms.world_logic import Constant, LogicFact, LogicName, Term, names_in, reader


class Changes:
    """Fact → for each of its arguments the things for which some command can change it."""

    def __init__(self, world: ArmWorld, facts: Mapping[str, FactSpec]) -> None:
        self.world = world
        self.facts = facts
        self._things: dict[str, list[set[str]]] = {}
        self._fits: dict[tuple[str, str], tuple[str, ...]] = {}
        for skill in world.skills:
            for effect in skill.after:
                spec = facts.get(effect.fact)
                if spec is None:
                    continue
                own = self._things.setdefault(effect.fact, [set() for _ in effect.args])
                for found, arg, kind in zip(own, effect.args, spec.args, strict=False):
                    found.update(self._reached(skill, arg, kind))

    def things(self, fact: str, place: int = 0) -> tuple[str, ...]:
        """The things that can stand at a place of a fact that commands change, in their order."""
        own = self._things.get(fact, [])
        return tuple(thing for thing in self.world.things if thing in own[place]) if own else ()

    def never(self, fact: LogicFact) -> bool:
        """Whether no command changes this fact of these things."""
        if fact.name not in self._things:
            return fact.name not in self.world.fluents
        names = [self._name(arg) for arg in fact.args]
        return any(
            name in self.world.things and name not in own
            for name, own in zip(names, self._things[fact.name], strict=False)
        )

    def instead(self, fact: LogicFact) -> str | None:
        """What a command on one of these things changes: `open "faucet" changes running(sink)`."""
        for name in filter(None, map(self._name, fact.args)):
            for skill in self.world.skills:
                for arg in skill.objects:
                    if name not in self._fitting(skill, arg):
                        continue
                    for effect in (e for e in skill.after if e.fact == fact.name):
                        keys = [self._value(skill, term, arg, name) for term in effect.args]
                        if any(keys) and name not in keys:
                            others = {other: other for other in skill.objects} | {arg: name}
                            told = ", ".join(key or "…" for key in keys)
                            return f"{skill.syntax.format(**others)} changes {fact.name}({told})"
        return None

    def _name(self, term: Term) -> str | None:
        return self.world.names.get(term.name, term.name) if isinstance(term, LogicName) else None

    def _value(self, skill: SkillModel, term: Term, arg: str, name: str) -> str | None:
        """What a term of an effect is for one argument; None if it depends on more than that."""
        if not names_in(term) <= {arg} or not self._is_fixed(term):
            return None
        value = reader(term, {arg: name})(self.world.start)
        return value if isinstance(value, str) else None

    def _is_fixed(self, term: Term) -> bool:
        if isinstance(term, LogicFact):
            return term.name not in self.world.fluents and all(map(self._is_fixed, term.args))
        return isinstance(term, LogicName | Constant)

    def _reached(self, skill: SkillModel, term: Term, kind: str) -> Iterator[str]:
        used = names_in(term)
        if self._is_fixed(term) and len(used) == 1 and used <= set(skill.types):
            (arg,) = used
            for name in self._fitting(skill, arg):
                value = self._value(skill, term, arg, name)
                if value is not None:
                    yield value
            return
        kinds = [option.strip() for option in kind.split(" or ")]
        fits = self.world.fits
        yield from (t for t in self.world.things if any(fits(t, option) for option in kinds))

    def _fitting(self, skill: SkillModel, arg: str) -> tuple[str, ...]:
        """The things that an argument can be, by its type and conditions that never change."""
        key = (skill.name, arg)
        if key not in self._fits:
            self._fits[key] = () if arg in skill.arms else tuple(self._things_for(skill, arg))
        return self._fits[key]

    def _things_for(self, skill: SkillModel, arg: str) -> Iterator[str]:
        world = self.world
        fixed = [term for term in skill.before if world.fixed(term, skill)]
        fixed = [term for term in fixed if names_in(term) & set(skill.types) == {arg}]
        for thing in world.things:
            if world.fits(thing, skill.types[arg]) and all(
                reader(term, {arg: thing})(world.start) for term in fixed
            ):
                yield thing
