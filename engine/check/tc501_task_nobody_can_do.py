"""A task that no agent can do.

A task is done by an agent whose file names it under `can`. One that nobody names can be asked for,
but never given to anybody.

Wrong, in `R1.agent.yaml`, beside a task `scan`:

    agent: R1
    is: Robot
    about: Fetches things.
    can: [get]

Right:

    agent: R1
    is: Robot
    about: Fetches things.
    can: [get, scan]
"""

from __future__ import annotations

from collections.abc import Iterator

from treec.check.base import entries
from treec.check.unreadable import unreadable_kinds
from treec.files.view import View
from treec.source.diagnostics import Diagnostic, did_you_mean
from treec.team.knowledge import ANYTHING

CODE = "TC501"
OF_PACKS = False  # nobody needs all that a pack offers


def check(view: View) -> Iterator[Diagnostic]:
    """Tasks that no agent of the library has under `can`."""
    if not view.agents or "agent" in unreadable_kinds(view.library):
        return
    # A pack of tasks may serve several systems: whoever does it in one of them will do.
    able = {task for entry in view.library.of_kind("agent") for task in entry.model.can}
    if any(ANYTHING in agent.can for agent in view.agents.values()):
        return
    tasks = view.all("task")
    meant = {did_you_mean(name, tasks) for name in able - set(tasks) - {ANYTHING}}
    for entry in entries(view, "task"):
        if entry.name in able or entry.name in meant:  # a misspelt name is said where it stands
            continue
        yield Diagnostic(
            CODE,
            "error",
            entry.span("task"),
            f"no agent can '{entry.name}'",
            f"put it under 'can' of an agent: {', '.join(view.agents)}",
        )
