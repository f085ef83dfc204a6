"""Checks the files of a library by all rules.

A rule is one module ``tcNNN_short_name.py``: its docstring is the rule's page, ``CODE`` its id,
``check(view)`` yields its diagnostics; ``SEVERITY = "warning"`` if they are not errors. To add a
rule to this package, add its module; other packages name theirs in their extension. ``OF_PACKS =
False`` means that how a pack is used cannot make its files break the rule.
"""

from __future__ import annotations

import pkgutil
import re
import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence, Set
from functools import lru_cache
from types import ModuleType

from treec.check import conditions, python_roles
from treec.check.base import Check
from treec.check.suppress import (
    READING,
    UNKNOWN_RULE,
    RuleSelection,
    is_known,
    selection_of,
    suppress,
)
from treec.check.unknown_names import blame_declarations
from treec.check.unreadable import follows_unreadable
from treec.companions import COMPANIONS
from treec.core import CORE
from treec.extensions import ExtensionError, depends_on_extensions, registry
from treec.files import modules
from treec.files.entry import Entry
from treec.files.library import Library, load_library
from treec.files.packs import Pack
from treec.files.settings import SETTINGS
from treec.files.systems import SystemFile
from treec.files.view import View, views_of
from treec.foreign import BadReport, ForeignError, guard, kind_of, listed
from treec.source.diagnostics import Diagnostic, Severity
from treec.source.rules import Rule, all_rules, rule_from_docstring, unregister
from treec.source.text import Span
from treec.source.toml import read_toml
from treec.source.yaml import locate, read_file

__all__ = ["Verdicts", "check_library", "judge", "keyed_views", "load_rules"]

_MODULE = re.compile(r"tc\d{3}_\w+")


def load_rules(library: Library | None = None) -> tuple[tuple[Rule, Check], ...]:
    """Return every rule of every extension with its function, in order of code.

    With ``library``, without those about kinds of files and nodes that it does not have. A broken
    rule is recorded as a problem of its extension, and left out.
    """
    wanted = (r for r in registry().rules if library is None or not r.kinds or library.has(r.kinds))
    return _load_rules(tuple(rules.module for rules in wanted))


@lru_cache(maxsize=64)
def _load_rules(names: tuple[str, ...]) -> tuple[tuple[Rule, Check], ...]:
    found: dict[str, tuple[Rule, Check]] = {}
    tables = registry()
    for name in names:
        try:
            for module in _rule_modules(name):
                rule, check = _read_rule(name, module)
                if rule.code in found:
                    owner = tables.owner(name)
                    message = f"{owner}: {module.__name__}: {rule.code} is already a rule"
                    raise ExtensionError(message)
                found[rule.code] = rule, check
                if tables.owner(name).name != CORE.name:
                    _added.add(rule.code)
        except ExtensionError as error:
            if tables.owner(name).name == CORE.name:
                raise
            tables.problem(error)
    return tuple(found[code] for code in sorted(found))


_added: set[str] = set()
"""Codes of the rules of extensions."""


def _forget_rules() -> None:
    _load_rules.cache_clear()
    unregister(_added)
    _added.clear()


depends_on_extensions(_forget_rules)


def _rule_modules(name: str) -> list[ModuleType]:
    """Return a module, or the modules ``tcNNN_…`` of a package."""
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
        message = f"{registry().owner(name)}: {module.__name__} is not a rule: {error}"
        raise ExtensionError(message, name) from error
    return rule, check


def judge(rule: Rule, check: Check, view: View) -> set[Diagnostic]:
    """Run a rule on a view; if one of an extension raises, record that as its problem."""
    module = getattr(check, "__module__", "")
    if rule.code not in _added:
        return set(check(view))
    names = (rules.module for rules in registry().rules)
    owner = next((name for name in names if f"{module}.".startswith(f"{name}.")), "")
    try:
        with guard(module):
            return {_diagnostic(one) for one in listed(check(view), "it reports")}
    except ForeignError as error:
        message = f"{registry().owner(owner)}: {rule.code} ({module}): {error}"
        registry().problem(ExtensionError(message))
        return set()


def _diagnostic(value: object) -> Diagnostic:
    if not isinstance(value, Diagnostic):
        raise BadReport(f"it reports {kind_of(value)}, not a Diagnostic")
    return value


def _by_path(problems: Iterable[Diagnostic]) -> dict[str, list[Span]]:
    found: dict[str, list[Span]] = {}
    for problem in problems:
        found.setdefault(problem.span.path, []).append(problem.span)
    return found


def _within(problem: Diagnostic, texts: Mapping[str, Sequence[Span]]) -> bool:
    """Whether a problem lies in one of some texts, by path."""
    place = (problem.span.line, problem.span.column)
    return any(
        (span.line, span.column) <= place < (span.end_line, span.end_column)
        for span in texts.get(problem.span.path, ())
    )


Verdicts = dict[object, frozenset[Diagnostic]]
"""What rules have found in views, by all that the views consist of."""


def check_library(
    library: Library,
    *systems: Entry[SystemFile],
    selection: RuleSelection | None = None,
    only: Entry[SystemFile] | None = None,
    verdicts: Verdicts | None = None,
    views: dict[object, View] | None = None,
    at_uses: bool = False,
) -> list[Diagnostic]:
    """Return all diagnostics of a library's files, sorted.

    ``selection`` replaces what the library's treec.toml selects and ignores. With ``only`` just the
    files of one system are checked: what is wrong in the others does not stop it.

    A file that several systems use is checked in each; each problem is reported once. ``systems``
    are systems of packs to check along with the library. In files of packs only errors that the
    pack does not have by itself are reported; errors that it has are counted at the system's
    ``uses``.

    With ``verdicts`` of earlier checks only ``views`` that have changed since are judged; forget
    them when anything but the library's own files changes. With ``at_uses`` a name that is misspelt
    where it is declared is reported wherever it is used.
    """
    found = _problems(library, systems, only, verdicts, views)
    foreign = [problem for problem in found if library.pack_of(problem.span.path) is not None]
    if foreign:
        found = found - set(foreign) | _of_packs(library, foreign, systems)
    if found and not at_uses:
        found = blame_declarations(library, found)
    found.update(_unknown_rules(library))
    reported = suppress(library, found, selection or selection_of(library), load_rules)
    return reported if only is None else [p for p in reported if _concerns(library, only, p)]


def _concerns(library: Library, system: Entry[SystemFile], problem: Diagnostic) -> bool:
    """Whether a problem is in a file of a system, or in one of its folders that has no entries."""
    path = problem.span.path
    if path in (SETTINGS, system.path) or path.endswith(".py"):
        return True
    if path.endswith(".case.yaml"):
        return False  # a run needs no test
    if any(entry.path == path for entry in View(library, system).entries):
        return True
    known = any(entry.path == path for entry in library.entries)
    inside = any(f"{path}/".startswith(f"{f}/") or f == "." for f in library.folders(system))
    return inside and (not known or problem.code.startswith(READING))


def _unknown_rules(library: Library) -> Iterator[Diagnostic]:
    """Report beginnings of codes in treec.toml that no rule has."""
    section = library.settings.check
    if section.select or section.ignore:
        load_rules()
    codes = [rule.code for rule in all_rules()]
    codes += [code for one in COMPANIONS for code in one.rules]
    wrong = [
        ("check", key, index)
        for key in ("select", "ignore")
        for index, code in enumerate(getattr(section, key))
        if not is_known(code, codes)
    ]
    if not wrong:
        return
    file, _ = read_file(library.root / SETTINGS, SETTINGS)
    if file is None:
        return
    library.sources[SETTINGS] = file
    _, nodes, _ = read_toml(file)
    for loc in wrong:
        node = locate(nodes, loc)
        message = f"no rule's code begins with '{getattr(section, str(loc[1]))[int(loc[2])]}'"
        yield UNKNOWN_RULE.at(node.span, message, "treec explain lists the rules")


def _problems(
    library: Library,
    systems: Sequence[Entry[SystemFile]] = (),
    only: Entry[SystemFile] | None = None,
    verdicts: Verdicts | None = None,
    views: dict[object, View] | None = None,
) -> set[Diagnostic]:
    """Run the rules on the files of a library and of the packs that it uses, or of one system."""
    views = views or keyed_views(library, *systems)
    if only is not None:
        views = {key: v for key, v in views.items() if v.system and _same(v.system, only)}
    found = set(library.diagnostics)
    invalid = _by_path(library.diagnostics)
    reported: set[object] = set()
    used: dict[str, list[Span]] = {}
    rules = load_rules(library)
    judged: Verdicts = {}
    for key, view in views.items():
        known = None if verdicts is None else verdicts.get(key)
        new: Set[Diagnostic] = known or frozenset()
        if known is None:
            new = {problem for rule, check in rules for problem in judge(rule, check, view)}
        judged[key] = frozenset(new)
        if view.system is None:  # a system's files have been checked with that system
            new = {problem for problem in new if not _within(problem, used)}
        in_system = view.system is not None
        new = {
            p
            for p in new
            if (p.code, p.span) not in reported
            and not _within(p, invalid)
            and not follows_unreadable(library, p, in_system=in_system)
        }
        reported.update((problem.code, problem.span) for problem in new)
        for entry in view.own:
            used.setdefault(entry.path, []).append(entry.node.span)
        found |= new
    if verdicts is not None:
        verdicts.clear()
        verdicts.update(judged)
    library.results.clear()
    conditions.clear_cache()
    modules.clear_cache()
    python_roles.clear_cache()
    return found


_SHARED = frozenset({"system", "domain", "scene", "agent", "scenario"})
"""Kinds of files that rules look at in other views, too."""


def keyed_views(library: Library, *systems: Entry[SystemFile]) -> dict[object, View]:
    """Return the views of a library by all that their verdicts rest on."""
    entries = tuple(entry for entry in library.entries if entry.kind in _SHARED)
    shared = library.settings.model_dump_json(), entries, frozenset(library.diagnostics)
    views = views_of(library, *systems)
    return {(shared, tuple(view.entries), tuple(view.own)): view for view in views}


def _same(one: Entry[SystemFile], other: Entry[SystemFile]) -> bool:
    """Whether two entries are one system, in whatever scene."""
    return (one.path, one.name) == (other.path, other.name)


def _of_packs(
    library: Library, foreign: Sequence[Diagnostic], systems: Sequence[Entry[SystemFile]]
) -> set[Diagnostic]:
    """Return the problems in files of packs that are to be reported."""
    exempt = {
        rule.code
        for rule, check in load_rules(library)
        if not getattr(sys.modules[check.__module__], "OF_PACKS", True)
    }
    errors = [p for p in foreign if p.severity == "error" and p.code not in exempt]
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
