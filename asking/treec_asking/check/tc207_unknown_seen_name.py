"""Unknown name under `sees`, `recalls` or `knows`.

These list the domain's state, its derived names, and the built-in names. Facts take arguments and
cannot be listed: define a derived name for what you need of a fact.

Wrong:

    sees: [availible]

Right:

    sees: [available]
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from treec.check.base import entries
from treec.check.environments import world
from treec.check.names import TypeEnvironment
from treec.files.kinds import prompts
from treec.files.view import View
from treec.source.diagnostics import Diagnostic
from treec.source.errors import suggest

CODE = "TC207"


def check(view: View) -> Iterator[Diagnostic]:
    """Report names that are neither state nor arguments of the node."""
    env = world(view)
    for entry in entries(view, *prompts()):
        known = {*env.names, *getattr(entry.model, "args", ())}
        for key in ("sees", "recalls", "knows"):
            listed = getattr(entry.model, key)
            for index, name in enumerate(() if isinstance(listed, Mapping) else listed):
                if name in known or (not env.whole and name not in env.facts):
                    continue
                message, help = _describe(name, env, known)
                yield Diagnostic(CODE, "error", entry.span(key, index), message, help)


def _describe(name: str, env: TypeEnvironment, known: set[str]) -> tuple[str, str | None]:
    if name in env.facts:
        help = "define a derived name for it in the domain, and list that"
        return f"'{name}' is a fact, which takes arguments", help
    if name in env.things:
        return f"'{name}' is a thing, which never changes", "leave it out"
    if name in env.functions:
        help = "define a derived name for its result in the domain, and list that"
        return f"'{name}' is a function", help
    return f"unknown name '{name}'", suggest(name, known)
