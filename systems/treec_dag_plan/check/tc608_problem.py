"""A task for arms that names what its scene does not have, or whose own graph is wrong.

A problem's scene, its objects, and the things and facts of its `starts` are those of the library.
Its goal says what commands can change: for a faucet in a sink `running(sink)`, not
`running(faucet)`. Its `graph`, if it has one, is a task graph with which
`treec plan check` finds nothing wrong. Effects of its scene's skills say what hands hold:
`at(item) == agent` goes with `holding(agent) == item`.

Wrong, where the scene has an apple and a plate:

    problem: fruit
    task: put the apple onto the plate
    scene: kitchn
    objects: [appel, plate]
    goal: [at(apple) == plate]

Right:

    problem: fruit
    task: put the apple onto the plate
    scene: depot
    objects: [apple, plate]
    goal: [at(apple) == plate]
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from treec.check.base import Loc, entries, once
from treec.check.fact_values import fact_misfits
from treec.check.unreadable import unreadable_kinds, unreadable_names
from treec.files.entry import AnyEntry
from treec.files.library import Library
from treec.files.view import View, world_of
from treec.source.diagnostics import Diagnostic, suggestion
from treec.source.errors import LocatedError
from treec.source.expression import Expression
from treec.source.text import SourceFile
from treec.source.yaml import read_file
from treec_dag_plan.arms.check import check_graph
from treec_dag_plan.arms.goals import unchanged_goals
from treec_dag_plan.arms.problem import ProblemError, make_problem, problem_in_view
from treec_dag_plan.arms.read import read_parts
from treec_dag_plan.files import ProblemFile

CODE = "TC608"
MOST = 5
"""Problems of a graph that are reported."""


def check(view: View) -> Iterator[Diagnostic]:
    """Scenes, objects and facts of problems that are none, and graphs that are wrong."""
    library = view.library
    for entry in library.own("problem"):  # without its scene it is part of no view
        scene: str = entry.model.scene
        if library.find("scene", scene) is None and ("scene", scene) not in unreadable_names(
            library
        ):
            known = [other.name for other in library.of_kind("scene")]
            help = suggestion(scene, known, "scenes")
            message = f"unknown scene '{scene}'"
            yield Diagnostic(CODE, "error", entry.span("scene"), message, help)
    for entry in entries(view, "problem"):
        model: ProblemFile = entry.model
        if model.scene in view.all("scene"):
            found = list(_things(view, entry, model))
            yield from found
            if not found and not unreadable_kinds(library) & {"domain", "scene", "skill"}:
                yield from _graph(library, entry)


def _things(view: View, entry: AnyEntry, model: ProblemFile) -> Iterator[Diagnostic]:
    known = view.objects
    named: list[tuple[Loc, str, bool]] = [
        *((("objects", place), name, False) for place, name in enumerate(model.objects)),
        *((("starts", name), name, True) for name in model.starts if name not in view.agents),
        *((("words", name), name, True) for name in model.words),
    ]
    for loc, name, key in named:
        if name not in known:
            help = suggestion(name, known, "objects")
            message = f"unknown object '{name}' of the scene '{model.scene}'"
            yield Diagnostic(CODE, "error", entry.span(*loc, key=key), message, help)
        elif key and model.objects and name not in model.objects and loc[0] == "words":
            message = f"'{name}' is not among this problem's objects"
            yield Diagnostic(CODE, "error", entry.span(*loc, key=True), message)
    for name, facts in model.starts.items():
        kind = view.thing_type(name)
        if kind is not None:
            yield from fact_misfits(CODE, view, entry, ("starts", name), facts, kind)


@once
def _graph(library: Library, entry: AnyEntry) -> Iterator[Diagnostic]:
    """What is wrong with the graph that the problem calls right; it can also be its world."""
    model: ProblemFile = entry.model
    if not all(map(_is_readable, model.goal)):
        return  # TC201 says where
    (world,) = _world(library, model.scene)
    try:
        problem = make_problem(library, entry) if world is None else problem_in_view(world, entry)
    except ProblemError as error:
        span = error.span or entry.span("problem")
        yield Diagnostic(CODE, "error", span, str(error).removeprefix(f"{error.span}: "))
        return
    for place, found in unchanged_goals(problem):
        yield Diagnostic(CODE, "error", entry.span("goal", place), found.message, found.help)
    if model.graph is None:
        return
    path = library.file(model.graph, entry)
    if not path.is_file():
        message = f"no file {model.graph}"
        help = "write its path from the library's folder"
        yield Diagnostic(CODE, "error", entry.span("graph"), message, help)
        return
    file, _ = read_file(path, path.as_posix())
    if file is None:
        yield Diagnostic(CODE, "error", entry.span("graph"), f"{model.graph} cannot be read")
        return
    shown = _shown_path(library, entry, model.graph)
    file = library.sources.setdefault(shown, SourceFile(shown, file.text))
    checked = check_graph(read_parts(file), problem.world)
    for one in checked.problems[:MOST]:
        severity = one.severity if checked.good else "error"
        message = f"the graph is wrong for '{entry.name}': {one.message}"
        yield Diagnostic(CODE, severity, replace(one.span, path=shown), message, one.help)


def _is_readable(goal: str) -> bool:
    try:
        Expression.parse(goal)
    except LocatedError:
        return False
    return True


@once
def _world(library: Library, scene: str) -> Iterator[View | None]:
    """The world of the problems of a scene."""
    yield world_of(library, scene)


def _shown_path(library: Library, entry: AnyEntry, path: str) -> str:
    """The path of a file of a library or of a pack, as it is shown."""
    prefix = entry.path.partition("/")[0]
    return path if library.pack_of(entry.path) is None else f"{prefix}/{path}"
