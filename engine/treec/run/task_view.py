"""The view that a run needs: its system in its scene, with its task and environment."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import replace
from typing import TYPE_CHECKING

from treec.extensions import registry
from treec.files.entry import AnyEntry, Entry
from treec.files.library import Library
from treec.files.systems import SystemFile
from treec.files.view import View, in_scene, on_environment
from treec.program.faults import InvalidFault, read_faults
from treec.source.diagnostics import suggestion

if TYPE_CHECKING:
    from treec.world.spec import RunSpec


class TaskError(Exception):
    """An invalid task, scene or disturbance; the message says what would be right."""


def view_for(
    library: Library, system: Entry[SystemFile], spec: RunSpec, scripted: bool
) -> tuple[View, RunSpec]:
    """The view of a system for a run, and the run with full names. Raises TaskError.

    ``scripted``: a system that needs a task may go without.
    """
    scene = spec.scene
    if spec.env is not None:
        system = on_environment(system, spec.env)
    library.uses(system)  # reads the packs that it names, if nothing has done so yet
    known = {e.name: e for e in library.of_kind("scene") if e.model.domain == system.model.domain}
    if scene is not None and scene not in known:
        hint = suggestion(scene, known, "scenes")
        raise TaskError(f"unknown scene '{scene}' of the system '{system.name}'; {hint}")
    if scene is None and spec.task is not None:  # find the scene of the task
        for name in (system.model.scene, *known):
            if find_task(View(library, in_scene(system, name)), spec.task) is not None:
                scene = name
                break
    view = View(library, system if scene is None else in_scene(system, scene))
    if scene is not None and spec.task is not None:
        _belongs(library, system, view, spec.task, [n for n in known if n != scene])
    takes_task = "task" in view.state
    if spec.task is not None and not takes_task:
        raise TaskError(f"the system '{system.name}' takes no task: its domain has no state 'task'")
    if spec.task is None and takes_task and not scripted:
        tasks = ", ".join(f"{n} ({e.model.task})" for n, e in sorted(tasks_of(view).items()))
        here = scene or system.model.scene
        raise TaskError(f"say what '{system.name}' shall do, with --task; in {here}: {tasks}")
    task = spec.task
    if task is not None and (described := find_task(view, task)) is not None:
        task = str(described.model.task)
    check_faults(spec, view)
    return view, replace(spec, system=system.name, task=task, scene=scene)


def check_faults(spec: RunSpec, view: View) -> None:
    """Raise TaskError for a fault that cannot be in a view."""
    try:
        read_faults(spec.faults, view)
    except InvalidFault as error:
        raise TaskError(str(error)) from None


def _belongs(
    library: Library, system: Entry[SystemFile], view: View, task: str, others: list[str]
) -> None:
    """Raise TaskError if a file describes the task, but for another scene."""
    if find_task(view, task) is not None:
        return
    for name in others:
        found = find_task(View(library, in_scene(system, name)), task)
        if found is not None:
            here = view.scenes[0].name
            problem = f"the task '{found.name}' is one of the scene '{name}', and not of '{here}'"
            raise TaskError(f"{problem}: leave --scene out, or name '{name}'")


def tasks_of(view: View) -> dict[str, AnyEntry]:
    """The task files of a view, by name."""
    kinds = [kind.name for kind in registry().kinds.values() if kind.done]
    return {name: entry for kind in kinds for name, entry in view.all(kind).items()}


def task_ends(view: View) -> tuple[str | None, str | None]:
    """The expressions for a task being done and having failed, of the first kind with tasks."""
    kinds = [kind for kind in registry().kinds.values() if kind.done]
    chosen = next((kind for kind in kinds if view.all(kind.name)), kinds[0] if kinds else None)
    return (None, None) if chosen is None else (chosen.done, chosen.failed or None)


def find_task(view: View, words: str) -> AnyEntry | None:
    """Find a task of a view by its name or its instruction; None if there is none."""
    return next(tasks_named(tasks_of(view).values(), words), None)


def tasks_named(tasks: Iterable[AnyEntry], words: str) -> Iterator[AnyEntry]:
    """The tasks among files that have this name or this instruction."""
    asked = normalize(words)
    return (e for e in tasks if asked in (normalize(e.name), normalize(e.model.task)))


def normalize(words: str) -> str:
    """Return words without case, punctuation and articles."""
    return " ".join(re.findall(r"\b(?!(?:an?|the)\b)\w+", words.replace("_", " ").casefold()))
