"""Finds and parses Python modules without importing them."""

from __future__ import annotations

import ast
import re
import sys
from collections.abc import Iterable
from functools import lru_cache
from importlib.machinery import ModuleSpec
from pathlib import Path
from pkgutil import iter_modules

from treec.companions import missing_help, moved_module
from treec.files.own_package import OwnPackage, installed_spec
from treec.frozen import frozen
from treec.source.errors import suggest


@lru_cache(maxsize=1024)
def find_module(name: str, own: OwnPackage | None) -> tuple[str | None, str | None]:
    """Return a module's file (None if it has no source), and the missing part of its name, if any.

    ``own`` is the library's package, which Python's own finders do not find.
    """
    parts = name.split(".")
    if not all(part.isidentifier() for part in parts):
        return None, name
    for number in range(1, len(parts)):
        if _spec(".".join(parts[:number]), own) is None:
            return None, ".".join(parts[:number])
    spec = _spec(name, own)
    if spec is None:
        return None, name
    return (spec.origin if (spec.origin or "").endswith(".py") else None), None


def package_folder(name: str) -> Path | None:
    """Return the folder of an installed package, without importing it."""
    if not all(part.isidentifier() for part in name.split(".")):
        return None
    spec = _spec(name, None)
    places = list(spec.submodule_search_locations or ()) if spec is not None else []
    return Path(places[0]) if places else None


def module_place(name: str, own: OwnPackage | None) -> str | None:
    """Return the file of a module, whatever it is written in."""
    spec = _spec(name, own)
    return None if spec is None else spec.origin


@lru_cache(maxsize=1024)
def _spec(name: str, own: OwnPackage | None) -> ModuleSpec | None:
    """Return the spec of a module, without importing its parent packages."""
    package, _, _ = name.rpartition(".")
    if not package:
        return own.spec() if own is not None and own.name == name else installed_spec(name)
    parent = _spec(package, own)
    return None if parent is None else _find(name, list(parent.submodule_search_locations or ()))


def _find(name: str, path: list[str]) -> ModuleSpec | None:
    for finder in sys.meta_path:
        try:
            spec = finder.find_spec(name, path, None)
        except (AttributeError, ImportError, ValueError):
            continue
        except KeyError:  # a namespace package inside a package that is not imported
            spec = _folder(name, path)
        if spec is not None:
            return spec
    return None


def _folder(name: str, path: list[str]) -> ModuleSpec:
    folders = [folder for part in path if (folder := Path(part, name.rpartition(".")[2])).is_dir()]
    spec = ModuleSpec(name, None, is_package=True)
    spec.submodule_search_locations = [str(folder) for folder in folders]
    return spec


def clear_cache() -> None:
    """Clear the caches: a module may be edited between two checks."""
    for kept in (_spec, find_module, plain_definitions, defined_names, text_constants):
        kept.cache_clear()


def sibling_modules(name: str, own: OwnPackage | None) -> list[str]:
    """Return the full names of the modules beside a missing one."""
    package, _, _ = name.rpartition(".")
    if not package:
        return ["treec"] if own is None else ["treec", own.name]
    spec = _spec(package, own)
    path = list(spec.submodule_search_locations or ()) if spec else []
    return [f"{package}.{info.name}" for info in iter_modules(path)]


def missing_module_help(part: str, own: OwnPackage | None) -> str | None:
    """Return the help about a part of a module's name that does not exist.

    It is the new name of a module that has moved, the command that installs its package, or a name
    that is near.
    """
    help = missing_help("modules", part)
    moved = moved_module(part)
    meant = f"did you mean '{moved}'?" if moved else suggest(part, sibling_modules(part, own))
    return help or meant


@frozen
class MissingObject:
    """What does not exist of a Python object's name: a module, or else a name in it."""

    message: str
    module: str | None
    """The missing module; None if the module exists."""
    names: frozenset[str] = frozenset()
    """The names that the module has."""


def find_missing(module: str, name: str, own: OwnPackage | None) -> MissingObject | None:
    """Return what does not exist of ``module:name``; None if it exists or cannot be told."""
    file, missing = find_module(module, own)
    if missing is not None:
        missing = module if moved_module(module) is not None else missing
        return MissingObject(f"unknown module '{missing}'", missing)
    first = name.split(".")[0]
    if file is None or first in plain_definitions(file):
        return None
    names = defined_names(file)
    if names is None or first in names:
        return None
    return MissingObject(f"unknown name '{first}' in '{module}'", None, names)


_DEFINITION = re.compile(
    r"^(?:(?:(?:async )?def|class) (?P<code>\w+)|(?P<value>\w+)(?::.*)? = )", re.MULTILINE
)


@lru_cache(maxsize=1024)
def plain_definitions(path: str) -> frozenset[str]:
    """Return what lines of a module define at the top level; faster than parsing it."""
    try:
        text = Path(path).read_text("utf-8")
    except (OSError, ValueError):
        return frozenset()
    return frozenset(found["code"] or found["value"] for found in _DEFINITION.finditer(text))


@lru_cache(maxsize=1024)
def text_constants(path: str, name: str) -> tuple[str, ...] | None:
    """Return the texts of a list, tuple or set that a module assigns to a name, as a literal."""
    try:
        body = ast.parse(Path(path).read_bytes()).body
    except (OSError, SyntaxError, ValueError, RecursionError):
        return None
    given = assigned_value(body, name)
    try:
        value = None if given is None else ast.literal_eval(given)
    except (ValueError, TypeError, SyntaxError):
        return None
    if not isinstance(value, list | tuple | set) or not all(isinstance(it, str) for it in value):
        return None
    return tuple(sorted(value) if isinstance(value, set) else value)


def assigned_value(body: Iterable[ast.stmt], name: str) -> ast.expr | None:
    """Return what the first of some statements that assigns to a name gives it."""
    for node in body:
        if isinstance(node, ast.Assign | ast.AnnAssign) and node.value is not None:
            targets = node.targets if isinstance(node, ast.Assign) else [node.target]
            if any(isinstance(target, ast.Name) and target.id == name for target in targets):
                return node.value
    return None


@lru_cache(maxsize=1024)
def defined_names(path: str) -> frozenset[str] | None:
    """Return the names that a module binds at the top level; None if they cannot be determined."""
    try:
        body = ast.parse(Path(path).read_bytes()).body
    except (OSError, SyntaxError, ValueError, RecursionError):
        return None
    names: set[str] = set()
    for node in statements(body):
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


def statements(body: list[ast.stmt]) -> list[ast.stmt]:
    """The top-level statements, including those inside `if` and `try`."""
    found: list[ast.stmt] = []
    for node in body:
        if isinstance(node, ast.If | ast.Try | ast.With):
            found += statements([*node.body, *getattr(node, "orelse", ())])
            for handler in getattr(node, "handlers", ()):
                found += statements(handler.body)
        else:
            found.append(node)
    return found
