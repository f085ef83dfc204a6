"""Python object that does not exist, or is not what it is used as.

`package.module:Name` is looked up as Python would, and in the package named by `[library] package`
in treec.toml. Nothing is imported: the module's source is parsed. What stands under `runs` has the
methods of a worker, a parser is a function, and neither is of Python's standard library. In an
environment that the system does not run on, a package that is not installed is no problem, and any
other fault a warning.

Wrong:

    parser: depot.hearing:raed

Right:

    parser: depot.hearing:read
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from treec.check.base import FieldPlace, places
from treec.check.python_roles import RIGHT, Role, broken_module, why_no
from treec.extensions import registry
from treec.files.library import Library
from treec.files.modules import find_missing, find_module, missing_module_help
from treec.files.view import View
from treec.source.diagnostics import Diagnostic
from treec.source.errors import suggest

CODE = "TC211"

ROLES: dict[str, Role] = {"runs": "worker", "parser": "parser", "facts": "sensor"}
"""What the objects of keys are."""

NAMED = {"parser": ("answerers", "parser"), "facts": ("sensors", "sensor")}
"""Keys that also take a name provided by an extension: its table, and what it is called."""


def check(view: View) -> Iterator[Diagnostic]:
    """Check the parsers of readings, the workers of skills and the sensors of facts."""
    used = set(view.system.model.runs_on.values()) if view.system else None
    for entry in view.own:
        for place in places(entry):
            if place.kind != "import":
                continue
            environment = _environment(place)
            elsewhere = environment is not None and used is not None and environment not in used
            if elsewhere and not _installed(place, view.library):
                continue
            for problem in _import(place, view.library):
                yield replace(problem, severity="warning") if elsewhere else problem


def _installed(place: FieldPlace, library: Library) -> bool:
    """Whether the package of an object is installed, or is the library's own."""
    top = str(place.value).partition(":")[0].partition(".")[0]
    return find_module(top, library.package)[1] is None


def _environment(place: FieldPlace) -> object:
    """The environment that a worker or a sensor belongs to, if any."""
    if place.loc[0] == "runs":
        return place.loc[1]
    return place.loc[3] if place.loc[0] == "facts" else None


def _import(place: FieldPlace, library: Library) -> Iterator[Diagnostic]:
    module, colon, name = str(place.value).partition(":")
    if not colon and place.loc[0] in NAMED:
        table, what = NAMED[str(place.loc[0])]
        known = getattr(registry(), table)
        if place.value not in known:
            help = suggest(str(place.value), known) or "write package.module:name"
            message = f"unknown {what} '{place.value}': no extension provides it"
            yield place.problem(CODE, message, help)
        return
    if not colon or not module or not name:
        yield place.problem(CODE, f"'{place.value}' is not of the form 'package.module:Name'")
        return
    missing = find_missing(module, name, library.package)
    if missing is None:
        broken = broken_module(module, library.package)
        if broken is not None:
            yield place.problem(CODE, broken)
            return
        role = ROLES.get(str(place.loc[0]))
        why = None if role is None else why_no(role, module, name, library.package)
        if role is not None and why is not None:
            yield place.problem(CODE, f"'{place.value}' is not a {role}: {why}", RIGHT[role])
        return
    if missing.module is not None:
        part, offset = missing.module, 0
        hint = missing_module_help(part, library.package) or _undeclared_help(library, part)
    else:
        part, offset = name.split(".")[0], len(module) + 1
        hint = suggest(part, missing.names)
    yield place.problem(CODE, missing.message, hint, offset=offset, length=len(part))


def _undeclared_help(library: Library, missing: str) -> str | None:
    """The help if the folder exists, but `treec.toml` does not name it as a Python package."""
    if "." in missing or not (library.root / missing).is_dir():
        return None
    return f'if it is the library\'s own, name it in treec.toml: [library] package = "{missing}"'
