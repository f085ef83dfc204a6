"""Orders for the trials of a worker, made from the files of a library."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from itertools import islice, product

from treec.compile.place import CompileError
from treec.conformance.bench import ArgumentKinds, JudgeEffect
from treec.files.types import Named, Names, misfit, parse_type
from treec.files.view import View
from treec.nodes.environment import (
    SYMBOLIC,
    Environment,
    EnvironmentUnavailable,
    find_environment,
    unknown_environment,
)
from treec.nodes.runtime import NodeError
from treec.nodes.sensing import setup_of
from treec.nodes.skill_run import SkillRun, bind_arguments
from treec.nodes.worker import Effect, WorkOrder
from treec.run.clocks import SteppingClock
from treec.run.run import CannotRun, Run
from treec.run.skill_trial import CannotTry
from treec.source.errors import EvaluationProblem, LocatedError
from treec.world.journal import Journal
from treec.world.values import freeze

COMBINATIONS = 200
"""How many combinations of arguments are looked at for one whose conditions hold."""

_PLAIN = {"text": "a text", "number": 1.5, "integer": 2, "bool": True}


def run_of(view: View, environment: str = SYMBOLIC) -> Run:
    """A run of a system that is never begun: what orders and setups are made from.

    Raises CannotTry where the system cannot run.
    """
    try:
        return Run(view, SteppingClock(), Journal.in_memory(), env=environment)
    except (CannotRun, CompileError) as error:
        raise CannotTry(f"no order can be made: {error}") from error


def order_for(run: Run, skill: str) -> WorkOrder | None:
    """An order for a skill, best one whose conditions hold at the start of the run.

    None if no agent has the skill, or there is no thing for an argument.
    """
    run.world.claim()
    ranked = sorted(islice(_orders(run, skill), COMBINATIONS), key=lambda found: found[0])
    return ranked[0][1] if ranked else None


def _orders(run: Run, skill: str) -> Iterator[tuple[int, WorkOrder]]:
    """Orders with ranks: 0 if their conditions hold, 2 if they have no effects in this world."""
    view, runtime = run.view, run.runtime
    model = runtime.team.knowledge.skill(skill)
    assert model is not None
    names = [name for name in model.args if name != "agent"]
    values = [_values(view, model.args[name]) for name in names]
    for agent in view.robots or tuple(view.agents):
        for combination in product(*values):
            given = dict(zip(names, combination, strict=True))
            try:
                args = bind_arguments(runtime, skill, (), given, agent)
            except NodeError:
                continue
            trial = SkillRun(runtime, f"try/{skill}", agent, skill, args)
            try:
                holds = all(held for _, held, _ in trial.conditions())
                yield 0 if holds else 1, replace(trial.plan_order(), id="t1")
            except (NodeError, LocatedError, EvaluationProblem):
                plain = {name: given.get(name, agent) for name in model.args}
                yield 2, WorkOrder("t1", skill, agent, plain, model.takes)


def _values(view: View, type_name: str) -> list[object]:
    kind = parse_type(type_name)
    if isinstance(kind, Named) and kind.name in _PLAIN:
        return [_PLAIN[kind.name]]
    return [name for name, own in view.things.items() if view.types.fits(own, kind)]


def argument_kinds(run: Run, skill: str) -> ArgumentKinds:
    """Which arguments of a skill are numbers, and which name things."""
    model = run.runtime.team.knowledge.skill(skill)
    assert model is not None
    kinds = {name: parse_type(text) for name, text in model.args.items() if name != "agent"}
    numbers = tuple(n for n, kind in kinds.items() if str(kind) in ("number", "integer"))
    things = tuple(n for n, kind in kinds.items() if run.view.types.is_thing(kind))
    return ArgumentKinds(numbers, things)


def judge_of(run: Run) -> JudgeEffect:
    """Whether effects are on facts that the domain declares, with values of their types."""
    view = run.view
    names = Names()
    names.types, names.things = view.types, view.things

    def judge(effect: Effect) -> str:
        spec = view.facts.get(effect.fact)
        if spec is None:
            return f"the domain declares no fact '{effect.fact}'"
        if len(effect.args) != len(spec.args):
            return f"{effect.fact} takes ({', '.join(spec.args)}), not ({', '.join(effect.args)})"
        for kind, arg in zip(spec.args, effect.args, strict=True):
            if why := misfit(parse_type(kind), arg, names):
                return f"an argument of {effect.fact}: {why}"
        if effect.source == "unknown" or effect.value is None:
            return ""
        value = freeze(effect.value)
        if spec.value is None:
            is_bool = isinstance(value, bool)
            return "" if is_bool else f"{effect.fact} is true or false, not {value!r}"
        why = misfit(parse_type(spec.value), value, names)
        return f"the value of {effect.fact}: {why}" if why else ""

    return judge


def opener_of(view: View, environment: str) -> Callable[[], Environment | None]:
    """Opens an environment anew for each play. Raises CannotTry if there is none of this name."""
    if environment == SYMBOLIC:
        return lambda: None
    try:
        make = find_environment(environment)
    except EnvironmentUnavailable as error:
        raise CannotTry(str(error)) from None
    if make is None:
        raise CannotTry(str(unknown_environment(environment)))
    return lambda: make(setup_of(run_of(view, environment).runtime, environment))
