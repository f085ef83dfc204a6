"""What a node sees, recalls or knows must be a name that there is.

These are names of the domain's state, its derived names, and the names that the team brings. A
fact is not among them, since it has arguments: a derived name can speak of it.

Wrong:

    sees: [availible]

Right:

    sees: [available]
"""

from __future__ import annotations

from collections.abc import Iterator

from treec.check.base import entries
from treec.check.environments import world
from treec.check.names import TypeEnvironment
from treec.files.kinds import prompts
from treec.files.view import View
from treec.source.diagnostics import Diagnostic, did_you_mean

CODE = "TC207"


def check(view: View) -> Iterator[Diagnostic]:
    """Names in `sees`, `recalls` and `knows` that are neither state nor the node's arguments."""
    env = world(view)
    for entry in entries(view, *prompts()):
        known = {*env.names, *getattr(entry.model, "args", ())}
        for key in ("sees", "recalls", "knows"):
            for index, name in enumerate(getattr(entry.model, key)):
                if name in known or (not env.whole and name not in env.facts):
                    continue
                message, help = _said(name, env, known)
                yield Diagnostic(CODE, "error", entry.span(key, index), message, help)


def _said(name: str, env: TypeEnvironment, known: set[str]) -> tuple[str, str | None]:
    if name in env.facts:
        help = "give it a name under 'derived' in the domain, and see that"
        return f"'{name}' is a fact, which has arguments", help
    if name in env.things:
        return f"'{name}' is a thing, which never changes", "leave it out"
    if name in env.functions:
        help = "give what it returns a name under 'derived' in the domain, and see that"
        return f"'{name}' is a function", help
    near = did_you_mean(name, sorted(known))
    return f"there is no '{name}' to be seen", f"did you mean '{near}'?" if near else None
