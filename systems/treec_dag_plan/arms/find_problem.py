"""Find the problem that words ask for, or make an ad hoc problem without a goal."""

from __future__ import annotations

import json
from collections.abc import Sequence

from treec.files.entry import Entry
from treec.files.view import View
from treec.run.task_view import find_task
from treec.source.diagnostics import did_you_mean
from treec.source.text import SourceFile
from treec.source.yaml import Mapping, read_documents
from treec_dag_plan.files import ProblemFile

AD_HOC = "said"
"""The name of a problem that no file describes."""


NO_GOAL = ("true",)
"""The goal of an ad hoc problem for which none was stated."""


def find_problem(view: View, words: str, goal: Sequence[str] = NO_GOAL) -> Entry[ProblemFile]:
    """Return the problem with this name or instruction, or an ad hoc one.

    An ad hoc problem has all objects of the scene and the given goal.
    """
    found = find_task(view, words)
    if found is not None and found.kind == "problem":
        return found
    data: dict[str, object] = {
        "problem": AD_HOC,
        "task": words,
        "scene": view.scenes[0].name if view.scenes else "",
        "goal": list(goal),
    }
    if goal != NO_GOAL:
        data["constraints"] = [f"at the end: {condition}" for condition in goal]
    file = SourceFile(f"{AD_HOC}.problem.yaml", json.dumps(data))
    root = read_documents(file)[0][0].root
    assert isinstance(root, Mapping)
    return Entry("problem", AD_HOC, ProblemFile.model_validate(data), root, file)


def describe_unknown_task(view: View, words: str) -> str:
    """Say that no file describes a task, and suggest or list the known ones."""
    tasks = {name: entry.model.task for name, entry in sorted(view.all("problem").items())}
    near = did_you_mean(words, [*tasks, *tasks.values()])
    message = f"no file describes the task '{words}'"
    if near is not None:
        return f"{message}; did you mean '{near}'?"
    there = ", ".join(f"{name} ({task})" for name, task in tasks.items())
    return f"{message}; known: {there or 'none'}"
