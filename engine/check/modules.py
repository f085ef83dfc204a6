"""Python modules found and read without importing them."""

from __future__ import annotations

import ast
import sys
from functools import lru_cache
from importlib.machinery import ModuleSpec
from importlib.util import find_spec
from pathlib import Path


@lru_cache(maxsize=1024)
def find_module(name: str, root: str) -> tuple[str | None, str | None]:
    """The file of a module (None when it has no text), and the part of its name that is missing.

    ``root`` is looked through besides Python's own path.
    """
    parts = name.split(".")
    if not all(part.isidentifier() for part in parts):
        return None, name
    path: list[str] | None = None
    spec: ModuleSpec | None = None
    for number, part in enumerate(parts):
        so_far = ".".join(parts[: number + 1])
        spec = _top(part, root) if path is None else _find(so_far, path)
        if spec is None:
            return None, so_far
        path = list(spec.submodule_search_locations or ())
    origin = spec.origin if spec is not None else None
    return (origin if origin is not None and origin.endswith(".py") else None), None


def _top(name: str, root: str) -> ModuleSpec | None:
    try:
        return find_spec(name) or _find(name, [root])  # a name without a dot imports nothing
    except (ImportError, ValueError):
        return None


def _find(name: str, path: list[str]) -> ModuleSpec | None:
    for finder in sys.meta_path:
        try:
            spec = finder.find_spec(name, path, None)
        except (AttributeError, ImportError, ValueError):
            continue
        if spec is not None:
            return spec
    return None


@lru_cache(maxsize=1024)
def defined_names(path: str) -> frozenset[str] | None:
    """What a module's text binds at its top; None when that cannot be told."""
    try:
        body = ast.parse(Path(path).read_bytes()).body
    except (OSError, SyntaxError, ValueError, RecursionError):
        return None
    names: set[str] = set()
    for node in _statements(body):
        match node:
            case ast.FunctionDef() | ast.AsyncFunctionDef() | ast.ClassDef():
                if node.name == "__getattr__":
                    return None
                names.add(node.name)
            case ast.Import() | ast.ImportFrom():
                if any(alias.name == "*" for alias in node.names):
                    return None
                names.update((a.asname or a.name).partition(".")[0] for a in node.names)
            case _:
                names.update(
                    name.id
                    for name in ast.walk(node)
                    if isinstance(name, ast.Name) and isinstance(name.ctx, ast.Store)
                )
    return frozenset(names)


def _statements(body: list[ast.stmt]) -> list[ast.stmt]:
    """The statements at the top, those inside `if` and `try` among them."""
    found: list[ast.stmt] = []
    for node in body:
        if isinstance(node, ast.If | ast.Try | ast.With):
            found += _statements([*node.body, *getattr(node, "orelse", ())])
            for handler in getattr(node, "handlers", ()):
                found += _statements(handler.body)
        else:
            found.append(node)
    return found
