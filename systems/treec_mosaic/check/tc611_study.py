"""Study that cannot be run: an unknown system or recipe, a planner or recipe twice, no scale.

`planners` names systems, each once; `recipes` lists recipes that all of them have, each once. A
scale goes from a lower to a higher number.

Wrong:

    study: planners
    planners: {Tree: mosiac}
    recipes: [Ramen]
    participants: 8
    questions:
      lying: {ask: How often were you lied to?, scale: {from: 7, to: 1}}

Right:

    study: planners
    planners: {Tree: mosaic}
    recipes: [Ramen]
    participants: 8
    questions:
      lying: {ask: How often were you lied to?, scale: {from: 1, to: 7}}
"""

from __future__ import annotations

from collections.abc import Iterator

from treec.check.base import entries
from treec.check.unreadable import unreadable_names
from treec.files.entry import Entry
from treec.files.view import View
from treec.source.diagnostics import Diagnostic, suggestion
from treec_mosaic.study.files import StudyFile

CODE = "TC611"


def check(view: View) -> Iterator[Diagnostic]:
    """Report unknown and repeated systems and recipes, and scales without numbers."""
    for entry in entries(view, "study"):
        yield from _systems(view, entry)
        for name, question in entry.model.questions.items():
            scale = question.scale
            if scale is not None and scale.from_ >= scale.to:
                message = f"a scale from {scale.from_} to {scale.to} has nothing to choose"
                span = entry.span("questions", name, "scale", "to")
                yield Diagnostic(CODE, "error", span, message, "write the lower number first")


def _systems(view: View, entry: Entry[StudyFile]) -> Iterator[Diagnostic]:
    unread = unreadable_names(view.library)
    known = [system.name for system in view.library.own("system")]
    labels: dict[str, str] = {}
    for label, name in entry.model.planners.items():
        if name in labels:
            message = f"'{labels[name]}' and '{label}' are the same system"
            yield Diagnostic(CODE, "error", entry.span("planners", label), message, None)
            continue
        labels[name] = label
        system = view.library.find_system(name, entry)
        if system is not None:
            inside = view.library.inside(view.library.folders(system))
            recipes = sorted({one.name for one in inside if one.kind == "recipe"})
            yield from _recipes(entry, name, recipes, unread)
        elif ("system", name) not in unread:
            help = suggestion(name, known, "systems")
            message = f"there is no system '{name}'"
            yield Diagnostic(CODE, "error", entry.span("planners", label), message, help)
    seen: set[str] = set()
    for index, recipe in enumerate(entry.model.recipes):
        if recipe in seen:
            message = f"'{recipe}' is listed twice"
            yield Diagnostic(CODE, "error", entry.span("recipes", index), message, None)
        seen.add(recipe)


def _recipes(
    entry: Entry[StudyFile], system: str, known: list[str], unread: frozenset[tuple[str, str]]
) -> Iterator[Diagnostic]:
    for index, recipe in enumerate(entry.model.recipes):
        if recipe not in known and ("recipe", recipe) not in unread:
            message = f"the system '{system}' has no recipe '{recipe}'"
            help = suggestion(recipe, known, "recipes")
            yield Diagnostic(CODE, "error", entry.span("recipes", index), message, help)
