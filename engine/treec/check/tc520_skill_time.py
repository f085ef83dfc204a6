"""Timeout below a skill's own duration.

A skill is stopped after its `timeout`. With a timeout that is no longer than `takes`, of the skill
or of an agent that is slower or faster, it fails each time.

Wrong:

    skill: pick
    about: Pick something up.
    args: {agent: Robot, item: Item}
    takes: 8s
    timeout: 5s

Right:

    skill: pick
    about: Pick something up.
    args: {agent: Robot, item: Item}
    takes: 8s
    timeout: 30s
"""

from __future__ import annotations

from collections.abc import Iterator

from treec.check.base import entries
from treec.files.view import View
from treec.source.diagnostics import Diagnostic

CODE = "TC520"


def check(view: View) -> Iterator[Diagnostic]:
    """Compare the timeout of each skill with the durations of the skill and of its agents."""
    for entry in entries(view, "skill"):
        model = entry.model
        if model.timeout is not None and model.timeout <= model.takes:
            took, limit = f"{model.takes:g} s", f"{model.timeout:g} s"
            message = f"'{entry.name}' takes {took}, but is stopped after {limit}"
            help = f"write a 'timeout' of more than {took}"
            yield Diagnostic(CODE, "error", entry.span("timeout"), message, help)
    skills = view.all("skill")
    for entry in entries(view, "agent"):
        for name, limits in entry.model.skills.items():
            skill = skills.get(name)
            timeout = skill.model.timeout if skill is not None else None
            if limits.takes is None or timeout is None or timeout > limits.takes:
                continue
            took, limit = f"{limits.takes:g} s", f"{timeout:g} s"
            message = f"'{name}' takes {took} here, but is stopped after {limit}"
            span = entry.span("skills", name, "takes")
            help = "make the skill's 'timeout' longer"
            yield Diagnostic(CODE, "error", span, message, help)
