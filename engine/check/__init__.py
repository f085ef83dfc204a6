"""All rules, held against all files of a library.

A rule is one module ``tcNNN_short_name.py``: its docstring is the rule's page, ``CODE`` its id,
``SEVERITY = "warning"`` if it is no error, ``check(view)`` yields what it finds. Adding a rule to
this package is adding its module; other packages name theirs in their extension. ``OF_PACKS =
False`` says that a file of a pack cannot break it by how the pack is used.
"""

from __future__ import annotations

import pkgutil
import re
import sys
from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache
from types import ModuleType

from treec.check.base import Check, places
from treec.core import CORE
from treec.extensions import ExtensionError, depends_on_extensions, registry
from treec.files import modules
from treec.files.entry import Entry
from treec.files.library import Library, load_library
from treec.files.packs import Pack
from treec.files.systems import SystemFile
from treec.files.view import View, views_of
from treec.source.diagnostics import Diagnostic, Severity
from treec.source.rules import Rule, forget, rule_from_docstring
from treec.source.text import Span

__all__ = ["check_library", "load_rules"]

_MODULE = re.compile(r"tc\d{3}_\w+")


@lru_cache(maxsize=1)
def load_rules() -> tuple[tuple[Rule, Check], ...]:
    """Every rule of every extension with its function, in order of code.

    A rule that cannot be used is noted as a problem of its extension, and left out.
    """
    found: dict[str, tuple[Rule, Check]] = {}
    tables = registry()
    for name in tables.rules:
        try:
            for module in _rule_modules(name):
                rule, check = _read_rule(name, module)
                if rule.code in found:
                    told = f"{tables.owner(name)}: {module.__name__}: {rule.code} is a rule already"
                    raise ExtensionError(told)
                found[rule.code] = rule, check
                if tables.owner(name).name != CORE.name:
                    _added.add(rule.code)
        except ExtensionError as error:
            if tables.owner(name).name == CORE.name:
                raise
            tables.problem(error)
    return tuple(found[code] for code in sorted(found))


_added: set[str] = set()
"""Codes of the rules that extensions brought."""


def _forget_rules() -> None:
    load_rules.cache_clear()
    forget(_added)
    _added.clear()


depends_on_extensions(_forget_rules)


def _rule_modules(name: str) -> list[ModuleType]:
    """A module, or the modules ``tcNNN_…`` of a package."""
    tables = registry()
    module = tables.load(name)
    assert isinstance(module, ModuleType)
    if not hasattr(module, "__path__"):
        return [module]
    names = sorted(info.name for info in pkgutil.iter_modules(module.__path__))
    below = [tables.load(f"{name}.{one}", name) for one in names if _MODULE.fullmatch(one)]
    return [one for one in below if isinstance(one, ModuleType)]


def _read_rule(name: str, module: ModuleType) -> tuple[Rule, Check]:
    severity: Severity = getattr(module, "SEVERITY", "error")
    try:
        rule = rule_from_docstring(module.CODE, module.__doc__, severity)
        check: Check = module.check
    except (AttributeError, TypeError, ValueError) as error:
        told = f"{registry().owner(name)}: {module.__name__} is no rule: {error}"
        raise ExtensionError(told) from error
    return rule, check


def _judge(rule: Rule, check: Check, view: View) -> set[Diagnostic]:
    """What a rule finds; one of an extension that raises is noted, and finds nothing."""
    try:
        return set(check(view))
    except Exception as error:
        module = getattr(check, "__module__", "")
        owner = next((r for r in registry().rules if f"{module}.".startswith(f"{r}.")), "")
        if registry().owner(owner).name == CORE.name:
            raise
        told = f"{rule.code} ({module}): {type(error).__name__}: {error}"
        registry().problem(ExtensionError(f"{registry().owner(owner)}: {told}"))
        return set()


def _by_path(problems: Iterable[Diagnostic]) -> dict[str, list[Span]]:
    found: dict[str, list[Span]] = {}
    for problem in problems:
        found.setdefault(problem.span.path, []).append(problem.span)
    return found


def _within(problem: Diagnostic, spoilt: Mapping[str, Sequence[Span]]) -> bool:
    """Whether it stands in text of which the reader has said already that it is wrong."""
    place = (problem.span.line, problem.span.column)
    return any(
        (span.line, span.column) <= place < (span.end_line, span.end_column)
        for span in spoilt.get(problem.span.path, ())
    )


def check_library(library: Library, *systems: Entry[SystemFile]) -> list[Diagnostic]:
    """Everything that is wrong with a library's files, sorted.

    A file that several systems use is checked in each; what the first has told, the others do not
    tell again. ``systems`` are systems of packs that are checked with it. In files of packs only
    errors are told that the pack does not have by itself; of these, the system's ``uses`` says how
    many there are.
    """
    found = _problems(library, systems)
    foreign = [problem for problem in found if library.pack_of(problem.span.path) is not None]
    if foreign:
        found = found - set(foreign) | _of_packs(library, foreign, systems)
    return sorted(found)


def _problems(library: Library, systems: Sequence[Entry[SystemFile]] = ()) -> set[Diagnostic]:
    """What the rules find in the files of a library and of the packs that it uses."""
    views = views_of(library, *systems)
    found = set(library.diagnostics)
    spoilt = _by_path(library.diagnostics)
    told: set[object] = set()
    used: set[str] = set()
    rules = load_rules()
    for view in views:
        news = {problem for rule, check in rules for problem in _judge(rule, check, view)}
        if view.system is None:  # a system's files have been checked with that system
            news = {problem for problem in news if problem.span.path not in used}
        news = {p for p in news if (p.code, p.span) not in told and not _within(p, spoilt)}
        told.update((problem.code, problem.span) for problem in news)
        used.update(entry.path for entry in view.entries)
        found |= news
    places.cache_clear()
    modules.forget()
    return found


def _of_packs(
    library: Library, foreign: Sequence[Diagnostic], systems: Sequence[Entry[SystemFile]]
) -> set[Diagnostic]:
    """Of problems in files of packs, those to tell."""
    silent = {
        rule.code
        for rule, check in load_rules()
        if not getattr(sys.modules[check.__module__], "OF_PACKS", True)
    }
    errors = [p for p in foreign if p.severity == "error" and p.code not in silent]
    found: set[Diagnostic] = set()
    for prefix, pack in list(library.packs.items()):
        here = [p for p in errors if library.pack_of(p.span.path) is pack]
        if not here:
            continue
        alone = {
            (p.code, f"{prefix}/{p.span.path}", p.span.line, p.span.column, p.message)
            for p in _problems(load_library(pack.root))
        }
        own = [p for p in here if _place(p) in alone]
        found.update(p for p in here if _place(p) not in alone)
        for system in (*library.own("system"), *systems) if own else ():
            for index, use in enumerate(library.uses(system)):
                if any(f"{p.span.path}/".startswith(f"{f}/") for p in own for f in use.folders):
                    found.add(_broken_pack(system, index, pack, len(own)))
    return found


def _broken_pack(system: Entry[SystemFile], index: int, pack: Pack, errors: int) -> Diagnostic:
    count = "an error" if errors == 1 else f"{errors} errors"
    message = f"the pack '{pack.name}' has {count} of its own in what is used here"
    help = f"'treec check --library {pack.name}' shows it"
    return Diagnostic("TC604", "error", system.span("uses", index), message, help)


def _place(problem: Diagnostic) -> tuple[str, str, int, int, str]:
    span = problem.span
    return problem.code, span.path, span.line, span.column, problem.message
