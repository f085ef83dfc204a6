"""Which task words mean: one that a file describes, or the words alone, with no goal."""

from __future__ import annotations

import json

from treec.files.entry import Entry
from treec.files.view import View
from treec.run.task_request import find_task
from treec.source.diagnostics import did_you_mean
from treec.source.text import SourceFile
from treec.source.yaml import Mapping, read_documents
from treec.systems.dag_plan.files import ProblemFile

SAID = "said"
"""The name of a task that no file describes."""


def asked_for(view: View, words: str) -> Entry[ProblemFile]:
    """The problem of a view that words name, or whose instruction they are; else one of the words.

    Of that nobody knows when it is reached: all things of the scene are there, and no goal.
    """
    found = find_task(view, words)
    if found is not None and found.kind == "problem":
        return found
    scene = view.scenes[0].name if view.scenes else ""
    text = (
        f"problem: {SAID}\ntask: {json.dumps(words)}\nscene: {json.dumps(scene)}\ngoal: ['true']\n"
    )
    file = SourceFile(f"{SAID}.problem.yaml", text)
    root = read_documents(file)[0][0].root
    assert isinstance(root, Mapping)
    data = {"problem": SAID, "task": words, "scene": scene, "goal": ["true"]}
    return Entry("problem", SAID, ProblemFile.model_validate(data), root, file)


def no_such_task(view: View, words: str) -> str:
    """That no file of a view describes the task that words ask for, and which tasks there are."""
    tasks = {name: entry.model.task for name, entry in sorted(view.all("problem").items())}
    near = did_you_mean(words, [*tasks, *tasks.values()])
    told = f"no file describes the task '{words}'"
    if near is not None:
        return f"{told}: did you mean '{near}'?"
    there = ", ".join(f"{name} ({task})" for name, task in tasks.items())
    return f"{told}; there are: {there or 'none'}"
