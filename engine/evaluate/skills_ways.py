"""What must be done before a skill can be tried: found in the skills' own files, not written down.

A condition of `before` that has a repair is left to the skill. For one that has none, another skill
is looked for whose effects make it so, and what that one needs is brought about in the same way. So
a door is opened before it is closed, and a thing taken before it is put somewhere. The search
believes what the files say, as the symbolic environment does; nothing is done by it.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import product

from treec.evaluate.skills_outlook import Outlook
from treec.evaluate.skills_pretence import (
    Pretence,
    effects_of,
    holds,
    plain,
    promised,
    value_in,
)
from treec.files.types import Named, parse_type
from treec.files.view import View
from treec.nodes.runtime import NodeError
from treec.nodes.skill_run import SkillRun, bind_arguments
from treec.program.effects import GroundedEffect, parse_effect, parse_repair
from treec.run.run import Run
from treec.source.errors import EvaluationProblem, LocatedError
from treec.source.expression import Expression
from treec.world.clock import VirtualClock
from treec.world.journal import Journal

DEPTH = 3
"""How long a chain of skills may be in which each makes the next one possible."""

ROUNDS = 8
"""How often the conditions of one skill are looked at again."""

LOOKS = 12
"""How many skills that would help are followed up, at most, to make one call possible."""

STRANGE = 1
"""How many things a skill that is done before may name which the other has nothing to do with."""


@dataclass(frozen=True, slots=True)
class TrialCall:
    """A skill with its arguments by name, all of them names of things and agents."""

    skill: str
    args: tuple[tuple[str, str], ...]

    @property
    def agent(self) -> str:
        """Who does it."""
        return dict(self.args).get("agent", "")

    @property
    def words(self) -> str:
        """It as a program writes it."""
        return f"{self.skill}({', '.join(value for _, value in self.args)})"


class Ways:
    """Calls of skills that are possible in a scene, and what must be done before each."""

    def __init__(self, view: View, env: str, seen: Outlook | None = None) -> None:
        self.view = view
        self._seen = seen or Outlook()
        self.skills = {n: e.model for n, e in view.all("skill").items() if env in e.model.runs}
        run = Run(view, VirtualClock(), Journal.in_memory(), seed=0)
        run.world.claim()
        self._runtime = run.runtime
        self._facts = Pretence(run.world)
        self._facts.apply(
            [GroundedEffect(e.fact, e.args, plain(e.value)) for e in self._seen.sensed]
        )
        self.searched = False
        """Whether the last call was found to be impossible only after a search."""
        self._impossible: set[TrialCall] = set()
        self._wanted: list[TrialCall] = []
        self._depth = self._looks = 0
        self._bindings: dict[str, list[TrialCall]] = {}

    def calls(self, skill: str) -> list[TrialCall]:
        """The skill with everything that its arguments' types allow, no thing twice."""
        if skill not in self._bindings:
            parameters = self.skills[skill].args
            choices = [self._choices(skill, *parameter) for parameter in parameters.items()]
            self._bindings[skill] = [
                TrialCall(skill, tuple(zip(parameters, values, strict=True)))
                for values in product(*choices)
                if len(set(values)) == len(values)
            ]
        return self._bindings[skill]

    def subject(self, call: TrialCall) -> str:
        """What the skill is done to: its first argument that is no agent; else nothing."""
        return next((value for _, value in call.args if value not in self.view.agents), "")

    def way(self, call: TrialCall, rng: random.Random) -> tuple[TrialCall, ...] | None:
        """What must be done first, in order; None where nothing makes the call possible."""
        if call in self._impossible:
            return None
        self.searched = False
        for self._depth in (0, 1, DEPTH):  # short chains first
            self._looks = LOOKS
            chain: list[TrialCall] = []
            with self._facts.undone():
                if self._ready(call, 0, chain, rng):
                    return tuple(chain)
            if self._looks == LOOKS:
                break  # nothing was looked for: looking deeper changes nothing
            self.searched = True
        self._impossible.add(call)
        return None

    def _choices(self, skill: str, name: str, type_text: str) -> list[str]:
        wanted = parse_type(type_text)
        found = []
        for thing in (*self.view.agents, *self.view.objects):
            own = self.view.thing_type(thing)
            if own is not None and self.view.types.fits(Named(own), wanted):
                found.append(thing)
        if name == "agent":
            skills = {thing: self.view.agents[thing].skills for thing in found}
            found = [thing for thing in found if not skills[thing] or skill in skills[thing]]
        return found

    # Looking at one call

    def _look(self, call: TrialCall) -> SkillRun | None:
        try:
            bound = bind_arguments(self._runtime, call.skill, (), dict(call.args), call.agent)
            look = SkillRun(self._runtime, "try", call.agent, call.skill, bound)
        except (NodeError, LocatedError, EvaluationProblem):
            return None
        if self._seen.knows and self._seen.impossible(promised(look)):
            return None
        return look

    def _ready(
        self, call: TrialCall, depth: int, chain: list[TrialCall] | None, rng: random.Random
    ) -> bool:
        """Make all conditions of a call hold; what has to be done for it is added to the chain.

        Without a chain only repairs may help, as within a repair.
        """
        look = self._look(call)
        if look is None:
            return False
        repaired = False
        for _ in range(ROUNDS):
            unmet = self._unmet(look, at_first=not repaired and depth == 0)
            if not unmet:
                return True
            hopeless = (text for text, repair in unmet if not repair and not self._makers(text))
            if next(hopeless, None) is not None:
                return False
            text, repair = unmet[0]
            if repair:
                repaired = True
                if not self._repair(look, repair, depth, rng):
                    return False
            elif chain is None or not self._provide(text, look, call, depth, chain, rng):
                return False
        return False

    def _unmet(self, look: SkillRun, *, at_first: bool) -> list[tuple[str, str | None]]:
        """Conditions that do not hold, with their repairs; that it is not done yet is one."""
        found: list[tuple[str, str | None]] = []
        after = look.model.after
        about = {
            f"({part.text}) != none": None
            for text in after
            for part in parse_effect(text).call.parts
            if "(" in part.text
        }
        found += [(text, None) for text in about if not holds(look, text)]
        if at_first and not found and after and not look.model.again:
            done = " and ".join(f"({text})" for text in after)
            if holds(look, done):
                found.append((f"not ({done})", None))
        found += [(text, repair) for text, held, repair in look.conditions() if not held]
        return found

    def _repair(self, look: SkillRun, repair: str, depth: int, rng: random.Random) -> bool:
        try:
            spec = parse_repair(repair)
            values = [part.value(lambda text: value_in(look, text)) for part in spec.parts]
            bound = bind_arguments(self._runtime, spec.name, tuple(values), {}, look.agent)
        except (NodeError, LocatedError, EvaluationProblem):
            return False
        args = tuple((name, _name(value)) for name, value in bound.items())
        return depth <= DEPTH and self._do(TrialCall(spec.name, args), depth + 1, None, rng)

    def _provide(
        self,
        text: str,
        look: SkillRun,
        call: TrialCall,
        depth: int,
        chain: list[TrialCall],
        rng: random.Random,
    ) -> bool:
        """Let another skill make a condition hold."""
        self._looks -= depth >= self._depth
        if depth >= self._depth:
            return False
        named = self._named(call)
        helping: list[tuple[int, TrialCall]] = []
        for other in self._helpers(text, call, named, rng):
            helper = self._look(other) if other not in (*self._wanted, *chain) else None
            changes = None if helper is None else effects_of(helper)
            if not changes or not self._touches(changes, text, named):
                continue
            with self._facts.undone():
                self._facts.apply(changes)
                if holds(look, text):
                    helping.append((len(self._unmet(look, at_first=False)), other))
        for _, other in sorted(helping, key=lambda one: one[0]):  # what leaves least to be done
            self._looks -= 1
            if self._looks <= 0:
                return False
            length = len(chain)
            self._facts.open()
            if self._do(other, depth + 1, chain, rng) and holds(look, text):
                chain.append(other)
                self._facts.keep()
                return True
            del chain[length:]
            self._facts.undo()
        return False

    def _named(self, call: TrialCall) -> set[str]:
        """What a call has to do with: what it names, all agents, and what facts say of these."""
        named = {value for _, value in call.args} | set(self.view.agents)
        for (_, args), known in self._runtime.world.facts:
            if isinstance(known.value, str) and named.issuperset(args):
                named.add(known.value)
        return named

    def _helpers(
        self, text: str, call: TrialCall, named: set[str], rng: random.Random
    ) -> list[TrialCall]:
        """Calls that change a fact which the condition names, what is near at hand first."""
        own = {value for _, value in call.args}
        found = []
        for skill in self._makers(text):
            about = self._about(skill, text)
            for other in self.calls(skill):
                values = [value for _, value in other.args]
                strange = sum(value not in named for value in values)
                near = strange <= STRANGE and any(
                    all(dict(other.args).get(name, name) in named for name in one) for one in about
                )
                if near:
                    apart = sum(value not in own for value in values)
                    found.append((strange, apart, rng.random(), other))
        return [other for *_, other in sorted(found, key=lambda one: one[:3])]

    def _touches(self, changes: Sequence[GroundedEffect], text: str, named: set[str]) -> bool:
        """Whether something changes of what the condition may be about."""
        facts = _called(text)
        return any(
            fact in facts and named.issuperset(args) and self._facts.value((fact, args)) != value
            for fact, args, value in changes
        )

    def _about(self, skill: str, text: str) -> list[list[str]]:
        """Which arguments those of its effects are about that set a fact of the condition."""
        model, facts = self.skills[skill], _called(text)
        effects = [parse_effect(effect) for effect in model.after]
        return [
            [arg for arg in effect.args if arg in model.args]
            for effect in effects
            if effect.fact in facts
        ]

    def _makers(self, text: str) -> list[str]:
        facts = _called(text)
        return [skill for skill, changed in self._changes.items() if changed & facts]

    @cached_property
    def _changes(self) -> dict[str, set[str]]:
        return {
            name: {parse_effect(text).fact for text in model.after}
            for name, model in self.skills.items()
        }

    # Pretending

    def _do(
        self, call: TrialCall, depth: int, chain: list[TrialCall] | None, rng: random.Random
    ) -> bool:
        look = self._look(call)
        if look is None or call.skill not in self.skills or depth > 2 * DEPTH:
            return False
        after = look.model.after
        if chain is None and after and not look.model.again and all(holds(look, t) for t in after):
            return True
        self._wanted.append(call)
        try:
            return self._ready(call, depth, chain, rng) and self._apply(look)
        finally:
            self._wanted.pop()

    def _apply(self, look: SkillRun) -> bool:
        """Make the effects so. False where one of them is about nothing."""
        changes = effects_of(look)
        self._facts.apply(changes or ())
        return changes is not None


def _called(text: str) -> set[str]:
    """The facts and functions that a condition calls."""
    return {call.name for call in Expression.parse(text).calls}


def _name(value: object) -> str:
    return str(getattr(value, "__treec_name__", None) or value)


def words(calls: Sequence[TrialCall]) -> str:
    """Calls one after the other."""
    return ", then ".join(call.words for call in calls)
