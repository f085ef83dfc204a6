"""Unwired or unknown port or argument.

`with` wires a tree's ports and the arguments of an action, a program or a skill. In and inout
ports must be wired; a tree's out port may be left open. An out port writes to a variable, so it is
wired to `$NAME`. A decision passes nothing to the option it chooses, so options must not need
ports or arguments; nor must the root.

Wrong:

    tree: main
    root:
      - tree: robot_worker
        with: {agnt: R1}

Right:

    tree: main
    root:
      - tree: robot_worker
        with: {agent: R1}
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from treec.check.base import entries
from treec.check.graph import graph_of
from treec.check.port_wiring import PortWiring, find_wiring, required_arguments
from treec.check.tree_nodes import Port, TreeNodeAt, parse_port, tree_nodes
from treec.files.entry import AnyEntry
from treec.files.view import View
from treec.source.diagnostics import Diagnostic, did_you_mean

CODE = "TC303"

_VARIABLE = re.compile(r"\$[A-Za-z]\w*")


def check(view: View) -> Iterator[Diagnostic]:
    """Report invalid ports, and wiring that does not match them."""
    for entry in entries(view, "tree"):
        yield from _unreadable(entry)
        for at in tree_nodes(entry):
            found = find_wiring(view, at)
            if found is not None:
                yield from _misfits(at, found)
    yield from _check_choices(view)
    yield from _root(view)


def _unreadable(entry: AnyEntry) -> Iterator[Diagnostic]:
    for name, text in entry.model.ports.items():
        try:
            parse_port(text)
        except ValueError as error:
            span = entry.span("ports", name)
            yield Diagnostic(CODE, "error", span, f"'{text}' is not a port", str(error))


def _misfits(at: TreeNodeAt, found: PortWiring) -> Iterator[Diagnostic]:
    unknown = [name for name in found.given if name not in found.ports]
    for name in unknown:
        nearest = did_you_mean(name, [n for n in found.ports if n not in found.given])
        known = ", ".join(found.ports) or "none"
        yield Diagnostic(
            CODE,
            "error",
            at.span(*found.loc, name, key=True),
            f"unknown {found.one} '{name}' of {found.what}",
            f"did you mean '{nearest}'?" if nearest else f"its {found.one}s: {known}",
        )
        if nearest is not None:
            return  # it stands for the missing one
    for name, port in found.ports.items():
        if name not in found.given:
            if name not in found.optional:
                yield _report(at, found, name, port)
        elif port.writes and not _is_variable(found.given[name]):
            yield Diagnostic(
                CODE,
                "error",
                at.span(*found.loc, name),
                f"'{name}' is {_an(port.direction)} port, which must be wired to a variable",
                "write '$NAME', with a variable of this tree",
            )


def _report(at: TreeNodeAt, found: PortWiring, name: str, port: Port) -> Diagnostic:
    key = str(at.key)
    return Diagnostic(
        CODE,
        "error",
        at.span(key, key=True) if found.loc == (key,) else at.span(key),
        f"{found.what} needs its {found.one} '{name}'",
        f"{'add it to' if found.given else 'write'} {found.loc[0]}: {{{name}: …}}, {_a(port)}",
    )


def _check_choices(view: View) -> Iterator[Diagnostic]:
    graph = graph_of(view)
    for entry in graph.behaviours:
        if entry.kind != "decision":
            continue
        for edge in graph.edges(entry):
            need = _needed(edge.target)
            if need is not None:
                yield Diagnostic(
                    CODE,
                    "error",
                    edge.span,
                    f"a decision passes nothing to its options, but the {edge.target.kind} "
                    f"'{edge.target.name}' needs '{need}'",
                    "read it from the state instead, or choose a tree that wires it",
                )


def _root(view: View) -> Iterator[Diagnostic]:
    if view.system is None:
        return
    root = view.find("tree", view.system.model.root)
    need = _needed(root) if root is not None else None
    if need is not None:
        yield Diagnostic(
            CODE,
            "error",
            view.system.span("root"),
            f"nothing wires the port '{need}' of the root '{view.system.model.root}'",
            "make a tree without ports the root, and wire this one in it",
        )


def _needed(entry: AnyEntry) -> str | None:
    if entry.kind not in ("tree", "action"):
        return None
    expected, optional = required_arguments(entry)
    return next((name for name in expected or () if name not in optional), None)


def _is_variable(value: object) -> bool:
    return isinstance(value, str) and _VARIABLE.fullmatch(value) is not None


def _a(port: Port) -> str:
    return _an(str(port.type))


def _an(text: str) -> str:
    return f"an {text}" if text[:1] in "AEIOUaeiou" else f"a {text}"
