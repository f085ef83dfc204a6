"""Goals that a model states for a task in words: conditions, checked against the task's world."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence

from treec.files.places import FactSpec
from treec.run.task_view import normalize
from treec.source.diagnostics import did_you_mean
from treec.source.errors import LocatedError
from treec_dag_plan.arms.changes import Changes
from treec_dag_plan.arms.problem import AllocationProblem
from treec_dag_plan.arms.world import HOLDING, ArmWorld
from treec_dag_plan.arms.world_logic import (
    Constant,
    Either,
    Equal,
    LogicFact,
    LogicName,
    Not,
    Term,
    facts_in,
    format_term,
    read_term,
)
from treec_kitchen.graph_findings import FindingKind, GraphFinding

MOST_NAMES = 40
"""How many names a finding lists."""
_SPACED = re.compile(r"(?<=[(,])\s*(\w+(?: \w+)+)\s*(?=[),])")


def _kind(name: str, message: str, *helps: str) -> FindingKind:
    return FindingKind(name, None, message, helps)


NO_GOAL = _kind(
    "no_goal", "neither a goal nor what is missing", "state conditions, or the things that lack"
)
BOTH = _kind(
    "goal_and_missing",
    "a goal, and things that are missing: {things:0|, }",
    "if the task cannot be done without them, leave the goal empty; else leave them out",
)
NO_CONDITION = _kind(
    "no_condition",
    "'{text}' is not a condition: {why}",
    "a name of several words stands in quotes: {quoted}",
)
UNKNOWN_FACT = _kind(
    "unknown_fact", "unknown fact '{name}'", "did you mean '{near}'?", "facts: {names:0|, }"
)
FIXED_FACT = _kind("fixed_fact", "'{text}': no command changes '{name}'", "use: {names:0|, }")
UNCHANGED = _kind(
    "unchanged",
    "'{text}': no command changes {fact}",
    "{instead}; {name} can be about: {things:0|, }",
    "{name} can be about: {things:0|, }",
)
HAND_FACT = _kind("hand_fact", "'{text}': all hands are empty at the end", "leave it out")
UNKNOWN_NAME = _kind(
    "unknown_name",
    "'{text}': unknown object \"{name}\"",
    'did you mean "{near}"?',
    'if the task needs it, name it in "missing"; known: {names:0|, }',
)
WRONG_COUNT = _kind("wrong_count", "'{text}': {name} is about {syntax}")
WRONG_KIND = _kind("wrong_kind", "'{text}': {name} is of type {type}, and {fact} takes {types}")
NO_VALUE = _kind(
    "no_value", "'{text}': {name} is true or false", "write {name}(…) or not {name}(…)"
)
VALUE_DUE = _kind("value_due", "'{text}': {name} has a value", "write {syntax} == …")
IS_THERE = _kind("is_there", 'there is "{name}"; it is not missing')


def fact_lines(problem: AllocationProblem) -> list[str]:
    """Describe the facts that goals can be made of, one per line."""
    lines, changes = [], changes_of(problem)
    for name, spec in goal_facts(problem).items():
        kinds = [] if spec.value is None else spec.value.split(" or ")
        things = [kind for kind in kinds if not _is_arm(problem.world, kind)]
        value = f" == {' or '.join([*things, 'none'])}" if kinds else ""
        about = f": {spec.about}" if spec.about else ""
        lines.append(f"{_syntax(name, spec)}{value}{about}{_carriers(changes, name)}")
    return lines


def _carriers(changes: Changes, name: str) -> str:
    """The things for which commands change a fact, unless those are all."""
    things = changes.things(name)
    told = 0 < len(things) < min(MOST_NAMES, len(changes.world.things))
    return f" [of {', '.join(things)}]" if told else ""


def unchanged_goals(problem: AllocationProblem) -> Iterator[tuple[int, GraphFinding]]:
    """The conditions of a task's own goal, by number, that no command can ever change."""
    changes = changes_of(problem)
    for number, term in enumerate(problem.world.goal if problem.world.skills else ()):
        if isinstance(term, Either):
            continue  # another way may be open
        text = format_term(term, {})
        for fact in facts_in(term):
            yield from ((number, found) for found in _unchanged(changes, fact, text))


def changes_of(problem: AllocationProblem) -> Changes:
    """What the commands can change in a task's world."""
    return Changes(problem.world, problem.view.facts)


def _unchanged(changes: Changes, fact: LogicFact, text: str) -> Iterator[GraphFinding]:
    if changes.never(fact):
        instead, shown = changes.instead(fact), format_term(fact, {})
        things = changes.things(fact.name)[:MOST_NAMES] or None
        yield UNCHANGED.at(text=text, fact=shown, name=fact.name, instead=instead, things=things)


def goal_facts(problem: AllocationProblem) -> Mapping[str, FactSpec]:
    """The facts that commands change, without those about hands."""
    facts, world = problem.view.facts, problem.world
    return {
        name: spec
        for name, spec in facts.items()
        if name in world.fluents and not any(_is_arm(world, kind) for kind in spec.args)
    }


def check_goal(
    problem: AllocationProblem, goal: Sequence[str], missing: Sequence[str]
) -> tuple[tuple[str, ...], list[GraphFinding]]:
    """Return the goal's conditions with the names of things, and what is wrong."""
    findings: list[GraphFinding] = []
    names = {normalize(name): name for name in problem.world.names}
    for thing in missing:
        name = names.get(normalize(thing))
        if name is not None:
            findings.append(IS_THERE.at(name=name))
    if not goal and not missing:
        findings.append(NO_GOAL.at())
    if goal and missing:
        findings.append(BOTH.at(things=tuple(missing)))
    terms: list[str] = []
    for text in goal:
        try:
            term = read_term(text)
        except LocatedError as error:
            quoted = _SPACED.sub(r'"\1"', text)
            better = None if quoted == text else quoted
            findings.append(NO_CONDITION.at(text=text, why=error.message, quoted=better))
            continue
        wrong = list(_condition(problem, term, text))
        findings += wrong
        if not wrong:
            terms.append(format_term(term, problem.world.names))
    return tuple(dict.fromkeys(terms)), findings


def _condition(problem: AllocationProblem, term: Term, text: str) -> Iterator[GraphFinding]:
    match term:
        case Not(inner):
            yield from _condition(problem, inner, text)
        case Either(left, right, _):
            yield from _condition(problem, left, text)
            yield from _condition(problem, right, text)
        case LogicFact(name, _):
            spec = problem.view.facts.get(name)
            yield from _fact(problem, term, text)
            if spec is not None and spec.value is not None:
                yield VALUE_DUE.at(text=text, name=name, syntax=_syntax(name, spec))
        case Equal(LogicFact(name, _) as fact, value, _):
            spec = problem.view.facts.get(name)
            wrong = list(_fact(problem, fact, text))
            yield from wrong
            if spec is None or wrong:
                return
            if spec.value is None:
                yield NO_VALUE.at(text=text, name=name)
            elif isinstance(value, LogicName):
                yield from _thing(problem, value.name, spec.value, name, text)
            elif value != Constant(None):
                yield NO_CONDITION.at(text=text, why="a value is the name of a thing, or none")
        case _:
            why = "write fact(thing), not fact(thing), or fact(thing) == other_thing"
            yield NO_CONDITION.at(text=text, why=why)


def _fact(problem: AllocationProblem, fact: LogicFact, text: str) -> Iterator[GraphFinding]:
    facts, known = problem.view.facts, goal_facts(problem)
    spec = facts.get(fact.name)
    if spec is None:
        near = did_you_mean(fact.name, known)
        yield UNKNOWN_FACT.at(name=fact.name, near=near, names=tuple(known))
    elif fact.name == HOLDING or any(_is_arm(problem.world, kind) for kind in spec.args):
        yield HAND_FACT.at(text=text)
    elif fact.name not in known:
        yield FIXED_FACT.at(text=text, name=fact.name, names=tuple(known))
    elif len(fact.args) != len(spec.args):
        yield WRONG_COUNT.at(text=text, name=fact.name, syntax=_syntax(fact.name, spec))
    else:
        wrong: list[GraphFinding] = []
        for arg, kind in zip(fact.args, spec.args, strict=True):
            if isinstance(arg, LogicName):
                wrong += _thing(problem, arg.name, kind, fact.name, text)
            else:
                wrong.append(NO_CONDITION.at(text=text, why="an argument is the name of a thing"))
        yield from wrong or _unchanged(changes_of(problem), fact, text)


def _thing(
    problem: AllocationProblem, name: str, kind: str, fact: str, text: str
) -> Iterator[GraphFinding]:
    """What is wrong with a name where a thing of a type is due."""
    world = problem.world
    thing = world.names.get(name)
    if thing is None:
        near, names = did_you_mean(name, world.names), list(world.names)
        if len(names) > MOST_NAMES:
            names = [*names[:MOST_NAMES], "…"]
        yield UNKNOWN_NAME.at(text=text, name=name, near=near, names=tuple(names))
    elif thing in world.things and not any(
        world.fits(thing, option.strip()) for option in kind.split(" or ")
    ):
        yield WRONG_KIND.at(text=text, name=name, type=world.things[thing], fact=fact, types=kind)


def _is_arm(world: ArmWorld, kind: str) -> bool:
    return any(world.types.is_a(kind.strip(), type_) for type_ in ("Agent",))


def _syntax(name: str, spec: FactSpec) -> str:
    return f"{name}({', '.join(spec.args)})"
