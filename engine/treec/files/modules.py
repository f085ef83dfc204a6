"""Finds and parses Python modules without importing them, and says where one is not Python."""

from __future__ import annotations

import ast
import codecs
import re
import sys
import warnings
from collections.abc import Iterable
from functools import lru_cache
from importlib.machinery import ModuleSpec, SourceFileLoader
from pathlib import Path
from pkgutil import iter_modules

import treec
from treec.companions import missing_help, moved_module
from treec.files.own_package import OwnPackage, installed_spec
from treec.frozen import frozen
from treec.source.diagnostics import Diagnostic, format_text
from treec.source.errors import suggest
from treec.source.text import SourceFile, Span


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
    for kept in (_spec, find_module, module_text, defined_names, read_python):
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
    if file is None or plainly_defines(file, first):
        return None
    names = frozenset(treec.__all__) if module == "treec" else defined_names(file)
    if names is None or first in names:
        return None
    return MissingObject(f"unknown name '{first}' in '{module}'", None, names)


@lru_cache(maxsize=256)
def module_text(path: str) -> str:
    """Return the text of a module, with a line before it; empty if it cannot be read."""
    try:
        return "\n" + Path(path).read_text("utf-8")
    except (OSError, ValueError):
        return ""


_DEFINES = ("class {}(", "class {}:", "def {}(", "{} = ", "async def {}(")


def plainly_defines(path: str, name: str) -> bool:
    """Whether a line of a module defines a name at the top level; faster than parsing it."""
    text = module_text(path)
    return any(f"\n{line.format(name)}" in text for line in _DEFINES)


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
    module = parse_python(path)
    if module is None:
        return None
    names: set[str] = set()
    for node in statements(module.body):
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


# Reading Python

CODE = "TC217"
"""The rule about Python that cannot be imported."""
_CODING = re.compile(rb"\A(?:[ \t\f]*(?:#[^\r\n]*)?\r?\n)?[ \t\f]*#.*?coding[:=][ \t]*([-\w.]+)")


@frozen
class PythonSource:
    """A module's syntax tree, or else what is wrong with its text and where."""

    file: SourceFile
    tree: ast.Module | None
    message: str = ""
    span: Span | None = None


@lru_cache(maxsize=1024)
def read_python(path: str, shown: str = "", whole: bool = False) -> PythonSource | None:
    """Read a Python file; None if there is none.

    ``shown`` is the path under which it is shown. With ``whole``, what only Python's compiler
    finds, such as `return` outside a function, is wrong, too.
    """
    shown = shown or path
    try:
        data = Path(path).read_bytes()
    except (OSError, ValueError):
        return None
    found = _CODING.match(data)
    encoding = "utf-8" if found is None else found[1].decode("ascii", "replace")
    try:
        file = SourceFile(shown, data.decode(encoding))
    except LookupError:
        file = SourceFile(shown, data.decode("utf-8", "replace"))
        return PythonSource(file, None, f"unknown encoding '{encoding}'", _at(file, 1, 1))
    except UnicodeDecodeError as error:
        before = SourceFile(shown, data[: error.start].decode(encoding, "replace"))
        file = SourceFile(shown, data.decode(encoding, "replace"))
        message = f"the byte 0x{data[error.start]:02x} is not {codecs.lookup(encoding).name}"
        return PythonSource(file, None, message, _at(file, *before.position(len(before.text))))
    try:
        tree = ast.parse(file.text)
        if whole:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                compile(file.text, shown, "exec", dont_inherit=True)
    except SyntaxError as error:
        line, column = error.lineno or 1, error.offset or 1
        return PythonSource(file, None, error.msg, _at(file, line, column, error))
    except (ValueError, RecursionError, MemoryError) as error:
        return PythonSource(file, None, str(error), _at(file, 1, 1))
    return PythonSource(file, tree)


def parse_python(path: str) -> ast.Module | None:
    """Return the syntax tree of a Python file; None if it cannot be read."""
    found = read_python(path)
    return None if found is None else found.tree


class _Compiler(SourceFileLoader):
    """Compiles a module as Python would, or reads what it compiled; keeps nothing."""

    def set_data(self, path: str, data: object, *, _mode: int = 0) -> None:
        """Do not write it."""


def not_python(path: str) -> str | None:
    """Return what is wrong, with an excerpt, in a file that is not Python; None if nothing is."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            if _Compiler("module", path).get_code("module") is not None:
                return None
    except Exception:
        pass  # which is told below
    source = read_python(path, whole=True)
    if source is None or source.span is None:
        return None
    problem = Diagnostic(CODE, "error", source.span, f"this is not Python: {source.message}")
    return format_text([problem], {source.file.path: source.file})


def _at(file: SourceFile, line: int, column: int, error: SyntaxError | None = None) -> Span:
    column = max(1, min(column, len(file.line(line)) + 1))
    end = column + 1
    if error is not None and error.end_lineno == line and (error.end_offset or 0) > column:
        end = error.end_offset or end
    return Span(file.path, line, column, line, end)


def node_span(file: SourceFile, node: ast.AST) -> Span:
    """Return where a statement or an alias of an import stands, up to the end of its line."""
    line = getattr(node, "lineno", 1)
    column = _column(file, line, getattr(node, "col_offset", 0))
    end_line = getattr(node, "end_lineno", line) or line
    end = getattr(node, "end_col_offset", None)
    if end_line != line or end is None:
        return Span(file.path, line, column, line, len(file.line(line)) + 1)
    return Span(file.path, line, column, line, _column(file, line, end))


def _column(file: SourceFile, line: int, offset: int) -> int:
    return len(file.line(line).encode()[:offset].decode("utf-8", "replace")) + 1
