"""Mismatch between a task's patterns and its arguments.

A pattern under `says` binds the task's arguments by name: `get <item>`. A name that is not an
argument binds nothing, and an argument that no pattern binds has no value when the task is
requested in words.

Wrong:

    task: get
    about: Fetch something.
    args: {item: Item}
    says: [get <thing>]

Right:

    task: get
    about: Fetch something.
    args: {item: Item}
    says: [get <item>]
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from treec.check.base import entries
from treec.files.entry import AnyEntry
from treec.files.tasks import TaskFile
from treec.files.view import View
from treec.program.places import StepsError
from treec.program.steps import NameRef, arguments, parse_steps
from treec.source.diagnostics import Diagnostic, did_you_mean, suggestion
from treec.source.errors import SourceError
from treec.source.expression import Expression
from treec.source.yaml import Sequence
from treec.team.words import pattern_arguments

CODE = "TC509"

_BRACKETS = re.compile(r"<([^<>]*)>?")
_ARGUMENT = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")


def check(view: View) -> Iterator[Diagnostic]:
    """Report unknown and repeated arguments in patterns, and arguments that no pattern binds."""
    for entry in entries(view, "task"):
        task: TaskFile = entry.model
        for index, pattern in enumerate(task.says):
            yield from _pattern(entry, task, index, pattern)
        if task.says:
            yield from _unbound(entry, task, view)


def _pattern(entry: AnyEntry, task: TaskFile, index: int, pattern: str) -> Iterator[Diagnostic]:
    loc = ("says", index)
    if not pattern.strip():
        span = entry.span(*loc)
        yield Diagnostic(CODE, "error", span, "this pattern is empty", "write get <item>")
        return
    seen: set[str] = set()
    for found in _BRACKETS.finditer(pattern):
        name = found[1]
        span = entry.span_in(loc, found.start(), len(found[0]))
        help: str | None
        if not _ARGUMENT.fullmatch(name) or not found[0].endswith(">"):
            identifier = name.strip().replace(" ", "_")
            near = identifier if identifier in task.args else did_you_mean(identifier, task.args)
            help = f"did you mean '<{near}>'?" if near else "write the argument's name: <item>"
            message = f"'{found[0]}' is not an argument name in angle brackets"
        elif name not in task.args:
            help = suggestion(name, task.args, "its arguments")
            message = f"unknown argument '{name}' of '{task.task}'"
        elif name in seen:
            help = "name each argument once"
            message = f"this pattern names '{name}' twice"
        else:
            seen.add(name)
            continue
        yield Diagnostic(CODE, "error", span, message, help)


def _unbound(entry: AnyEntry, task: TaskFile, view: View) -> Iterator[Diagnostic]:
    bound = [set(pattern_arguments(pattern)) for pattern in task.says]
    anywhere = set().union(*bound)
    needed: set[str] | None = None
    for position, name in enumerate(task.args):
        if name not in anywhere:
            if not anywhere <= task.args.keys():  # an unknown name in a pattern stands for it
                continue
            listed = isinstance(entry.at("args"), Sequence)
            span = entry.span("args", position) if listed else entry.span("args", name, key=True)
            yield Diagnostic(
                CODE,
                "error",
                span,
                f"no pattern of '{task.task}' binds its argument '{name}'",
                f"write <{name}> in a pattern of 'says'",
            )
            continue
        if needed is None:
            needed = _needed(task) - view.objects.keys() - view.agents.keys()
        if name not in needed:
            continue
        for index, names in enumerate(bound):
            if name not in names and names <= task.args.keys():
                yield Diagnostic(
                    CODE,
                    "error",
                    entry.span("says", index),
                    f"this pattern does not bind '{name}', which '{task.task}' needs",
                    f"write <{name}> in it",
                )


def _needed(task: TaskFile) -> set[str]:
    """Return the names that a task's steps and goal use."""
    names: set[str] = set()
    try:
        steps = parse_steps(task.steps or "")
        names.update(a.name for step in steps for a in arguments(step) if isinstance(a, NameRef))
        names.update(name.name for name in Expression.parse(task.goal or "true").names)
    except (StepsError, SourceError):
        pass
    return names
