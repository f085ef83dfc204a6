"""What a Python object is, told from the source of its module: a worker, a parser, a node, or none.

Nothing is imported or executed: a name is followed through the imports of the modules that are
found, and classes through their bases. What cannot be told so is taken for right.
"""

from __future__ import annotations

import ast
import re
import sys
from collections.abc import Mapping, Sequence
from functools import lru_cache
from importlib.machinery import EXTENSION_SUFFIXES
from pathlib import Path
from typing import Literal

from treec.files.modules import (
    find_module,
    module_place,
    module_text,
    parse_python,
    read_python,
    statements,
)
from treec.files.own_package import OwnPackage
from treec.foreign import is_foreign
from treec.frozen import frozen

Role = Literal["worker", "parser", "sensor", "node", "environment"]

RIGHT = {
    "worker": "a worker is a class with the methods start(order, host) and cancel()",
    "parser": "a parser is a function of a text and its context that gives acts",
    "sensor": "a sensor is a function",
    "node": "a node is a subclass of py_trees.behaviour.Behaviour",
    "environment": "an environment is made by a class or function of an EnvironmentSetup, and has "
    "the methods step, sense, notify and close",
}
"""What would be right."""

_METHODS: Mapping[Role, Sequence[str]] = {
    "worker": ("start", "cancel"),
    "environment": ("step", "sense", "notify", "close"),
}
_MAY: Mapping[Role, Sequence[str]] = {
    "node": ("setup", "initialise", "update", "terminate", "shutdown", "tick", "stop"),
}
"""Methods that it may have."""
_PLAIN = frozenset({"object", "ABC", "Protocol", "Generic"})
"""Bases of the standard library that add no methods."""
_ADDS_NONE = frozenset({"dataclass", "frozen", "final", "runtime_checkable", "total_ordering"})
"""Decorators of classes that add no methods of a worker, nor take one away."""
_PLAIN_VALUES = (ast.Constant, ast.List, ast.Tuple, ast.Dict, ast.Set, ast.JoinedStr)
_STEPS = 12
"""How many imports and bases are followed."""


@frozen
class _PyObject:
    """A class, function, module or plain value; or one of the standard library or compiled."""

    kind: Literal["class", "function", "module", "value", "standard", "compiled"]
    module: str = ""
    node: ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda | None = None
    decorated: bool = False


def broken_module(module: str, own: OwnPackage | None) -> str | None:
    """Why a module of another package cannot be read; None for those of treec and its companions.

    In the library's own package every file is judged (TC217).
    """
    if not is_foreign(module) or (own is not None and own.name == module.partition(".")[0]):
        return None
    path, _ = find_module(module, own)
    source = None if path is None else read_python(path)
    if source is None or source.span is None:
        return None
    return f"'{module}' is not Python: {source.message} ({source.span})"


def why_no(role: Role, module: str, name: str, own: OwnPackage | None) -> str | None:
    """Why ``module:name``, which exists, does not have a role; None if it may have it."""
    if role == "worker" and _has_methods(module, name, own):
        return None
    found = _resolve(module, name, own, _STEPS)
    if found is None:
        return None
    if found.kind == "standard":
        return "it is of Python's standard library"
    if found.kind == "compiled":
        return "it is of a compiled module, which cannot be looked into: derive a class from it"
    if found.kind == "module":
        return "it is a module"
    if found.kind == "value":
        return "it is a plain value"
    if isinstance(found.node, ast.ClassDef):
        return _why_no_class(role, found.node, found.module, own)
    if isinstance(found.node, ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda):
        return None if found.decorated else _why_no_function(role, found.node)
    return None


def _why_no_class(
    role: Role, node: ast.ClassDef, module: str, own: OwnPackage | None
) -> str | None:
    if role == "sensor":
        return None
    if role == "parser":
        return "it is a class"
    if "Protocol" in map(_last_name, node.bases):
        return "it is a protocol: derive a class from it"
    methods, values, bases, is_whole = _members(node, module, own, _STEPS)
    if wrong := [
        f"'{name}'" for name in (*_METHODS.get(role, ()), *_MAY.get(role, ())) if name in values
    ]:
        return f"its {' and '.join(wrong)} {'is' if len(wrong) == 1 else 'are'} no method"
    if not is_whole:
        return None
    if role == "node":
        return None if "py_trees" in bases else "it is a class that has nothing of py_trees"
    missing = [f"'{method}'" for method in _METHODS[role] if method not in methods]
    return f"it has no method {' and no method '.join(missing)}" if missing else None


def _why_no_function(
    role: Role, node: ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda
) -> str | None:
    args = node.args
    given = [*args.posonlyargs, *args.args]
    needed = len(given) - len(args.defaults)
    named = [a for a, d in zip(args.kwonlyargs, args.kw_defaults, strict=True) if d is None]
    if isinstance(node, ast.AsyncFunctionDef):
        return "it is a coroutine"
    if role == "worker" and (needed or named):
        return "it is a function that needs arguments"
    takes = len(given) if args.vararg is None else 1
    if role == "environment" and (named or needed > 1 or not takes):
        return "it is a function of other arguments"
    if role == "parser" and (named or needed > 2 or (len(given) < 2 and args.vararg is None)):
        return "it is a function of other arguments"
    return None


@frozen
class _ClassText:
    """What the lines of a class show: what it defines, what it assigns to, and its only base."""

    defined: frozenset[str]
    assigned: frozenset[str]
    base: str


_CLASS = re.compile(
    r"^class (\w+)\b(?![^\n]*Protocol)(?:\((\w+)\))?[^\n]*\n((?:[ \t#)][^\n]*\n|\n)*)", re.M
)
_METHOD = re.compile(r"^    def (\w+)", re.M)
_ASSIGNED = re.compile(r"^    (\w+)\s*[:=]", re.M)
_IMPORT = re.compile(r"^from ([\w.]+) import (\([^)]*\)|[^\n]*)", re.M)


def _has_methods(
    module: str,
    name: str,
    own: OwnPackage | None,
    methods: frozenset[str] = frozenset(_METHODS["worker"]),
    steps: int = _STEPS,
) -> bool:
    """Whether a class and its bases plainly have methods; faster than parsing their modules."""
    path, _ = find_module(module, own)
    classes = _classes(path) if path is not None else {}
    found = classes.get(name)
    if path is None or found is None or steps == 0 or methods & found.assigned:
        return False
    missing = methods - found.defined
    if not missing:
        return True
    source = module if found.base in classes else _imports(path).get(found.base)
    return source is not None and _has_methods(source, found.base, own, missing, steps - 1)


@lru_cache(maxsize=256)
def _classes(path: str) -> Mapping[str, _ClassText]:
    """The classes of a module that are no protocols."""
    found: dict[str, _ClassText] = {}
    for name, base, body in _CLASS.findall(module_text(path)):
        defined, assigned = frozenset(_METHOD.findall(body)), frozenset(_ASSIGNED.findall(body))
        found.setdefault(name, _ClassText(defined, assigned, base))
    return found


@lru_cache(maxsize=256)
def _imports(path: str) -> Mapping[str, str]:
    """The names that a module imports from others, and these modules."""
    imports = _IMPORT.findall(module_text(path))
    return {name: module for module, names in imports for name in re.findall(r"\w+", names)}


def clear_cache() -> None:
    """Clear the caches: a module may be edited between two checks."""
    _classes.cache_clear()
    _imports.cache_clear()
    _body.cache_clear()


@lru_cache(maxsize=256)
def _body(path: str) -> tuple[ast.stmt, ...] | None:
    module = parse_python(path)
    return None if module is None else tuple(statements(module.body))


def _resolve(module: str, name: str, own: OwnPackage | None, steps: int) -> _PyObject | None:
    """What a name of a module is; None if that cannot be told."""
    top = module.partition(".")[0]
    if top in sys.stdlib_module_names and not (own is not None and own.name == top):
        return _PyObject("standard", module)
    path, missing = find_module(module, own)
    if path is None:
        place = module_place(module, own) if missing is None else None
        is_compiled = place is not None and place.endswith(tuple(EXTENSION_SUFFIXES))
        return _PyObject("compiled", module) if is_compiled else None
    body = _body(path)
    if body is None or steps == 0 or "." in name:
        return None
    for statement in reversed(body):
        match statement:
            case ast.ClassDef() if statement.name == name:
                return _PyObject("class", module, statement)
            case ast.FunctionDef() | ast.AsyncFunctionDef() if statement.name == name:
                return _PyObject("function", module, statement, bool(statement.decorator_list))
            case ast.Import() if any(_bound(alias) == name for alias in statement.names):
                return _PyObject("module", module)
            case ast.ImportFrom():
                alias = next((a for a in statement.names if _bound(a) == name), None)
                if alias is not None:
                    source = _source(statement, module, path)
                    return _imported(source, alias.name, own, steps - 1)
            case ast.Assign() | ast.AnnAssign() if statement.value is not None:
                targets = (
                    statement.targets if isinstance(statement, ast.Assign) else [statement.target]
                )
                if any(isinstance(target, ast.Name) and target.id == name for target in targets):
                    return _value(statement.value, module, own, steps - 1)
    return None


def _imported(source: str, name: str, own: OwnPackage | None, steps: int) -> _PyObject | None:
    """What `from SOURCE import NAME` binds: a name of the module, or a module of the package."""
    found = _resolve(source, name, own, steps)
    if found is None and find_module(f"{source}.{name}", own)[1] is None:
        return _PyObject("module", source)
    return found


def _value(value: ast.expr, module: str, own: OwnPackage | None, steps: int) -> _PyObject | None:
    match value:
        case _ if isinstance(value, _PLAIN_VALUES):
            return _PyObject("value", module)
        case ast.Lambda():
            return _PyObject("function", module, value)
        case ast.Name() | ast.Attribute():
            return _expression(value, module, own, steps)
    return None


def _expression(
    value: ast.expr, module: str, own: OwnPackage | None, steps: int
) -> _PyObject | None:
    """What a name or `module.name` stands for in a module."""
    if isinstance(value, ast.Subscript):  # Generic[Item]
        value = value.value
    if isinstance(value, ast.Name):
        found = _resolve(module, value.id, own, steps)
        if found is None and value.id == "object":
            return _PyObject("standard", "builtins")
        return found
    if not isinstance(value, ast.Attribute):
        return None
    dotted = ast.unparse(value).split(".")
    path, _ = find_module(module, own)
    for statement in _body(path or "") or ():
        if isinstance(statement, ast.Import):
            for alias in statement.names:
                if _bound(alias) == dotted[0]:
                    whole = [*alias.name.split("."), *dotted[1:]] if alias.asname else dotted
                    return _resolve(".".join(whole[:-1]), whole[-1], own, steps - 1)
        if isinstance(statement, ast.ImportFrom):
            for alias in statement.names:
                if _bound(alias) == dotted[0]:
                    whole = [_source(statement, module, path or ""), alias.name, *dotted[1:]]
                    return _resolve(".".join(whole[:-1]), whole[-1], own, steps - 1)
    return None


def _members(
    node: ast.ClassDef, module: str, own: OwnPackage | None, steps: int
) -> tuple[frozenset[str], frozenset[str], frozenset[str], bool]:
    """The names in a class and its bases, those of plain values, and the packages of the bases.

    The last is whether all were found.
    """
    names, values = _names(node)
    packages = frozenset({module.partition(".")[0]})
    decorators = {*map(_last_name, node.decorator_list)}
    is_whole = steps > 0 and "__getattr__" not in names and decorators <= _ADDS_NONE
    for base in node.bases:
        if _last_name(base) in _PLAIN:
            continue
        found = _expression(base, module, own, steps - 1) if steps > 0 else None
        if found is None or not isinstance(found.node, ast.ClassDef):
            is_whole = False
            continue
        inherited, plain, below, whole = _members(found.node, found.module, own, steps - 1)
        values |= plain - names
        names, packages, is_whole = names | inherited, packages | below, is_whole and whole
    return names, values, packages, is_whole


def _last_name(value: ast.expr) -> str:
    """The last name of a base or decorator: `Generic` of `typing.Generic[Item]`."""
    return re.split(r"[\[(]", ast.unparse(value))[0].rpartition(".")[2]


def _names(node: ast.ClassDef) -> tuple[frozenset[str], frozenset[str]]:
    """The names that a class binds, and those of them that are plain values, as in `start = 3`."""
    plain: dict[str, bool] = {}
    for statement in node.body:
        match statement:
            case ast.FunctionDef() | ast.AsyncFunctionDef() | ast.ClassDef():
                plain[statement.name] = False
            case ast.AnnAssign(value=None):
                pass
            case ast.Assign(value=value) | ast.AnnAssign(value=value):
                targets = (
                    statement.targets if isinstance(statement, ast.Assign) else [statement.target]
                )
                for target in targets:
                    for part in ast.walk(target):
                        if isinstance(part, ast.Name) and isinstance(part.ctx, ast.Store):
                            plain[part.id] = part is target and isinstance(value, _PLAIN_VALUES)
            case _:
                for part in ast.walk(statement):
                    if isinstance(part, ast.Name) and isinstance(part.ctx, ast.Store):
                        plain[part.id] = False
    return frozenset(plain), frozenset(name for name, is_plain in plain.items() if is_plain)


def _bound(alias: ast.alias) -> str:
    """The name that an import binds."""
    return alias.asname or alias.name.partition(".")[0]


def _source(statement: ast.ImportFrom, module: str, path: str) -> str:
    """The full name of the module that names are imported from."""
    if not statement.level:
        return statement.module or ""
    parts = module.split(".")
    up = statement.level - (Path(path).name == "__init__.py")
    return ".".join([*parts[: len(parts) - up], *filter(None, [statement.module])])
