"""Node classes that extensions declare, read without importing them.

A package's module may import anything; checking a library must not. Its source is found by the
import system's finders, and its ``ports`` in the syntax tree.
"""

from __future__ import annotations

import ast
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from importlib.machinery import ModuleSpec, PathFinder
from pathlib import Path

from treec.extensions import depends_on_extensions, registry


@dataclass(frozen=True)
class PythonNodeClass:
    """A registered class; ``ports`` are None where its source does not tell them."""

    name: str
    target: str
    ports: Mapping[str, str] | None


def find_python_node(name: str) -> PythonNodeClass | None:
    """The class registered under a name."""
    return _registered().get(name)


def python_node_names() -> tuple[str, ...]:
    """All names that extensions declare."""
    return tuple(_registered())


@lru_cache(maxsize=1)
def _registered() -> Mapping[str, PythonNodeClass]:
    return {
        name: PythonNodeClass(name, node.ports, _ports(node.ports))
        for name, node in sorted(registry().nodes.items())
        if node.ports
    }


depends_on_extensions(_registered.cache_clear)


def _ports(target: str) -> Mapping[str, str] | None:
    module, _, attr = target.partition(":")
    spec = _module_spec(module)
    if spec is None or not spec.origin or not spec.origin.endswith(".py"):
        return None
    try:
        tree = ast.parse(Path(spec.origin).read_text("utf-8"))
    except (OSError, SyntaxError, ValueError):
        return None
    for node in tree.body:
        if isinstance(node, ast.ClassDef) and node.name == attr:
            return _class_ports(node)
    return None


def _class_ports(node: ast.ClassDef) -> Mapping[str, str] | None:
    for statement in node.body:
        if isinstance(statement, ast.Assign):
            targets, value = statement.targets, statement.value
        elif isinstance(statement, ast.AnnAssign) and statement.value is not None:
            targets, value = [statement.target], statement.value
        else:
            continue
        if any(isinstance(target, ast.Name) and target.id == "ports" for target in targets):
            return _literal(value)
    return None


def _literal(value: ast.expr) -> Mapping[str, str] | None:
    try:
        ports = ast.literal_eval(value)
    except (ValueError, TypeError, SyntaxError):
        return None
    if not isinstance(ports, dict):
        return None
    return {str(name): str(port) for name, port in ports.items()}


def _module_spec(name: str) -> ModuleSpec | None:
    """A module's spec; unlike importlib's own function this imports no package on the way."""
    path: Sequence[str] | None = sys.path
    spec: ModuleSpec | None = None
    whole = ""
    for part in name.split("."):
        whole = f"{whole}.{part}" if whole else part
        spec = PathFinder.find_spec(whole, path)
        if spec is None:
            return None
        path = spec.submodule_search_locations
    return spec
