"""Python modules found and read without importing them."""

from __future__ import annotations

import ast
import re
import sys
from functools import lru_cache
from importlib.machinery import ModuleSpec
from importlib.util import find_spec
from pathlib import Path
from pkgutil import iter_modules


@lru_cache(maxsize=1024)
def find_module(name: str, root: str) -> tuple[str | None, str | None]:
    """The file of a module (None when it has no text), and the part of its name that is missing.

    ``root`` is looked through besides Python's own path.
    """
    parts = name.split(".")
    if not all(part.isidentifier() for part in parts):
        return None, name
    for number in range(1, len(parts)):
        if _spec(".".join(parts[:number]), root) is None:
            return None, ".".join(parts[:number])
    spec = _spec(name, root)
    if spec is None:
        return None, name
    return (spec.origin if (spec.origin or "").endswith(".py") else None), None


@lru_cache(maxsize=1024)
def _spec(name: str, root: str) -> ModuleSpec | None:
    """How Python would load a module; its packages are looked through, not imported."""
    package, _, _ = name.rpartition(".")
    if not package:
        return _top(name, root)
    parent = _spec(package, root)
    if parent is None:
        return None
    path = list(parent.submodule_search_locations or ())
    own = str(Path(root, *package.split(".")))  # skills and envs have the library's own in them
    return _find(name, path if own in path else [*path, own])


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
        except KeyError:  # a folder without __init__.py, inside a package that is not imported
            spec = _folder(name, path)
        if spec is not None:
            return spec
    return None


def _folder(name: str, path: list[str]) -> ModuleSpec:
    folders = [folder for part in path if (folder := Path(part, name.rpartition(".")[2])).is_dir()]
    spec = ModuleSpec(name, None, is_package=True)
    spec.submodule_search_locations = [str(folder) for folder in folders]
    return spec


def forget() -> None:
    """Look anew: between two checks a module may have been edited."""
    for kept in (_spec, find_module, plainly_defines, defined_names):
        kept.cache_clear()


def beside(name: str, root: str) -> list[str]:
    """The modules that stand where one is missing, by their full names."""
    package, _, _ = name.rpartition(".")
    spec = _spec(package, root) if package else None
    path = [root] if not package else list(spec.submodule_search_locations or ()) if spec else []
    prefix = f"{package}." if package else ""
    return [prefix + info.name for info in iter_modules(path)]


@lru_cache(maxsize=1024)
def plainly_defines(path: str, name: str) -> bool:
    """Whether a module's text has a line that defines a name; saves reading the whole text."""
    try:
        text = Path(path).read_text("utf-8")
    except (OSError, ValueError):
        return False
    pattern = rf"^(?:(?:async )?def|class) {re.escape(name)}\b"
    return re.search(pattern, text, re.MULTILINE) is not None


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
