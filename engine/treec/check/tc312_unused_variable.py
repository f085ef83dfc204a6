"""Variable that is never set, or variable or port that is never used.

A variable is none until `set`, `take … into` or the out port of a subtree gives it a value: one
that is read and never set is none for ever, and one that is only counted up, `{n: = n + 1}`, has
nothing to count from; state of the domain without a default, too. A variable or an in port that
nothing reads is a typo or a leftover, which is a warning.

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

from jinja2 import nodes

from treec.check.base import all_entries, entries, places
from treec.check.port_wiring import find_wiring
from treec.check.texts import parsed_texts
from treec.check.tree_nodes import ports_of, tree_nodes
from treec.files.entry import AnyEntry
from treec.files.node_spec import Assignment
from treec.files.nodes import NodeBase, PythonNode, spec_of
from treec.files.view import View
from treec.source.diagnostics import Diagnostic
from treec.source.errors import LocatedError
from treec.source.expression import Expression
from treec.source.grammar import children
from treec.source.values import is_computed, references

CODE = "TC312"
_SUMS = (nodes.Add, nodes.Sub, nodes.Mul, nodes.Div, nodes.FloorDiv, nodes.Mod)

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
    yield from _uncounted(view)


def _uncounted(view: View) -> Iterator[Diagnostic]:
    """State without a default that nothing but nodes which count it up sets."""
    counted: dict[str, bool] = {}
    for entry in all_entries(view, "tree"):
        own = {*entry.model.vars, *ports_of(entry)}
        for at in tree_nodes(entry):
            spec = spec_of(at.node)
            for one in () if spec is None else spec.assigned(at.node):
                if one.what != "variable" and one.name not in own:
                    counted[one.name] = counted.get(one.name, True) and _counts(one)
    for domain in view.domains:
        for name, state in domain.model.state.items():
            if state.default is None and counted.get(name) and not _is_set(view, name):
                span = domain.span("state", name, key=True)
                message = f"the state '{name}' is counted up, but has no value to begin with"
                help = f"give it a default: {{type: {state.type}, default: 0}}"
                yield Diagnostic(CODE, "warning", span, message, help)


def _counts(assigned: Assignment) -> bool:
    """Whether a name gets a value that is reckoned from its own: `= n + 1`."""
    if not is_computed(assigned.value):
        return False
    try:
        return _sums(Expression.parse(str(assigned.value)[1:].lstrip()).ast[0], assigned.name)
    except LocatedError:  # reported by TC201
        return False


def _sums(node: nodes.Node, name: str) -> bool:
    """Whether a name is an operand of a sum, whatever else holds."""
    found = children(node) if isinstance(node, _SUMS) else ()
    return any(n.name == name if isinstance(n, nodes.Name) else _sums(n, name) for n in found)


def _is_set(view: View, name: str) -> bool:
    """Whether a skill's effects name something, or a judge's answer sets it."""
    skills = all_entries(view, "skill")
    texts = (text for one in skills for text in (*one.model.at_start, *one.model.after))
    return any(name in _NAME.findall(str(text)) for text in texts) or any(
        name in one.model.sets for one in all_entries(view, "judge")
    )


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
        elif written.get(name) and name not in entry.model.defaults:
            message = f"the variable '{name}' is counted up, but has no value to begin with"
            help = f"give it a default: {name}: {entry.model.vars[name]} = 0"
            yield Diagnostic(CODE, "error", span, message, help)
        elif name not in read:
            message = f"nothing reads the variable '{name}'"
            yield Diagnostic(CODE, "warning", span, message, "use it, or remove it")
    for name, port in ports.items():
        if not port.writes and name not in read:
            span = entry.span("ports", name, key=True)
            message = f"nothing reads the port '{name}'"
            yield Diagnostic(CODE, "warning", span, message, "use it, or remove it")


def _set_names(view: View, entry: AnyEntry) -> dict[str, bool]:
    """Return the names that nodes of a tree may set, and whether they are only counted up.

    What an unknown node is given may be set by it.
    """
    found: dict[str, bool] = {}
    for at in tree_nodes(entry):
        spec = spec_of(at.node)
        if spec is not None:
            assigned = (one for one in spec.assigned(at.node) if one.what != "state")
            for one in (one for one in assigned if not one.is_read):
                found[one.name] = found.get(one.name, True) and _counts(one)
        if isinstance(at.node, NodeBase):
            wiring = find_wiring(view, at)
            ports = {} if wiring is None else wiring.ports
            given = _given(at.node) if wiring is None else wiring.given
            for name, value in given.items():
                if name not in ports or ports[name].writes:
                    found.update((reference.name, False) for reference in references(value))
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
