"""The world in which plans for arms are checked: skills, an initial state and a goal.

Preconditions and effects have one source, the skills' `before`, `at_start` and `after`: for the
actions of this module (validator, search over orders), for PDDL (`pddl.py`) and for the symbolic
environment. Two facts have a fixed meaning: `holding(arm)` is what a hand holds and determines the
types of nodes; `at(thing)` is where an object is.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import field
from functools import cached_property
from itertools import permutations

from treec.files.tasks import SkillFile
from treec.files.types import TypeTree
from treec.frozen import frozen
from treec.program.effects import parse_effect
from treec.source.errors import LocatedError
from treec.source.text import Span
from treec_dag_plan.arms.model import NodeType
from treec_dag_plan.arms.read_names import read_name
from treec_dag_plan.arms.world_logic import (
    Constant,
    Either,
    Equal,
    FactValue,
    Key,
    LogicFact,
    LogicName,
    Names,
    Reader,
    State,
    Term,
    facts_in,
    format_term,
    names_in,
    read_term,
    reader,
)
from treec_dag_plan.arms.world_words import reason, unmet

HOLDING = "holding"
"""The fact that says what a hand holds."""


class ArmWorldError(Exception):
    """A skill or a goal uses an expression that terms cannot represent, or forgets an effect."""

    def __init__(self, where: str, why: str, span: Span | None = None) -> None:
        super().__init__(f"{where}: {why}")
        self.span = span


@frozen
class SkillEffect:
    """A fact and the value that it gets."""

    fact: str
    args: tuple[Term, ...]
    value: Term


@frozen(slots=False)
class SkillModel:
    """A command's skill: preconditions and effects over its arguments."""

    name: str
    about: str
    types: Mapping[str, str]
    """Argument → type, in order."""
    arms: tuple[str, ...]
    """The arguments that are arms."""
    objects: tuple[str, ...]
    """The other arguments, in the order in which the command names them."""
    syntax: str
    """The command with its arguments: put "{item}" into "{target}"."""
    command: str
    """Its words alone: put into."""
    before: tuple[Term, ...]
    after: tuple[SkillEffect, ...]
    takes: float

    @cached_property
    def type(self) -> NodeType:
        """The node type, determined by the effect on `holding` (DAG-Plan, section 3.1)."""
        values = [effect.value for effect in self.after if effect.fact == HOLDING]
        if values:
            return "release" if values[0] == Constant(None) else "occupy"
        return "tool use" if self.tool is not None else "operate"

    @cached_property
    def on_arms(self) -> tuple[bool, ...]:
        """Whether each condition is about which arms do it, not about what they hold."""
        return tuple(
            bool(names_in(term) & {*self.arms}) and HOLDING not in {f.name for f in facts_in(term)}
            for term in self.before
        )

    @cached_property
    def forgotten(self) -> str | None:
        """What its effects say of a hand's object but not of the hand; None if nothing is missing.

        An object that is at an arm is held by it; one that is put elsewhere no longer is; what is
        so of one of two arms that are asked the same is so of the other.
        """
        told = {e.args[0] for e in self.after if e.fact == HOLDING and e.args}
        for effect in self.after:
            arm = effect.value
            if effect.fact != "at" or len(effect.args) != 1 or not isinstance(arm, LogicName):
                continue
            (item,) = effect.args
            if arm.name in self.arms and arm not in told:
                return f"holding({arm.name}) == {format_term(item, {})}"
            if arm.name in self.arms:
                continue
            for held in self.before:
                match held:
                    case Equal(LogicFact(name=fact, args=(hand,)), thing, False) if (
                        fact == HOLDING and thing == item and hand not in told
                    ):
                        return f"holding({format_term(hand, {})}) == none"
        values = {e.value for e in self.after if e.fact == HOLDING}
        for held in self.before if len(values) == 1 else ():
            match held:
                case Equal(LogicFact(name=fact, args=(hand,)), thing, False) if (
                    fact == HOLDING and hand not in told
                ):
                    value = "none" if thing in values else format_term(min(values, key=str), {})
                    return f"holding({format_term(hand, {})}) == {value}"
        return None

    @cached_property
    def tool(self) -> str | None:
        """The argument that the hand must hold: the knife, or what is put down."""
        for term in self.before:
            match term:
                case Equal(LogicFact(name=fact), LogicName(name=thing), False) if fact == HOLDING:
                    return thing
        return None


@frozen(slots=False)
class GroundAction:
    """A skill with its arms and objects: preconditions and effects."""

    skill: SkillModel
    names: Names
    before: tuple[tuple[Term, Reader], ...] = field(compare=False, repr=False)
    after: tuple[tuple[str, tuple[Reader, ...], Reader], ...] = field(compare=False, repr=False)

    @property
    def arms(self) -> tuple[str, ...]:
        """The arms that do it."""
        return tuple(self.names[arm] for arm in self.skill.arms)

    @property
    def words(self) -> str:
        """The sub-task's words in a plan: put "apple" onto "plate"."""
        return self.skill.syntax.format(**self.names)

    def allowed(self, state: State) -> bool:
        """Whether all of its conditions hold."""
        return all(holds(state) for _, holds in self.before)

    def suits(self, state: State) -> bool:
        """Whether its conditions on the arms hold, whatever they hold."""
        flags = self.skill.on_arms
        return all(
            holds(state) for (_, holds), flag in zip(self.before, flags, strict=True) if flag
        )

    def changes(self, state: State) -> dict[Key, FactValue]:
        """The facts that it sets, and their values."""
        found: dict[Key, FactValue] = {}
        for fact, args, value in self.after:
            key = (fact, *(str(arg(state)) for arg in args))
            found[key] = value(state)
        return found

    def plain_effects(self) -> dict[Key, FactValue]:
        """The facts that it sets whatever the state is, and their values."""
        plain: dict[Key, FactValue] = {}
        for effect, (fact, args, value) in zip(self.skill.after, self.after, strict=True):
            if not facts_in(effect.value) and not any(facts_in(arg) for arg in effect.args):
                plain[(fact, *(str(arg({})) for arg in args))] = value({})
        return plain

    def apply(self, state: State) -> dict[Key, FactValue]:
        """Return the state after the action."""
        after = dict(state)
        self.change(after)
        return after

    def change(self, state: dict[Key, FactValue]) -> None:
        """Apply the action in place; facts that are None or False are removed."""
        for key, value in self.changes(state).items():
            if value is None or value is False:
                state.pop(key, None)
            else:
                state[key] = value


@frozen(slots=False)
class ArmLimits:
    """An arm's type, and its skills with seconds (None: the skill's own); all skills if empty."""

    type: str
    skills: Mapping[str, float | None]


@frozen(slots=False)
class ArmWorld:
    """The objects, arms, skills, initial state and goal of one task."""

    types: TypeTree
    things: Mapping[str, str]
    """Thing → type, arms not among them."""
    names: Mapping[str, str]
    """Every name that a plan may use for a thing → the thing."""
    arms: tuple[str, ...]
    skills: tuple[SkillModel, ...]
    start: State
    goal: tuple[Term, ...]
    limits: Mapping[str, ArmLimits] = field(default_factory=dict)

    @cached_property
    def alike(self) -> bool:
        """Whether it never matters which arm does something."""
        first = next(iter(self.limits.values()), None)
        return all(limits == first for limits in self.limits.values()) and not any(
            flag and facts_in(term)
            for skill in self.skills
            for term, flag in zip(skill.before, skill.on_arms, strict=True)
        )

    def lack(self, skill: SkillModel, arms: Sequence[str]) -> str | None:
        """Why one of the arms can never do a skill; None if all can."""
        for arg, arm in zip(skill.arms, arms, strict=True):
            limits = self.limits.get(arm)
            if limits is None:
                continue
            if not self.types.is_a(limits.type, skill.types[arg]):
                return f"{arm} is of type {limits.type}, and {skill.name} takes {skill.types[arg]}"
            if limits.skills and skill.name not in limits.skills:
                return f"unknown skill '{skill.name}' of {arm}"
        return None

    def are_of_types(self, skill: SkillModel, arms: Sequence[str]) -> bool:
        """Whether all of the arms are of the types that a skill takes."""
        pairs = zip(skill.arms, arms, strict=True)
        limits = ((self.limits.get(arm), skill.types[arg]) for arg, arm in pairs)
        return all(one is None or self.types.is_a(one.type, kind) for one, kind in limits)

    def in_roles(self, skill: SkillModel, arms: Sequence[str]) -> tuple[str, ...]:
        """Return the arms in the first order in which each can play its part."""
        if len(arms) < 2 or len(arms) != len(skill.arms):
            return tuple(arms)
        orders = permutations(arms)
        return next((order for order in orders if self.lack(skill, order) is None), tuple(arms))

    def misfit(self, action: GroundAction, state: State) -> str | None:
        """Describe the first condition on an action's arms that does not hold."""
        for (term, holds), flag in zip(action.before, action.skill.on_arms, strict=True):
            if flag and not holds(state):
                return reason(term, action.names, state, self.fluents)
        return None

    def takes(self, skill: SkillModel, arms: Sequence[str]) -> float:
        """Return a skill's duration in seconds: that of the slowest arm."""
        own = [self.limits[arm].skills.get(skill.name) for arm in arms if arm in self.limits]
        return max((skill.takes if takes is None else takes for takes in own), default=skill.takes)

    @cached_property
    def fluents(self) -> frozenset[str]:
        """The facts that some skill changes."""
        return frozenset(effect.fact for skill in self.skills for effect in skill.after)

    @cached_property
    def goal_terms(self) -> tuple[tuple[Term, Reader], ...]:
        """The goal's conditions, each with what tells whether it holds."""
        return tuple((term, reader(term, {})) for term in self.goal)

    @cached_property
    def _actions(self) -> dict[tuple[str, tuple[str, ...]], GroundAction]:
        return {}

    def action(
        self, skill: SkillModel, arms: Sequence[str], objects: Sequence[str]
    ) -> GroundAction:
        """Return a skill's action with these arms and objects, as many as it takes."""
        key = (skill.name, (*arms, *objects))
        found = self._actions.get(key)
        if found is None:
            names = dict(zip((*skill.arms, *skill.objects), key[1], strict=True))
            before = tuple((term, reader(term, names)) for term in skill.before)
            after = tuple(
                (e.fact, tuple(reader(arg, names) for arg in e.args), reader(e.value, names))
                for e in skill.after
            )
            found = self._actions[key] = GroundAction(skill, names, before, after)
        return found

    def is_goal(self, state: State) -> bool:
        """Whether the goal holds."""
        return all(holds(state) for _, holds in self.goal_terms)

    def unmet_goals(self, state: State) -> tuple[str, ...]:
        """Describe the conditions of the goal that do not hold."""
        return tuple(
            unmet(term, state, self.fluents) for term, holds in self.goal_terms if not holds(state)
        )

    def refusal(self, action: GroundAction, state: State) -> str | None:
        """Describe the first precondition that does not hold; None if all hold."""
        lack = self.lack(action.skill, action.arms)
        if lack is not None:
            return lack
        for term, holds in action.before:
            if not holds(state):
                return reason(term, action.names, state, self.fluents)
        return None

    def fixed(self, term: Term, skill: SkillModel) -> bool:
        """Whether a condition uses only facts that no skill changes, and no arms."""
        facts = facts_in(term)
        used = {arg.name for fact in facts for arg in fact.args if isinstance(arg, LogicName)}
        return (
            bool(facts)
            and not any(fact.name in self.fluents for fact in facts)
            and not used & set(skill.arms)
        )

    def fits(self, thing: str, wanted: str) -> bool:
        """Whether a thing is of a type."""
        return self.types.is_a(self.things[thing], wanted)


def read_skill(name: str, model: SkillFile, is_arm: Iterable[str]) -> SkillModel | None:
    """Convert a skill file; None if its words name no command. Raises ArmWorldError."""
    arms = tuple(arg for arg, kind in model.args.items() if kind in is_arm)
    quoted = read_name((model.says or "").replace("{{", "").replace("}}", ""))
    objects = tuple(arg.strip() for arg in quoted.objects)
    rest = [arg for arg in model.args if arg not in arms]
    if not arms or not quoted.command or sorted(objects) != sorted(rest):
        return None
    before: list[Term] = []
    for condition, _ in model.preconditions:
        before += _conjuncts(_term(f"{name}, before", condition))
    after = tuple(_effect(name, text) for text in (*model.at_start, *model.after))
    syntax = " ".join((model.says or "").split()).replace("{{ ", "{").replace(" }}", "}")
    return SkillModel(
        name,
        model.about,
        dict(model.args),
        arms,
        objects,
        syntax,
        quoted.command,
        tuple(before),
        after,
        model.takes,
    )


def _conjuncts(term: Term) -> Iterator[Term]:
    if isinstance(term, Either) and term.all:
        yield from _conjuncts(term.left)
        yield from _conjuncts(term.right)
    else:
        yield term


def _term(where: str, text: str) -> Term:
    try:
        return read_term(text)
    except LocatedError as error:
        raise ArmWorldError(where, error.message) from None


def _effect(skill: str, text: str) -> SkillEffect:
    where = f"{skill}, after"
    try:
        spec = parse_effect(text)
    except LocatedError as error:
        raise ArmWorldError(where, error.message) from None
    args = tuple(_term(where, arg) for arg in spec.args)
    value = Constant(not spec.negated) if spec.value is None else _term(where, spec.value)
    return SkillEffect(spec.fact, args, value)
