"""Plans the preparation of a skill trial from the skills' own files.

A precondition with a repair is left to the skill. For one without, the planner searches for another
skill whose effects establish it, and establishes that skill's preconditions in the same way. So a
door is opened before it is closed, and a thing is picked before it is placed. The search relies on
the declared effects, as the symbolic environment does; nothing is executed.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import product

from experiments.skills.sensing import SceneFacts
from experiments.skills.simulated_facts import (
    SimulatedFacts,
    holds,
    plain,
    promised_effects,
    skill_effects,
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
from treec.world.spec import RunSpec

DEPTH = 3
"""Maximum length of a chain of skills in which each enables the next."""

ROUNDS = 8
"""Maximum number of rounds over the preconditions of one skill."""

MAX_CANDIDATES = 12
"""Maximum number of candidate skills explored for one call."""

MAX_UNRELATED = 1
"""Maximum number of unrelated things that a preparing call may name."""


@dataclass(frozen=True, slots=True)
class TrialCall:
    """A call of a skill; its arguments are names of things and agents."""

    skill: str
    args: tuple[tuple[str, str], ...]

    @property
    def agent(self) -> str:
        """The agent that does it."""
        return dict(self.args).get("agent", "")

    @property
    def words(self) -> str:
        """The call as written in a program."""
        return f"{self.skill}({', '.join(value for _, value in self.args)})"


class TrialPlanner:
    """Finds the possible calls of skills in a scene and plans the preparation of each."""

    def __init__(self, view: View, env: str, sensing: SceneFacts | None = None) -> None:
        self.view = view
        self._sensing = sensing or SceneFacts()
        self.skills = {n: e.model for n, e in view.all("skill").items() if env in e.model.runs}
        run = Run(view, VirtualClock(), Journal.in_memory(), RunSpec(seed=0))
        run.world.claim()
        self._runtime = run.runtime
        self._facts = SimulatedFacts(run.world)
        self._facts.apply(
            [GroundedEffect(e.fact, e.args, plain(e.value)) for e in self._sensing.sensed]
        )
        self.searched = False
        """Whether the last call was found impossible only after a search."""
        self._impossible: set[TrialCall] = set()
        self._wanted: list[TrialCall] = []
        self._depth = self._candidates = 0
        self._bindings: dict[str, list[TrialCall]] = {}

    def calls(self, skill: str) -> list[TrialCall]:
        """All calls of a skill that the types of its arguments allow, without repeated things."""
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
        """The first argument that is not an agent; empty if there is none."""
        return next((value for _, value in call.args if value not in self.view.agents), "")

    def plan(self, call: TrialCall, rng: random.Random) -> tuple[TrialCall, ...] | None:
        """The calls that prepare a call, in order; None if nothing makes it possible."""
        if call in self._impossible:
            return None
        self.searched = False
        for self._depth in (0, 1, DEPTH):  # short chains first
            self._candidates = MAX_CANDIDATES
            chain: list[TrialCall] = []
            with self._facts.temporary():
                if self._ready(call, 0, chain, rng):
                    return tuple(chain)
            if self._candidates == MAX_CANDIDATES:
                break  # no search took place, so a deeper one will not either
            self.searched = True
        self._impossible.add(call)
        return None

    def _choices(self, skill: str, name: str, type_text: str) -> list[str]:
        expected = parse_type(type_text)
        found = []
        for thing in (*self.view.agents, *self.view.objects):
            own = self.view.thing_type(thing)
            if own is not None and self.view.types.fits(Named(own), expected):
                found.append(thing)
        if name == "agent":
            skills = {thing: self.view.agents[thing].skills for thing in found}
            found = [thing for thing in found if not skills[thing] or skill in skills[thing]]
        return found

    # Preconditions of one call

    def _skill_run(self, call: TrialCall) -> SkillRun | None:
        try:
            bound = bind_arguments(self._runtime, call.skill, (), dict(call.args), call.agent)
            skill_run = SkillRun(self._runtime, "try", call.agent, call.skill, bound)
        except (NodeError, LocatedError, EvaluationProblem):
            return None
        if self._sensing.knows and self._sensing.impossible(promised_effects(skill_run)):
            return None
        return skill_run

    def _ready(
        self, call: TrialCall, depth: int, chain: list[TrialCall] | None, rng: random.Random
    ) -> bool:
        """Establish all preconditions of a call, appending the necessary calls to the chain.

        Without a chain only repairs are allowed, as within a repair.
        """
        skill_run = self._skill_run(call)
        if skill_run is None:
            return False
        repaired = False
        for _ in range(ROUNDS):
            unmet = self._unmet(skill_run, at_first=not repaired and depth == 0)
            if not unmet:
                return True
            hopeless = (text for text, repair in unmet if not repair and not self._makers(text))
            if next(hopeless, None) is not None:
                return False
            text, repair = unmet[0]
            if repair:
                repaired = True
                if not self._repair(skill_run, repair, depth, rng):
                    return False
            elif chain is None or not self._provide(text, skill_run, call, depth, chain, rng):
                return False
        return False

    def _unmet(self, skill_run: SkillRun, *, at_first: bool) -> list[tuple[str, str | None]]:
        """The conditions that do not hold, with their repairs; effects must not hold yet."""
        found: list[tuple[str, str | None]] = []
        after = skill_run.model.after
        about = {
            f"({part.text}) != none": None
            for text in after
            for part in parse_effect(text).call.parts
            if "(" in part.text
        }
        found += [(text, None) for text in about if not holds(skill_run, text)]
        if at_first and not found and after and not skill_run.model.again:
            done = " and ".join(f"({text})" for text in after)
            if holds(skill_run, done):
                found.append((f"not ({done})", None))
        found += [(text, repair) for text, held, repair in skill_run.conditions() if not held]
        return found

    def _repair(self, skill_run: SkillRun, repair: str, depth: int, rng: random.Random) -> bool:
        try:
            spec = parse_repair(repair)
            values = [part.value(lambda text: value_in(skill_run, text)) for part in spec.parts]
            bound = bind_arguments(self._runtime, spec.name, tuple(values), {}, skill_run.agent)
        except (NodeError, LocatedError, EvaluationProblem):
            return False
        args = tuple((name, _name(value)) for name, value in bound.items())
        return depth <= DEPTH and self._do(TrialCall(spec.name, args), depth + 1, None, rng)

    def _provide(
        self,
        text: str,
        skill_run: SkillRun,
        call: TrialCall,
        depth: int,
        chain: list[TrialCall],
        rng: random.Random,
    ) -> bool:
        """Establish a condition by another skill."""
        self._candidates -= depth >= self._depth
        if depth >= self._depth:
            return False
        named = self._related_things(call)
        helping: list[tuple[int, TrialCall]] = []
        for other in self._helpers(text, call, named, rng):
            helper = self._skill_run(other) if other not in (*self._wanted, *chain) else None
            changes = None if helper is None else skill_effects(helper)
            if not changes or not self._touches(changes, text, named):
                continue
            with self._facts.temporary():
                self._facts.apply(changes)
                if holds(skill_run, text):
                    helping.append((len(self._unmet(skill_run, at_first=False)), other))
        for _, other in sorted(helping, key=lambda one: one[0]):  # fewest unmet conditions first
            self._candidates -= 1
            if self._candidates <= 0:
                return False
            length = len(chain)
            self._facts.open()
            if self._do(other, depth + 1, chain, rng) and holds(skill_run, text):
                chain.append(other)
                self._facts.keep()
                return True
            del chain[length:]
            self._facts.undo()
        return False

    def _related_things(self, call: TrialCall) -> set[str]:
        """The things related to a call: its arguments, all agents, and values of their facts."""
        named = {value for _, value in call.args} | set(self.view.agents)
        for (_, args), known in self._runtime.world.facts:
            if isinstance(known.value, str) and named.issuperset(args):
                named.add(known.value)
        return named

    def _helpers(
        self, text: str, call: TrialCall, named: set[str], rng: random.Random
    ) -> list[TrialCall]:
        """Calls that change a fact of the condition, the most closely related first."""
        own = {value for _, value in call.args}
        found = []
        for skill in self._makers(text):
            about = self._about(skill, text)
            for other in self.calls(skill):
                values = [value for _, value in other.args]
                strange = sum(value not in named for value in values)
                near = strange <= MAX_UNRELATED and any(
                    all(dict(other.args).get(name, name) in named for name in one) for one in about
                )
                if near:
                    apart = sum(value not in own for value in values)
                    found.append((strange, apart, rng.random(), other))
        return [other for *_, other in sorted(found, key=lambda one: one[:3])]

    def _touches(self, changes: Sequence[GroundedEffect], text: str, named: set[str]) -> bool:
        """Whether changes affect a fact that the condition may depend on."""
        facts = _calls(text)
        return any(
            fact in facts and named.issuperset(args) and self._facts.value((fact, args)) != value
            for fact, args, value in changes
        )

    def _about(self, skill: str, text: str) -> list[list[str]]:
        """The arguments of those effects that set a fact of the condition."""
        model, facts = self.skills[skill], _calls(text)
        effects = [parse_effect(effect) for effect in model.after]
        return [
            [arg for arg in effect.args if arg in model.args]
            for effect in effects
            if effect.fact in facts
        ]

    def _makers(self, text: str) -> list[str]:
        facts = _calls(text)
        return [skill for skill, changed in self._changes.items() if changed & facts]

    @cached_property
    def _changes(self) -> dict[str, set[str]]:
        return {
            name: {parse_effect(text).fact for text in model.after}
            for name, model in self.skills.items()
        }

    # Simulated effects

    def _do(
        self, call: TrialCall, depth: int, chain: list[TrialCall] | None, rng: random.Random
    ) -> bool:
        skill_run = self._skill_run(call)
        if skill_run is None or call.skill not in self.skills or depth > 2 * DEPTH:
            return False
        after = skill_run.model.after
        if (
            chain is None
            and after
            and not skill_run.model.again
            and all(holds(skill_run, t) for t in after)
        ):
            return True
        self._wanted.append(call)
        try:
            return self._ready(call, depth, chain, rng) and self._apply(skill_run)
        finally:
            self._wanted.pop()

    def _apply(self, skill_run: SkillRun) -> bool:
        """Apply the effects of a skill. False if one cannot be evaluated."""
        changes = skill_effects(skill_run)
        self._facts.apply(changes or ())
        return changes is not None


def _calls(text: str) -> set[str]:
    """The facts and functions that a condition calls."""
    return {call.name for call in Expression.parse(text).calls}


def _name(value: object) -> str:
    return str(getattr(value, "__treec_name__", None) or value)


def words(calls: Sequence[TrialCall]) -> str:
    """A sequence of calls as text."""
    return ", then ".join(call.words for call in calls)
