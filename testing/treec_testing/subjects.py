"""Finds what a name stands for: a worker, a parser, a node class or an environment."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from itertools import islice, product
from typing import Any

from py_trees.behaviour import Behaviour

from treec.check.cache import errors_of
from treec.extensions import registry
from treec.files.entry import Entry
from treec.files.library import Library
from treec.files.prompts import ReadingFile
from treec.files.types import parse_type
from treec.files.view import View
from treec.foreign import ForeignError, import_foreign
from treec.nodes.environment import SYMBOLIC, Environment, environment_names, find_environment
from treec.nodes.python import find_node_class
from treec.nodes.runtime import NodeError
from treec.nodes.sensing import effect_misfit, setup_of
from treec.nodes.skill_run import SkillRun, bind_arguments
from treec.nodes.worker import WorkOrder
from treec.run.run import CannotRun, Run
from treec.run.unbegun import run_of
from treec.source.errors import EvaluationProblem, LocatedError, suggest
from treec.team.entities import Utterance
from treec_hearing.node import Reading
from treec_hearing.reading import ear_of, hears
from treec_hearing.talk_context import talk_context
from treec_testing.environments import EnvironmentBench
from treec_testing.nodes import PLAIN, NodeBench
from treec_testing.parsers import ParserBench
from treec_testing.skill_trial import CannotTry
from treec_testing.trial import ENVIRONMENT, NODE_CLASS, PARSER, WORKER
from treec_testing.workers import WorkerBench

BENCHES = {
    WORKER: WorkerBench,
    PARSER: ParserBench,
    NODE_CLASS: NodeBench,
    ENVIRONMENT: EnvironmentBench,
}


@dataclass(frozen=True)
class Subject:
    """Something that is tried; ``bench`` imports its code and sets it up for a trial."""

    name: str
    about: str
    kind: str
    bench: Callable[[], Any]


def find_subjects(
    library: Library, names: Sequence[str], kind: str, given: Mapping[str, Any]
) -> Iterator[Subject]:
    """What names stand for, of a kind if one is given. Raises CannotTry.

    With an order, ports or a setup that is ``given`` a name is code, whatever the library says.
    """
    own, environments = library.settings.nodes, library.settings.environments
    for name in names:
        subjects = []
        if not given:
            subjects = [*_workers(library, name), *_parsers(library, name)]
            if name in environment_names(environments):
                subjects += _environments(library, name)
            if name in own or name in registry().node_classes:
                bench = partial(_node, name, own)
                subjects.append(Subject(name, NODE_CLASS, NODE_CLASS, bench))
        subjects = [subject for subject in subjects if kind in ("", subject.kind)]
        if not subjects and ":" in name:
            own_kind = kind or _kind_of(name)
            bench = partial(_given, name, own_kind, given)
            subjects = [Subject(name, f"{own_kind} that no file names", own_kind, bench)]
        if not subjects:
            known = [entry.name for k in ("skill", "reading") for entry in library.of_kind(k)]
            near = suggest(name, [*known, *own, *environment_names(environments)])
            help = near or "specify a name from a file, or module:Class"
            raise CannotTry(f"unknown {kind or 'code'} '{name}'; {help}")
        yield from subjects


def load_code(target: str) -> Any:
    """The object behind `module:Name`. Raises CannotTry."""
    try:
        return import_foreign(target)
    except ForeignError as error:
        raise CannotTry(f"{target} cannot be imported: {error}") from error


def _given(target: str, kind: str, given: Mapping[str, Any]) -> Any:
    return BENCHES[kind](load_code(target), **given)


def _kind_of(target: str) -> str:
    """What kind of code a name stands for. Raises CannotTry when that is unclear."""
    code = load_code(target)
    if inspect.isclass(code):
        if issubclass(code, Behaviour) or hasattr(code, "update"):
            return NODE_CLASS
        return WORKER if hasattr(code, "start") or hasattr(code, "cancel") else ENVIRONMENT
    if inspect.isfunction(code):
        return ENVIRONMENT if len(inspect.signature(code).parameters) == 1 else PARSER
    raise CannotTry(
        f"{target} is neither a py_trees behaviour (a node class), a class with `start` and "
        "`cancel` (a worker), a function of a text and a context (a parser), nor one of a setup "
        "(an environment)"
    )


def _node(name: str, own: Mapping[str, str]) -> NodeBench:
    code = find_node_class(name, own)
    if code is None:
        raise CannotTry(f"'{name}' is a node of treec's own: only classes of one's own are tried")
    return NodeBench(code)


def _environments(library: Library, name: str) -> Iterator[Subject]:
    """The environment of a name, in the first system whose skills have workers there."""
    for system in library.of_kind("system"):
        view = View(library, system)
        if any(name in entry.model.runs for entry in view.all("skill").values()):
            about = f"environment, in the system '{system.name}'"
            yield Subject(name, about, ENVIRONMENT, partial(_environment, view, name))
            return


def _environment(view: View, name: str) -> EnvironmentBench:
    factory = find_environment(name, view.library.settings.environments)
    if factory is None:
        raise CannotTry(f"'{name}' consists of its workers: specify a skill, or their class")
    setup = setup_of(_run_of(view, name).runtime, name)
    return EnvironmentBench(factory, setup, partial(effect_misfit, view))


def _workers(library: Library, name: str) -> Iterator[Subject]:
    """The workers of a skill, in all packs, or of the skills that have this worker."""
    tried: set[tuple[str, str]] = set()
    for system in library.of_kind("system"):
        for skill, entry in View(library, system).all("skill").items():
            for environment, target in entry.model.runs.items():
                if (
                    isinstance(target, str)
                    and name in (skill, target)
                    and (environment, target) not in tried
                ):
                    tried.add((environment, target))
                    bench = partial(_worker, library, skill, environment, target)
                    about = f"worker of the skill '{skill}' in {environment}"
                    yield Subject(target, about, WORKER, bench)


def _worker(library: Library, skill: str, environment: str, target: str) -> WorkerBench:
    """A bench in the first system that can give such an order."""

    def open_environment() -> Environment:
        bench = _environment(view, environment)
        return bench.code(bench.setup)  # type: ignore[no-any-return]

    code = load_code(target)
    for system in library.of_kind("system"):
        view = View(library, system)
        entry = view.all("skill").get(skill)
        if entry is not None and environment in entry.model.runs:
            order = order_for(_run_of(view), skill)
            if order is not None:
                names = [name for name in entry.model.args if name != "agent"]
                has_own = find_environment(environment, library.settings.environments) is not None
                opens = open_environment if has_own else None
                return WorkerBench(code, order, names, opens, partial(effect_misfit, view))
    raise CannotTry(
        f"no order for the skill '{skill}' could be made: a system needs an agent that has it, and "
        "a thing of each argument's type"
    )


def _parsers(library: Library, name: str) -> Iterator[Subject]:
    """The parser of a reading, or this one of the first reading that names it."""
    for system in library.of_kind("system"):
        view = View(library, system)
        for entry in view.all("reading").values():
            target = entry.model.parser
            is_heard = target is None and hears(entry)
            if (is_heard and name == entry.name) or (target and name in (target, entry.name)):
                about = f"parser of the reading '{entry.name}'"
                shown = target or f"templates of '{name}'"
                yield Subject(shown, about, PARSER, partial(_parser, view, entry))
                return


def _parser(view: View, entry: Entry[ReadingFile]) -> ParserBench:
    target, run = entry.model.parser, _run_of(view)
    code = load_code(registry().target("answerers", target)) if target else ear_of(view, entry)
    reading = Reading(f"try/{entry.name}", run.runtime, run.scope, entry)

    def judge(act: Mapping[str, object], text: str) -> str:
        try:
            reading.valid_act(act, [Utterance("u1", "user", text, 0.0, False, False)])
        except ValueError as error:
            return str(error)
        return ""

    return ParserBench(code, talk_context(run.team, tuple(entry.model.acts)), judge)


def _run_of(view: View, environment: str = SYMBOLIC) -> Run:
    try:
        return run_of(view, environment)
    except CannotRun as error:
        raise CannotTry(f"no order can be made: {error}") from error
    except Exception as error:  # files that have errors break anywhere
        found = errors_of(view.library, view.system)
        if not found:
            raise
        raise CannotTry(
            f"no order can be made while files have errors: {found[0].span}: {found[0].message}; "
            "'treec check' tells all"
        ) from error


def order_for(run: Run, skill: str) -> WorkOrder | None:
    """An order for a skill, best one whose conditions hold at the start of the run.

    None if no agent has the skill, or there is no thing for an argument.
    """
    run.world.claim()
    view, runtime, chosen = run.view, run.runtime, None
    args = {n: k for n, k in view.all("skill")[skill].model.args.items() if n != "agent"}
    values = [
        [PLAIN[kind]]
        if kind in PLAIN
        else [name for name, own in view.things.items() if view.types.fits(own, parse_type(kind))]
        for kind in args.values()
    ]
    for doer, *given in islice(product(view.robots or view.agents, *values), 200):
        agent = str(doer)
        try:
            bound = bind_arguments(runtime, skill, (), dict(zip(args, given, strict=True)), agent)
            trial = SkillRun(runtime, f"try/{skill}", agent, skill, bound)
            order = replace(trial.plan_order(), id="t1")
            if all(holds for _, holds, _ in trial.conditions()):
                return order
            chosen = chosen or order
        except (NodeError, LocatedError, EvaluationProblem):
            continue
    return chosen
