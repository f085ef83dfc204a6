"""Variable that is never set, or variable or port that is never used.

A variable is none until `set`, `take … into` or the out port of a subtree gives it a value: one
that is read and never set is none for ever. A variable or an in port that nothing reads is a typo
or a leftover, which is a warning.

Wrong:

    tree: work
    vars: {subtask: Subtask}
    root:
      - report: {subtask: $subtask, done: true}

Right:

    tree: work
    ports: {agent: in Robot}
    vars: {subtask: Subtask}
    root:
      - take: {queue: $agent, into: subtask}
      - report: {subtask: $subtask, done: true}
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

from treec.check.base import entries, places
from treec.check.port_wiring import find_wiring
from treec.check.texts import parsed_texts
from treec.check.tree_nodes import ports_of, tree_nodes
from treec.files.entry import AnyEntry
from treec.files.nodes import NodeBase, PythonNode, spec_of
from treec.files.view import View
from treec.source.diagnostics import Diagnostic
from treec.source.values import references

CODE = "TC312"

_NAME = re.compile(r"[A-Za-z_]\w*")


def check(view: View) -> Iterator[Diagnostic]:
    """Report variables that nothing sets, and variables and ports that nothing reads."""
    read: dict[int, set[str]] = {}
    for text in parsed_texts(view):
        if text.place.entry.kind != "tree":
            continue
        names = read.setdefault(id(text.place.entry), set())
        if text.text is None:  # reported by TC201
            names.update(_NAME.findall(str(text.place.value)))
        else:
            names.update(name.name for name in text.text.names)
    for entry in entries(view, "tree"):
        yield from _unused(view, entry, read.get(id(entry), set()))


def _unused(view: View, entry: AnyEntry, read: set[str]) -> Iterator[Diagnostic]:
    written, passed = _set_names(view, entry), _passed(entry)
    ports = ports_of(entry)
    loops = {n for at in tree_nodes(entry) for n in _loop(at.node)}
    read = read | passed | loops
    for name in entry.model.vars:
        span = entry.span("vars", name, key=True)
        if name in read and name not in written and name not in entry.model.defaults:
            message = f"the variable '{name}' is read, but nothing sets it: it is always none"
            help = "set it: 'set', 'take … into', an out port, or a default: 'NAME: TYPE = …'"
            yield Diagnostic(CODE, "error", span, message, help)
        elif name not in read:
            message = f"nothing reads the variable '{name}'"
            yield Diagnostic(CODE, "warning", span, message, "use it, or remove it")
    for name, port in ports.items():
        if not port.writes and name not in read:
            span = entry.span("ports", name, key=True)
            message = f"nothing reads the port '{name}'"
            yield Diagnostic(CODE, "warning", span, message, "use it, or remove it")


def _set_names(view: View, entry: AnyEntry) -> set[str]:
    """Return the names that nodes of a tree may set; what an unknown node is given may be."""
    found: set[str] = set()
    for at in tree_nodes(entry):
        spec = spec_of(at.node)
        if spec is not None:
            assigned = (one for one in spec.assigned(at.node) if one.what != "state")
            found.update(one.name for one in assigned if not one.is_read)
        if isinstance(at.node, NodeBase):
            wiring = find_wiring(view, at)
            ports = {} if wiring is None else wiring.ports
            given = _given(at.node) if wiring is None else wiring.given
            for name, value in given.items():
                if name not in ports or ports[name].writes:
                    found.update(reference.name for reference in references(value))
    return found


def _given(node: NodeBase) -> Mapping[str, object]:
    if isinstance(node, PythonNode):
        return node.model_extra or {}
    given = getattr(node, "with_", None)
    return given if isinstance(given, Mapping) else {}


def _passed(entry: AnyEntry) -> set[str]:
    """Return the names that values of a tree refer to."""
    values = (place.value for place in places(entry) if place.kind == "value")
    return {reference.name for value in values for reference in references(value)}


def _loop(node: NodeBase | list[object]) -> Iterator[str]:
    """Yield the names in the lists of loops, which are no expressions of their own."""
    if isinstance(node, NodeBase) and node.for_ is not None:
        yield from _NAME.findall(node.for_.items)
    spec = spec_of(node)
    if spec is not None and spec.binds is not None:
        for each in spec.binds(node).values():
            yield from _NAME.findall(each.items)
