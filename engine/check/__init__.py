"""All rules, held against all files of a library.

A rule is one module ``tcNNN_short_name.py`` of this package: its docstring is the rule's page,
``CODE`` its id, ``SEVERITY = "warning"`` if it is no error, ``check(view)`` yields what it finds.
Adding a rule is adding its module; nothing lists them.
"""

from __future__ import annotations

import pkgutil
import re
from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache
from importlib import import_module

from treec.check import modules
from treec.check.base import Check, places
from treec.files.library import Library
from treec.files.view import views_of
from treec.source.diagnostics import Diagnostic, Severity
from treec.source.rules import Rule, rule_from_docstring
from treec.source.text import Span

__all__ = ["check_library", "load_rules"]

_MODULE = re.compile(r"tc\d{3}_\w+")


@lru_cache(maxsize=1)
def load_rules() -> tuple[tuple[Rule, Check], ...]:
    """Every rule of this package with its function, in order of code."""
    found = []
    for name in sorted(info.name for info in pkgutil.iter_modules(__path__)):
        if not _MODULE.fullmatch(name):
            continue
        module = import_module(f"{__name__}.{name}")
        severity: Severity = getattr(module, "SEVERITY", "error")
        rule = rule_from_docstring(module.CODE, module.__doc__, severity)
        found.append((rule, module.check))
    return tuple(found)


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


def check_library(library: Library) -> list[Diagnostic]:
    """Everything that is wrong with a library's files, sorted.

    A file that several systems use is checked in each; what the first has told, the others do not
    tell again.
    """
    found = set(library.diagnostics)
    spoilt = _by_path(library.diagnostics)
    told: set[object] = set()
    used: set[str] = set()
    rules = load_rules()
    for view in views_of(library):
        news = {problem for _, check in rules for problem in check(view)}
        if view.system is None:  # a system's files have been checked with that system
            news = {problem for problem in news if problem.span.path not in used}
        news = {p for p in news if (p.code, p.span) not in told and not _within(p, spoilt)}
        told.update((problem.code, problem.span) for problem in news)
        used.update(entry.path for entry in view.entries)
        found |= news
    places.cache_clear()
    modules.forget()
    return sorted(found)
