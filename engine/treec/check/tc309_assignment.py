"""Assignment to a name that cannot be set.

`set` assigns to the tree's variables, its out and inout ports, and the domain's state. `take …
into` assigns the subtask to a variable or an out port, `program … into` a text to the state, and a
`for_each` that `takes` from a queue what is left of it.

Wrong:

    tree: work
    ports: {agent: in Robot}
    root:
      - take: {queue: $agent, into: subtask}

Right:

    tree: work
    ports: {agent: in Robot}
    vars: {subtask: Subtask}
    root:
      - take: {queue: $agent, into: subtask}
"""

from __future__ import annotations

from collections.abc import Iterator

from treec.check.base import entries
from treec.check.tree_nodes import TreeNodeAt, loop_names, ports_of, tree_nodes
from treec.check.unknown_names import is_broken
from treec.files.node_spec import Assignment
from treec.files.nodes import spec_of
from treec.files.view import View
from treec.source.diagnostics import Diagnostic
from treec.source.errors import suggest
from treec.team.names import team_names

CODE = "TC309"


def check(view: View) -> Iterator[Diagnostic]:
    """Report names in `set` and `take` that cannot be assigned to."""
    for entry in entries(view, "tree"):
        for at in tree_nodes(entry):
            spec = spec_of(at.node)
            for assigned in () if spec is None else spec.assigned(at.node):
                found = _problem(view, at, assigned)
                if found is not None:
                    span = at.span(*assigned.loc, key=assigned.is_key)
                    yield Diagnostic(CODE, "error", span, found[0], found[1])


def _problem(view: View, at: TreeNodeAt, assigned: Assignment) -> tuple[str, str] | None:
    name, may_be_state = assigned.name, assigned.what != "variable"
    if not name.isidentifier():
        return f"'{name}' is not a variable", f"set one to it, and name that in '{at.key}'"
    if assigned.what == "state":
        if name in view.state or _domain_unknown(view):
            return None
        hint = suggest(name, view.state) or "declare it under 'state:'"
        return f"'{name}' is not state of the domain", hint
    ports = at.entry.model.ports
    known = [*at.entry.model.vars, *(n for n, p in ports_of(at.entry).items() if p.writes)]
    if name in at.bound | loop_names(at.node):
        return f"'{name}' is bound by the loop or handler around it", "set a variable instead"
    if name in known or (name in ports and name not in ports_of(at.entry)):
        return None
    if name in ports:
        return f"'{name}' is an in port", f"write '{name}: inout …' to set it"
    if name in view.state:
        if may_be_state:
            return None
        return f"'{name}' is state of the domain, but '{at.key}' sets a variable", _vars(name)
    if may_be_state and _domain_unknown(view):
        return None
    if name in view.derived or name in team_names():
        what = "a derived name" if name in view.derived else "a built-in name"
        return f"'{name}' is {what} and cannot be set", "set a variable, or state of the domain"
    if assigned.is_read:
        return None
    help = suggest(name, [*known, *(view.state if may_be_state else ())])
    what = "a variable or state" if may_be_state else "a variable of this tree"
    return f"'{name}' is not {what}", help or _vars(name)


def _vars(name: str) -> str:
    return f"declare it: 'vars: {{{name}: TYPE}}'"


def _domain_unknown(view: View) -> bool:
    """Whether the domain, which may declare the name, is missing or unreadable."""
    name = view.system.model.domain if view.system is not None else ""
    return not view.domains or is_broken(view, ("domain",), name)
