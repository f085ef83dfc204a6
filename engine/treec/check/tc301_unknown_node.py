"""Unknown node type.

The first key of a node that is not a modifier is its type: a built-in one, one that an extension
declares under `nodes` or the library in its treec.toml, or a class of the library's own package:
`depot.nodes:Beep`.

Wrong:

    tree: greet
    root:
      - chek: agents

Right:

    tree: greet
    root:
      - check: agents
"""

from __future__ import annotations

from collections.abc import Iterator

from treec.check.base import entries
from treec.check.python_nodes import PythonNodeClass, find_python_node, python_node_names
from treec.check.tree_nodes import tree_nodes
from treec.check.unknown_names import an, node_syntax, other_kind
from treec.companions import missing_help
from treec.extensions import registry
from treec.files.entry import AnyEntry
from treec.files.library import Library
from treec.files.nodes import MODIFIERS, PythonNode, node_specs
from treec.files.view import View
from treec.source.diagnostics import Diagnostic, did_you_mean
from treec.team.actions import find_action

CODE = "TC301"


def check(view: View) -> Iterator[Diagnostic]:
    """Report nodes of unknown types."""
    for entry in entries(view, "tree"):
        for at in tree_nodes(entry):
            if not isinstance(at.node, PythonNode):
                continue
            key = at.key
            if key is None:
                yield Diagnostic(
                    CODE,
                    "error",
                    at.span(),
                    "this node has no type, only modifiers",
                    "say what it does: {check: …}, {wait: …}, {tree: …}",
                )
                continue
            found = find_python_node(key, view.library)
            if found is None:
                span = at.span(key, key=True)
                message = f"unknown node type '{key}'"
                yield Diagnostic(CODE, "error", span, message, _help(view, key))
            elif found.missing is not None:
                span = at.span(key, key=True)
                what = "" if key == found.target else f" is {found.target}"
                message = f"the node '{key}'{what}: {found.missing}"
                yield Diagnostic(CODE, "error", span, message, _where(view, found))


def has_unknown_node(entry: AnyEntry, library: Library) -> bool:
    """Whether a behaviour is a tree with a node of an unknown type."""
    return entry.kind == "tree" and any(
        isinstance(at.node, PythonNode)
        and (at.key is None or find_python_node(at.key, library) is None)
        for at in tree_nodes(entry)
    )


def _where(view: View, found: PythonNodeClass) -> str:
    if found.near is not None:
        return f"did you mean '{found.near}'?"
    if found.name != found.target:
        return "see [nodes] in treec.toml"
    if view.library.package is None:
        return "name the library's Python package in treec.toml: [library] package"
    return f"the library's package is '{view.library.package.name}'"


def _help(view: View, key: str) -> str:
    if (help := missing_help("nodes", key)) is not None:
        return help
    if (elsewhere := _of_other_programs(key)) is not None:
        return elsewhere
    nearest = did_you_mean(key, (*registry().nodes, *python_node_names(view.library)))
    if nearest is not None:
        return f"did you mean '{nearest}'?"
    kind = other_kind(view, key)
    if kind is not None and node_syntax(kind, key):
        return f"'{key}' is {an(kind)}: write '{node_syntax(kind, key)}'"
    if find_action(key) is not None:
        return (
            f"'{key}' is a high-level action: call it in an action file, and run that by "
            "'do: ACTION'"
        )
    return f"node types: {', '.join(registry().nodes)}"


def _of_other_programs(name: str) -> str | None:
    """What a node of BehaviorTree.CPP or py_trees is here: `fallback`, `Inverter`."""
    same = name.lower().replace("_", "")
    for spec in (*node_specs(), *MODIFIERS.values()):
        for tag in (*(one.tag for one in spec.xml.tags), *spec.xml.read):
            if tag.lower() == same:
                how = ", a key beside the node's type" if spec.key in MODIFIERS else ""
                return f"{tag} is '{spec.key}' here{how}"
    return None
