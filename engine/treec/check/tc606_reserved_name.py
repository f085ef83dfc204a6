"""Domain name that is already taken.

Agents, subtasks, queues and the conversation are built into every domain. State, a derived name or
a fact of the same name would hide them, and the domain must not declare a name twice.

Wrong:

    domain: depot
    facts:
      queue: {args: [Agent], value: text}
    state:
      agents: {type: list of text}
    derived:
      agents: people | list

Right:

    domain: depot
    facts:
      waiting_for: {args: [Agent], value: text}
    state:
      guests: {type: list of text}
    derived:
      crew: people | list
"""

from __future__ import annotations

from collections.abc import Iterator

from treec.check.base import entries
from treec.extensions import registry
from treec.files.places import DomainFile
from treec.files.types import PLAIN, TEAM, TEAM_PARENTS
from treec.files.view import View
from treec.source.diagnostics import Diagnostic
from treec.source.names import FUNCTIONS as EVERYWHERE
from treec.team.names import SPECIALS, team_functions, team_names

CODE = "TC606"


def check(view: View) -> Iterator[Diagnostic]:
    """Report names of state, derived names, facts and types that are taken."""
    for entry in entries(view, "domain"):
        domain: DomainFile = entry.model
        first: dict[str, str] = {}
        for section in ("facts", "state", "derived"):
            for name in getattr(domain, section):
                taken = _what_has(section, name)
                help = "rename it"
                if taken is None and name in first:
                    taken = f"duplicate name '{name}': it is also under '{first[name]}'"
                first.setdefault(name, section)
                if taken is not None:
                    span = entry.span(section, name, key=True)
                    yield Diagnostic(CODE, "error", span, taken, help)
        for name, spec in domain.types.items():
            if name in registry().records:
                span = entry.span("types", name, key=True)
                message = f"'{name}' is already the type of what a function gives"
                yield Diagnostic(CODE, "error", span, message, "rename it")
            known = name in TEAM or name in PLAIN or name == "none"
            if known and (name in PLAIN or name == "none" or spec.is_ != TEAM_PARENTS.get(name)):
                span = entry.span("types", name, key=True)
                parent = TEAM_PARENTS.get(name)
                help = f"it is {name}: {{is: {parent}}}" if parent else "leave it out"
                message = f"'{name}' is a built-in type, and this would change it"
                yield Diagnostic(CODE, "error", span, message, help)


def _what_has(section: str, name: str) -> str | None:
    if name in team_functions() or name in SPECIALS or name in EVERYWHERE:
        return f"'{name}' is a built-in function"
    if name in team_names():
        about = team_names()[name].about.lower().rstrip(".")
        return f"'{name}' is a built-in name: {about}"
    if section == "state" and name in registry().slots:
        return f"'{name}' is built-in state"
    return None
