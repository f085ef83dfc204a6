"""Python of the library's own that cannot be imported.

The modules of the package that treec.toml names are read, and not executed: one that is not Python,
that imports what its package or treec does not have, or imports that need each other, would end
the run that begins with it. So would an environment that treec.toml declares and that is not there.

Wrong:

    from .senser import Sensor

Right:

    from .sensor import Sensor
"""

from __future__ import annotations

import ast
import os
import sys
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import NamedTuple

from treec.check.base import places
from treec.check.python_roles import RIGHT, why_no
from treec.check.tree_nodes import tree_nodes
from treec.files.library import LEADS_OUT, Library
from treec.files.modules import (
    PythonSource,
    find_missing,
    find_module,
    missing_module_help,
    node_span,
    read_python,
)
from treec.files.own_package import OwnPackage
from treec.files.settings import SETTINGS, settings_of
from treec.files.view import View
from treec.foreign import is_foreign
from treec.source.diagnostics import Diagnostic, Severity, did_you_mean
from treec.source.errors import suggest
from treec.source.text import Span
from treec.source.toml import read_toml
from treec.source.yaml import locate

CODE = "TC217"
OF_PACKS = False


def check(view: View) -> Iterator[Diagnostic]:
    """Report modules of the library's own package that cannot be imported; once in a check."""
    library = view.library
    if library.package is None and not library.settings.environments:
        return
    key = (CODE, library.package)
    if key not in library.results:
        own = () if library.package is None else _problems(library, library.package)
        library.results[key] = (*_declared(library), *own)
    found = library.results[key]
    assert isinstance(found, tuple)
    yield from found


def _declared(library: Library) -> Iterator[Diagnostic]:
    """Report environments of treec.toml whose code does not exist, or makes none."""
    for name, target in library.settings.environments.items():
        module, _, attribute = target.partition(":")
        missing = find_missing(module, attribute, library.package)
        why = why_no("environment", module, attribute, library.package) if not missing else None
        file = settings_of(library.root)[1] if missing or why else None
        if file is None:
            continue
        library.sources[SETTINGS] = file
        span = locate(read_toml(file)[1], ("environments", name)).span
        if missing is None:
            message = f"'{target}' makes no environment: {why}"
            yield Diagnostic(CODE, "error", span, message, RIGHT["environment"])
            continue
        if missing.module is not None:
            help = missing_module_help(missing.module, library.package)
        else:
            help = suggest(attribute, missing.names)
        yield Diagnostic(CODE, "error", span, missing.message, help)


def _problems(library: Library, package: OwnPackage) -> Iterator[Diagnostic]:
    modules: dict[str, PythonSource] = {}
    for name, path in _modules(package):
        shown = path.relative_to(library.root).as_posix()
        if path.is_symlink() and library.leads_out(path):
            what = f"this cannot be read: it {LEADS_OUT}"
            yield Diagnostic(CODE, "error", Span(shown, 1, 1, 1, 2), what, None)
            continue
        source = read_python(str(path), shown, True)
        if source is None:
            continue
        modules[name] = source
        problems = list(_of_module(name, source, package))
        if problems:
            library.sources[shown] = source.file
        yield from problems
    for name in sorted(_named_modules(library)):
        cycle = _find_cycle(name, modules, package)
        if cycle is not None:
            span, message = cycle
            library.sources[span.path] = next(
                source.file for source in modules.values() if source.file.path == span.path
            )
            help = "import it in the function that needs it, or move it to a module of its own"
            yield Diagnostic(CODE, "error", span, message, help)
            break  # the next is likely the same from another side


def _modules(package: OwnPackage) -> Iterator[tuple[str, Path]]:
    """The names and files of all modules in a package's folder."""
    for folder, folders, names in os.walk(package.folder):
        folders[:] = sorted(name for name in folders if name.isidentifier() and name[:2] != "__")
        below = Path(folder).relative_to(package.folder).parts
        for name in sorted(names):
            stem, ending = os.path.splitext(name)
            if ending == ".py" and stem.isidentifier():
                last = () if stem == "__init__" else (stem,)
                yield ".".join((package.name, *below, *last)), Path(folder, name)


def _named_modules(library: Library) -> set[str]:
    """The modules that the library's files name; a run begins by importing one of them."""
    settings = library.settings
    targets = [*settings.nodes.values(), *settings.environments.values()]
    for entry in library.entries:
        targets += [str(place.value) for place in places(entry) if place.kind == "import"]
        if entry.kind == "tree":
            targets += [at.key for at in tree_nodes(entry) if at.key and ":" in at.key]
    return {target.partition(":")[0] for target in targets}


def _of_module(name: str, source: PythonSource, own: OwnPackage) -> Iterator[Diagnostic]:
    if source.span is not None:
        message = f"this is not Python: {source.message}"
        yield Diagnostic(CODE, "error", source.span, message)
        return
    for found in _imports_of(name, source):
        if found.guarded:
            continue
        wrong = _missing(found.module, found.name, own)
        if wrong is None:
            continue
        message, help, severity = wrong
        node = found.node if found.alias is None else found.alias
        yield Diagnostic(CODE, severity, _part(source, node, message), message, help)


def _part(source: PythonSource, node: ast.AST, message: str) -> Span:
    """The place of the last part of the wrong name in an import, else of all of it."""
    span = node_span(source.file, node)
    wrong = message.partition("'")[2].partition("'")[0].rpartition(".")[2]
    at = source.file.line(span.line).find(wrong, span.column - 1)
    if at < 0 or not wrong:
        return span
    return Span(span.path, span.line, at + 1, span.line, at + 1 + len(wrong))


def _missing(
    module: str, name: str | None, own: OwnPackage
) -> tuple[str, str | None, Severity] | None:
    """What is wrong with an import, what would be right, and how bad it is."""
    top = module.partition(".")[0]
    if not top:
        return "this import leads out of the package", None, "error"
    if top != own.name and is_foreign(module):
        if top in sys.stdlib_module_names or find_module(top, own)[1] is None:
            return None
        near = did_you_mean(top, sys.stdlib_module_names)
        help = f"did you mean '{near}'?" if near is not None else None
        return f"the package '{top}' is not installed", help, "warning"
    _, part = find_module(module, own)
    if part is not None:
        return f"unknown module '{part}'", missing_module_help(part, own), "error"
    if name is None:
        return None
    if find_module(f"{module}.{name}", own)[1] is None:
        return None
    known = _exports(module)
    missing = find_missing(module, name, own) if known is None else None
    if known is not None and name not in known:
        return f"unknown name '{name}' in '{module}'", suggest(name, known), "error"
    return None if missing is None else (missing.message, suggest(name, missing.names), "error")


def _exports(module: str) -> list[str] | None:
    """What treec exports, whose names are looked up when they are first used."""
    return sys.modules["treec"].__all__ if module == "treec" else None


# Imports


class _Import(NamedTuple):
    """An import of a module, or of a name of it."""

    node: ast.Import | ast.ImportFrom
    module: str
    """Empty if it leads out of its package."""
    name: str | None = None
    alias: ast.alias | None = None
    guarded: bool = False
    """Whether it may fail, or not be executed: in a `try`, or an `if`."""


def _imports_of(module: str, source: PythonSource) -> Iterator[_Import]:
    """Yield the imports of a module but those for type checkers alone, in order."""
    if source.tree is not None:
        is_package = source.file.path.endswith("__init__.py")
        yield from _imports(source.tree.body, module, is_package, guarded=False)


def _imports(
    body: Iterable[ast.AST], module: str, is_package: bool, *, guarded: bool
) -> Iterator[_Import]:
    for node in body:
        match node:
            case ast.Import():
                for alias in node.names:
                    yield _Import(node, alias.name, None, alias, guarded)
            case ast.ImportFrom():
                for alias in node.names:
                    name = None if alias.name == "*" else alias.name
                    source = _source_module(node, module, is_package)
                    yield _Import(node, source, name, alias, guarded)
            case ast.If() if "TYPE_CHECKING" in ast.dump(node.test):
                pass
            case ast.If() | ast.Try() | ast.With():
                inner = guarded or not isinstance(node, ast.With)
                below = ast.iter_child_nodes(node)
                yield from _imports(below, module, is_package, guarded=inner)
            case ast.stmt() | ast.ExceptHandler():
                below = ast.iter_child_nodes(node)
                yield from _imports(below, module, is_package, guarded=guarded)


def _source_module(node: ast.ImportFrom, module: str, is_package: bool) -> str:
    """Return the full name of the module that names are imported from."""
    if not node.level:
        return node.module or ""
    parts = module.split(".")
    kept = len(parts) - node.level + is_package
    return ".".join([*parts[:kept], *filter(None, [node.module])]) if kept > 0 else ""


def _find_cycle(
    root: str, modules: Mapping[str, PythonSource], own: OwnPackage
) -> tuple[Span, str] | None:
    """Return where importing a module first needs a name that is not bound yet, and why."""
    bound: dict[str, set[str]] = {}
    running: list[str] = []

    def load(name: str) -> tuple[Span, str] | None:
        parts = name.split(".")
        for number in range(1, len(parts) + 1):
            found = run(".".join(parts[:number]))
            if found is not None:
                return found
        return None

    def run(name: str) -> tuple[Span, str] | None:
        source = modules.get(name)
        if name in bound or source is None or source.tree is None:
            return None
        names = bound[name] = set()
        running.append(name)
        imports: dict[int, list[_Import]] = {}
        for one in _imports_of(name, source):
            imports.setdefault(id(one.node), []).append(one)
        for node in source.tree.body:
            for one in imports.get(id(node), ()):
                if one.module.partition(".")[0] == own.name:
                    found = load(one.module) or needs(one, source)
                    if found is not None:
                        return found
            names.update(_bound_names(node))
        running.pop()
        return None

    def needs(one: _Import, source: PythonSource) -> tuple[Span, str] | None:
        if one.name is None or one.module not in running or one.name in bound[one.module]:
            return None
        below = f"{one.module}.{one.name}"
        if below in modules:
            return load(below)
        tree = modules[one.module].tree
        if tree is None or all(one.name not in _bound_names(node) for node in tree.body):
            return None  # there is no such name at all
        way = [*running[running.index(one.module) :], one.module]
        message = f"circular import: {' → '.join(way)}, where '{one.name}' is not defined yet"
        return node_span(source.file, one.alias or one.node), message

    return load(root)


def _bound_names(node: ast.AST) -> set[str]:
    """The names that a top-level statement binds."""
    match node:
        case ast.FunctionDef() | ast.AsyncFunctionDef() | ast.ClassDef():
            return {node.name}
        case ast.Import() | ast.ImportFrom():
            return {alias.asname or alias.name.partition(".")[0] for alias in node.names}
    found = {
        part.id
        for part in ast.walk(node)
        if isinstance(part, ast.Name) and isinstance(part.ctx, ast.Store)
    }
    for part in ast.walk(node):
        if isinstance(part, ast.FunctionDef | ast.ClassDef):
            found.add(part.name)
        elif isinstance(part, ast.Import | ast.ImportFrom):
            found |= _bound_names(part)
    return found
