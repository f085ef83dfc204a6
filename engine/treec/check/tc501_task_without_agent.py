"""Task that no agent can do.

An agent can do the tasks that its file lists under `can`. A task that no agent lists can be
requested but never assigned.

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
OF_PACKS = False  # a library need not use everything in a pack


def check(view: View) -> Iterator[Diagnostic]:
    """Report tasks that no agent of the library lists under `can`."""
    if not view.agents or "agent" in unreadable_kinds(view.library):
        return
    # A pack of tasks may serve several systems: an agent of any of them is enough.
    able = {task for entry in view.library.of_kind("agent") for task in entry.model.can}
    if any(ANYTHING in agent.can for agent in view.agents.values()):
        return
    tasks = view.all("task")
    is_misspelt = {did_you_mean(name, tasks) for name in able - set(tasks) - {ANYTHING}}
    for entry in entries(view, "task"):
        if entry.name in able or entry.name in is_misspelt:  # the latter are reported by TC502
            continue
        yield Diagnostic(
            CODE,
            "error",
            entry.span("task"),
            f"no agent can do '{entry.name}'",
            f"add it to 'can' of an agent: {', '.join(view.agents)}",
        )
