"""Node classes of extensions and of the library itself, read without importing them.

A module of a package may import anything; a check must not. The module's source is found by the
import system's finders, and ``ports`` in its syntax tree.
"""

from __future__ import annotations

import ast
from collections.abc import Mapping

from treec.check.python_roles import broken_module, why_no
from treec.extensions import registry
from treec.files.library import Library
from treec.files.modules import (
    assigned_value,
    defined_names,
    find_module,
    parse_python,
    sibling_modules,
)
from treec.files.own_package import OwnPackage
from treec.frozen import frozen
from treec.source.diagnostics import did_you_mean


@frozen(slots=False)
class PythonNodeClass:
    """A node class; ``ports`` is None if they cannot be read from the source.

    ``missing`` says what does not exist (unknown module 'depot.nods'), ``near`` what is meant.
    """

    name: str
    target: str
    ports: Mapping[str, str] | None
    missing: str | None = None
    near: str | None = None


def find_python_node(name: str, library: Library) -> PythonNodeClass | None:
    """Find the class that an extension or `[nodes]` in treec.toml declares under a name.

    A name with a colon is the class itself: ``depot.nodes:Beep``.
    """
    if ":" in name:
        return _read(name, name, library.package)
    if name in registry().node_classes:
        return _read(name, registry().node_classes[name], None)
    target = library.settings.nodes.get(name)
    return None if target is None else _read(name, target, library.package)


def python_node_names(library: Library) -> tuple[str, ...]:
    """Return all names of node classes."""
    return tuple(sorted({*registry().node_classes, *library.settings.nodes}))


def _read(name: str, target: str, own: OwnPackage | None) -> PythonNodeClass:
    module, _, attribute = target.partition(":")
    path, missing = find_module(module, own)
    if missing is not None:
        near = did_you_mean(missing, sibling_modules(missing, own))
        return PythonNodeClass(name, target, None, f"unknown module '{missing}'", near)
    why = why_no("node", module, attribute, own)
    if why is not None:
        return PythonNodeClass(name, target, None, f"it is not a node: {why}")
    if path is None:
        return PythonNodeClass(name, target, None)
    tree = parse_python(path)
    if tree is None:
        return PythonNodeClass(name, target, None, broken_module(module, own))
    for node in tree.body:
        if isinstance(node, ast.ClassDef) and node.name == attribute:
            return PythonNodeClass(name, target, _class_ports(node))
    names = defined_names(path)
    if names is None or attribute in names:
        return PythonNodeClass(name, target, None)
    classes = [node.name for node in tree.body if isinstance(node, ast.ClassDef)]
    near = did_you_mean(attribute, classes)
    return PythonNodeClass(name, target, None, f"unknown class '{attribute}' in {module}", near)


def _class_ports(node: ast.ClassDef) -> Mapping[str, str] | None:
    value = assigned_value(node.body, "ports")
    return None if value is None else _literal(value)


def _literal(value: ast.expr) -> Mapping[str, str] | None:
    try:
        ports = ast.literal_eval(value)
    except (ValueError, TypeError, SyntaxError):
        return None
    if not isinstance(ports, dict):
        return None
    return {str(name): str(port) for name, port in ports.items()}
