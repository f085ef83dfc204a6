"""Finds what a name stands for: a worker, a parser, a node class or an environment."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Container, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from importlib import import_module
from typing import Any

from py_trees.behaviour import Behaviour

from treec.conformance.bench import PATIENCE, WorkerBench
from treec.conformance.environment_bench import GENERIC_SETUP, METHODS, EnvironmentBench
from treec.conformance.known_trials import KINDS
from treec.conformance.node_stage import NodeBench
from treec.conformance.orders import (
    argument_kinds,
    judge_of,
    opener_of,
    order_for,
    run_of,
)
from treec.conformance.parser_bench import JudgeAct, ParserBench
from treec.conformance.places import place_of_definition
from treec.conformance.trial import CodePlace, Trial, TrialReport, Trials, make_trial
from treec.extensions import registry
from treec.files.entry import Entry
from treec.files.library import Library
from treec.files.prompts import ReadingFile
from treec.files.view import View
from treec.hearing.reading import ear_of, hears
from treec.nodes.environment import (
    SYMBOLIC,
    EnvironmentSetup,
    EnvironmentUnavailable,
    environment_names,
    find_environment,
)
from treec.nodes.python import find_node_class
from treec.nodes.read import Reading
from treec.nodes.sensing import setup_of
from treec.nodes.worker import Effect, WorkOrder
from treec.run.run import Run
from treec.run.skill_trial import CannotTry
from treec.run.task_request import TaskError, TaskRequest, view_for
from treec.source.diagnostics import did_you_mean
from treec.team.entities import Utterance
from treec.team.talk_context import talk_context

_WORKERS, _PARSERS, _NODE_CLASSES, _ENVIRONMENTS = KINDS

GENERIC = WorkOrder(
    id="t1",
    skill="trial",
    agent="R1",
    args={"agent": "R1", "place": "dock"},
    takes=4.0,
    after=(Effect("at", ("R1",), "dock"),),
)
"""The order for a worker that no skill of the library names."""


@dataclass(frozen=True)
class Subject:
    """Something that is tried: its name, what it is in words, its code, and how to try it."""

    name: str
    about: str
    code: Any
    trials: Trials
    bench: Callable[[], Any]

    def make_trials(
        self, over: Container[str], begin: Callable[[Trial], None]
    ) -> Iterator[TrialReport]:
        """Make all trials but those that are ``over``; ``begin`` is called before each.

        Raises CannotTry.
        """
        bench = self.bench()
        for trial in self.trials.all:
            if trial.id not in over:
                begin(trial)
                yield make_trial(trial, bench, self.place_of)

    def place_of(self, method: str) -> CodePlace | None:
        """The line of a method of its code."""
        return place_of_definition(self.code, method)


def find_subjects(library: Library, name: str, patience: float = PATIENCE) -> list[Subject]:
    """What a name stands for in a library. Raises CannotTry."""
    found = [*_workers(library, name, patience), *_parsers(library, name, patience)]
    if found:
        return found
    if name in environment_names():
        return [_environment(library, name, patience)]
    if name in library.settings.nodes or (name in registry().nodes and ":" not in name):
        code = _node_class(library, name)
        return [subject_of(code, name=name, patience=patience)]
    if ":" in name:
        return [subject_of(load_code(name), name=name, patience=patience)]
    known = [e.name for kind in ("skill", "reading") for e in library.of_kind(kind)]
    known += [*library.settings.nodes, *environment_names()]
    near = did_you_mean(name, known)
    hint = f": did you mean '{near}'?" if near else " here, and it is no module:Class"
    raise CannotTry(f"nothing that can be tried is called '{name}'{hint}")


def load_code(target: str) -> Any:
    """The object behind `module:Name`. Raises CannotTry."""
    module, _, name = target.partition(":")
    try:
        return getattr(import_module(module), name)
    except KeyboardInterrupt:
        raise
    except BaseException as error:  # the module is somebody's code
        raise CannotTry(f"{target} cannot be imported: {type(error).__name__}: {error}") from error


def subject_of(
    code: Any,
    *,
    name: str = "",
    order: WorkOrder | None = None,
    ports: Mapping[str, object] | None = None,
    setup: EnvironmentSetup | None = None,
    patience: float = PATIENCE,
) -> Subject:
    """A subject for a class that no library names. Raises CannotTry when its kind is unclear."""
    name = name or f"{code.__module__}:{code.__qualname__}"
    if inspect.isclass(code) and (issubclass(code, Behaviour) or hasattr(code, "update")):
        values = ports or {}
        return Subject(
            name,
            "node class",
            code,
            _NODE_CLASSES,
            lambda: NodeBench(code, values, patience),
        )
    if inspect.isclass(code) and (hasattr(code, "start") or hasattr(code, "cancel")):
        about = "worker, with an order given by hand" if order else "worker that no skill names"
        return Subject(
            name,
            about,
            code,
            _WORKERS,
            lambda: WorkerBench(code, order or GENERIC, patience=patience),
        )
    is_environment = inspect.isclass(code) and sum(hasattr(code, m) for m in METHODS) > 2
    parameters = len(inspect.signature(code).parameters) if inspect.isfunction(code) else 0
    if is_environment or parameters == 1:
        about = "environment" if setup else "environment that no system names"
        chosen = setup or GENERIC_SETUP
        return Subject(
            name, about, code, _ENVIRONMENTS, partial(EnvironmentBench, code, chosen, patience)
        )
    if parameters == 2:
        about = "parser that no reading names"
        return Subject(name, about, code, _PARSERS, lambda: ParserBench(code, patience=patience))
    raise CannotTry(
        f"{name} is neither a py_trees behaviour (a node class), a class with `start` and `cancel` "
        "(a worker), a function of a text and a context (a parser), nor one of a setup (an "
        "environment)"
    )


def _environment(library: Library, name: str, patience: float) -> Subject:
    """The environment of a name, in the first system whose skills have workers there."""
    if name == SYMBOLIC:
        raise CannotTry(
            "the symbolic environment consists of its workers: name a skill, or their class"
        )
    try:
        make = find_environment(name)
    except EnvironmentUnavailable as error:
        raise CannotTry(str(error)) from None
    assert make is not None
    for system in library.of_kind("system"):
        view = View(library, system)
        if any(name in entry.model.runs for entry in view.all("skill").values()):
            run = run_of(view, name)
            setup = setup_of(run.runtime, name)
            about = f"environment, in the scene '{setup.scene}' of the system '{system.name}'"
            bench = partial(EnvironmentBench, make, setup, patience, judge_of(run))
            return Subject(name, about, make, _ENVIRONMENTS, bench)
    raise CannotTry(f"no system has a skill with a worker in '{name}'")


def _node_class(library: Library, name: str) -> Any:
    """The class of a node by its name. Raises CannotTry."""
    try:
        found = find_node_class(name, library.settings.nodes)
    except KeyboardInterrupt:
        raise
    except BaseException as error:  # the module is somebody's code
        raise CannotTry(f"the node '{name}': {type(error).__name__}: {error}") from error
    if found is None:
        raise CannotTry(f"'{name}' is a node of treec's own: only classes of one's own are tried")
    return found


def _workers(library: Library, name: str, patience: float) -> Iterator[Subject]:
    """The workers of a skill, in all packs, or of the first skill that has this worker."""
    tried: set[tuple[str, str]] = set()
    for system in library.of_kind("system"):
        for skill, entry in View(library, system).all("skill").items():
            chosen = {e: t for e, t in entry.model.runs.items() if name in (skill, t)}
            for environment, target in chosen.items():
                if (environment, target) not in tried:
                    yield _worker(library, skill, environment, target, patience)
            if chosen and name != skill:
                return
            tried.update(chosen.items())


def _worker(
    library: Library, skill: str, environment: str, target: str, patience: float
) -> Subject:
    code: Any = None
    missing: CannotTry | None = None
    try:
        code = load_code(target)
    except CannotTry as error:
        missing = error

    def bench() -> WorkerBench:
        if missing is not None:
            raise missing
        view, run, order = _find_order(library, skill, environment)
        return WorkerBench(
            code,
            order,
            argument_kinds(run, skill),
            opener_of(view, environment),
            judge_of(run),
            has_environment=environment != SYMBOLIC,
            patience=patience,
        )

    about = f"worker of the skill '{skill}' in {environment}"
    return Subject(target, about, code, _WORKERS, bench)


def _parsers(library: Library, name: str, patience: float) -> Iterator[Subject]:
    """The parser of a reading, or this one of the first reading that names it."""
    for system in library.of_kind("system"):
        view = View(library, system)
        for entry in view.all("reading").values():
            target = entry.model.parser
            if target is None and name == entry.name and hears(entry):
                yield _parser(view, entry, f"templates of '{name}'", ear_of(view, entry), patience)
                return
            if target is not None and name in (entry.name, target):
                target = registry().target("answerers", target)
                yield _parser(view, entry, target, load_code(target), patience)
                return


def _parser(
    view: View,
    entry: Entry[ReadingFile],
    target: str,
    code: Callable[..., Any],
    patience: float,
) -> Subject:
    def bench() -> ParserBench:
        run = run_of(view)
        context = talk_context(run.team, tuple(entry.model.acts))
        return ParserBench(code, context, _judge_of(run, entry), patience)

    return Subject(target, f"parser of the reading '{entry.name}'", code, _PARSERS, bench)


def _judge_of(run: Run, entry: Entry[ReadingFile]) -> JudgeAct:
    reading = Reading(f"try/{entry.name}", run.runtime, run.scope, entry)

    def judge(act: Mapping[str, object], text: str) -> str:
        said = Utterance("u1", "user", text, 0.0, read=False, answered=False)
        try:
            reading.valid_act(act, [said])
        except ValueError as error:
            return str(error)
        return ""

    return judge


def _find_order(library: Library, skill: str, environment: str) -> tuple[View, Run, WorkOrder]:
    """A view with an order for a skill with a worker for an environment.

    It is of any system, in any scene of its domain.
    """
    for view in _views(library):
        own = view.all("skill").get(skill)
        if own is not None and environment in own.model.runs:
            run = run_of(view)
            order = order_for(run, skill)
            if order is not None:
                return view, run, order
    raise CannotTry(
        f"no order for the skill '{skill}' could be made: a system needs an agent that has it, and "
        "a thing of each argument's type"
    )


def _views(library: Library) -> Iterator[View]:
    """Each system, with its own scene first, and then in each other scene of its domain."""
    systems = list(library.of_kind("system"))
    for system in systems:
        yield View(library, system)
    for system in systems:
        for scene in library.of_kind("scene"):
            if scene.model.domain == system.model.domain and scene.name != system.model.scene:
                request = TaskRequest(None, scene.name, None)
                with suppress(TaskError):
                    yield view_for(library, system, request, scripted=True)[0]
