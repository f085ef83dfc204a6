"""Means to find out a fact that are not skills.

`look` of a fact names skills that find out its value when it is unknown; each is called with the
fact's arguments, by the agent that needs it.

Wrong:

    facts:
      at: {args: [Item], value: Place, look: [serch]}

Right, where `search` takes (agent, item):

    facts:
      at: {args: [Item], value: Place, look: [search]}
"""

from __future__ import annotations

from collections.abc import Iterator

from treec.check.base import entries
from treec.files.types import read_type
from treec.files.view import View
from treec.program.binding import ArgumentMismatch, bind, signature
from treec.source.diagnostics import Diagnostic, suggestion

CODE = "TC532"


def check(view: View) -> Iterator[Diagnostic]:
    """Report names under `look` that are not skills, or skills that take other arguments."""
    skills = view.all("skill")
    for entry in entries(view, "domain"):
        for fact, spec in entry.model.facts.items():
            for index, name in enumerate(spec.look):
                span = entry.span("facts", fact, "look", index)
                if name not in skills:
                    help = suggestion(name, skills, "skills")
                    message = f"unknown skill '{name}'"
                    yield Diagnostic(CODE, "error", span, message, help)
                    continue
                takes: dict[str, str] = skills[name].model.args
                bound = bind(name, list(takes), len(spec.args))
                wrong = isinstance(bound, ArgumentMismatch) or any(
                    not view.types.could_be(read_type(own), read_type(takes[arg]))
                    for arg, own in zip(bound, spec.args, strict=True)
                )
                if wrong:
                    message = f"'{name}' is called with ({', '.join(spec.args)}), as '{fact}' is"
                    help = f"it takes {signature(name, list(takes))}"
                    yield Diagnostic(CODE, "error", span, message, help)
