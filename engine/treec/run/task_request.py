"""The task, scene and environment requested for a run, and the view that provides them."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, replace

from treec.extensions import registry
from treec.files.entry import AnyEntry, Entry
from treec.files.library import Library
from treec.files.systems import ScenarioFile, SystemFile
from treec.files.view import View, in_scene, on_environment
from treec.run.disturbances import InvalidDisturbance, read_disturbances
from treec.run.injections import InvalidInjection, read_injections
from treec.run.mocks import InvalidMock, read_mocks
from treec.source.diagnostics import did_you_mean


class TaskError(Exception):
    """An invalid task, scene or disturbance; the message says what would be right."""


@dataclass(frozen=True)
class TaskRequest:
    """Task, scene, environment and disturbances as requested by options or a scenario."""

    task: str | None = None
    scene: str | None = None
    env: str | None = None
    jitter: bool = False
    disturb: tuple[str, ...] = ()
    mock: tuple[str, ...] = ()
    """Nodes with scripted statuses, as they were written."""
    inject: tuple[str, ...] = ()
    """Faults, as they were written."""
    see: bool = False
    """Whether the needs of skills are asked of their providers."""

    def or_else(self, other: TaskRequest) -> TaskRequest:
        """This request, completed by another one."""
        return TaskRequest(
            self.task or other.task,
            self.scene or other.scene,
            self.env or other.env,
            self.jitter or other.jitter,
            self.disturb or other.disturb,
            self.mock or other.mock,
            self.inject or other.inject,
            self.see or other.see,
        )


def request_of_scenario(scenario: Entry[ScenarioFile] | None) -> TaskRequest:
    """The request of a scenario."""
    if scenario is None:
        return TaskRequest()
    return TaskRequest(scenario.model.task, scenario.model.scene)


def request_of_run(header: Mapping[str, object]) -> TaskRequest:
    """The request of a run, from the first record of its journal."""
    task, scene, env = (header.get(name) for name in ("task", "scene", "env"))
    names = [None if value is None else str(value) for value in (task, scene, env)]
    return TaskRequest(
        names[0],
        names[1],
        names[2],
        jitter=header.get("jitter") is True,
        disturb=_texts(header.get("disturb")),
        mock=_texts(header.get("mock")),
        inject=_texts(header.get("inject")),
        see=header.get("see") is True,
    )


def _texts(value: object) -> tuple[str, ...]:
    return tuple(map(str, value)) if isinstance(value, list | tuple) else ()


def view_for(
    library: Library, system: Entry[SystemFile], request: TaskRequest, scripted: bool
) -> tuple[View, TaskRequest]:
    """The view of a system for a request, and the request with full names. Raises TaskError."""
    scene = request.scene
    if request.env is not None:
        system = on_environment(system, request.env)
    library.uses(system)  # reads the packs that it names, if nothing has done so yet
    known = {e.name: e for e in library.of_kind("scene") if e.model.domain == system.model.domain}
    if scene is not None and scene not in known:
        near = did_you_mean(scene, known)
        hint = f"did you mean '{near}'?" if near else f"there are: {', '.join(known) or 'none'}"
        raise TaskError(f"there is no scene '{scene}' for the system '{system.name}': {hint}")
    if request.task is not None and not request.task.strip():
        raise TaskError("--task is empty: say what is to be done")
    if scene is None and request.task is not None:  # find the scene of the task
        for name in (system.model.scene, *known):
            if find_task(View(library, in_scene(system, name)), request.task) is not None:
                scene = name
                break
    view = View(library, system if scene is None else in_scene(system, scene))
    if scene is not None and request.task is not None:
        _belongs(library, system, view, request.task, [n for n in known if n != scene])
    takes_task = "task" in view.state
    if request.task is not None and not takes_task:
        raise TaskError(f"the system '{system.name}' takes no task: its domain has no state 'task'")
    if request.task is None and takes_task and not scripted:
        tasks = ", ".join(f"{n} ({e.model.task})" for n, e in sorted(tasks_of(view).items()))
        here = scene or system.model.scene
        raise TaskError(f"say what '{system.name}' shall do, with --task; in {here}: {tasks}")
    task = request.task
    if task is not None and (described := find_task(view, task)) is not None:
        task = str(described.model.task)
    check_request(request, view)
    return view, replace(request, task=task, scene=scene)


def check_request(request: TaskRequest, view: View) -> None:
    """Raise TaskError if a disturbance or a fault does not fit the view, or a mock is none."""
    try:
        read_disturbances(request.disturb, view)
        read_mocks(request.mock)
        read_injections(request.inject, view)
    except (InvalidDisturbance, InvalidMock, InvalidInjection) as error:
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
    plain_words = _plain(words)
    for name, entry in tasks_of(view).items():
        if plain_words in (_plain(name), _plain(entry.model.task)):
            return entry
    return None


def _plain(words: str) -> str:
    return " ".join(re.findall(r"\w+", words.replace("_", " ").casefold()))
