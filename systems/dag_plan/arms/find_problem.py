"""Find the problem that words ask for, or make an ad hoc problem without a goal."""

from __future__ import annotations

import json

from treec.files.entry import Entry
from treec.files.view import View
from treec.run.task_request import find_task
from treec.source.diagnostics import did_you_mean
from treec.source.text import SourceFile
from treec.source.yaml import Mapping, read_documents
from treec.systems.dag_plan.files import ProblemFile

AD_HOC = "said"
"""The name of a problem that no file describes."""


def find_problem(view: View, words: str) -> Entry[ProblemFile]:
    """Return the problem with this name or instruction, or an ad hoc one.

    An ad hoc problem has all objects of the scene and the goal `true`.
    """
    found = find_task(view, words)
    if found is not None and found.kind == "problem":
        return found
    scene = view.scenes[0].name if view.scenes else ""
    text = (
        f"problem: {AD_HOC}\ntask: {json.dumps(words)}\nscene: {json.dumps(scene)}\n"
        "goal: ['true']\n"
    )
    file = SourceFile(f"{AD_HOC}.problem.yaml", text)
    root = read_documents(file)[0][0].root
    assert isinstance(root, Mapping)
    data = {"problem": AD_HOC, "task": words, "scene": scene, "goal": ["true"]}
    return Entry("problem", AD_HOC, ProblemFile.model_validate(data), root, file)


def describe_unknown_task(view: View, words: str) -> str:
    """Say that no file describes a task, and suggest or list the known ones."""
    tasks = {name: entry.model.task for name, entry in sorted(view.all("problem").items())}
    near = did_you_mean(words, [*tasks, *tasks.values()])
    message = f"no file describes the task '{words}'"
    if near is not None:
        return f"{message}: did you mean '{near}'?"
    there = ", ".join(f"{name} ({task})" for name, task in tasks.items())
    return f"{message}; there are: {there or 'none'}"
