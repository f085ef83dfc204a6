"""Corrections of problems that are certain: the nearest name, quotes, `==` for `=`.

A correction is read from the help of a diagnostic, and holds only if a check of the corrected files
finds the problem gone and nothing new: :func:`fixed` tries each.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from treec.check.edits import Edit, apply_edits, text_of
from treec.check.expand import expanded
from treec.source.diagnostics import Diagnostic
from treec.source.text import SourceFile
from treec.source.yaml_rules import ALIAS, MERGE_KEY

_NEAR = re.compile(r"did you mean '(?P<near>.+?)'(?P<quoted>, in quotes)?\?$")
_QUOTE = re.compile(r"(?:.*, or )?quote (?:it|the expression): (?P<quoted>[\"'].+[\"'])$")
_WRITE = re.compile(r"write '(?P<text>[^'…]+)'(?: to compare)?$")
_NAMED = re.compile(r"'([^']+)'|\"([^\"]+)\"")
_FOLDED = frozenset({ALIAS.code, MERGE_KEY.code})
Checked = Callable[[Mapping[str, str]], Sequence[Diagnostic]]
"""Checks the library with some texts in place of those of its files."""


@dataclass(frozen=True, slots=True)
class Fix:
    """A correction: what it does, in words, and its edit."""

    title: str
    edit: Edit


def fix_of(problem: Diagnostic, file: SourceFile | None) -> Fix | None:
    """Return the correction that a diagnostic's help names, if there is one."""
    if file is None or problem.help is None:
        return None
    written = text_of(file, problem.span)
    if match := _NEAR.search(problem.help):
        return _renamed(problem, written, match)
    if match := _QUOTE.match(problem.help):
        quoted = match["quoted"]
        inner = quoted[1:-1]
        if "…" in quoted or inner not in written:
            return None
        new = written.replace(inner, quoted, 1)
        return Fix(f"quote {quoted}", Edit(problem.span, new))
    if (match := _WRITE.match(problem.help)) and "\n" not in written:
        return Fix(f"write '{match['text']}'", Edit(problem.span, match["text"]))
    return None


def _renamed(problem: Diagnostic, written: str, match: re.Match[str]) -> Fix | None:
    near = match["near"]
    new = f"'{near}'" if match["quoted"] else near
    names = [one or other for one, other in _NAMED.findall(problem.message)]
    for name in names:
        if len(re.findall(rf"(?<!\w){re.escape(name)}(?!\w)", written)) == 1:
            changed = re.sub(rf"(?<!\w){re.escape(name)}(?!\w)", lambda _: new, written)
            return Fix(f"change '{name}' to '{near}'", Edit(problem.span, changed))
    return None


@dataclass(frozen=True)
class Fixed:
    """Files with their corrections; `left` are the problems that remain."""

    texts: Mapping[str, str]
    """The new texts by path, of files that have changed."""
    fixes: tuple[tuple[Diagnostic, Fix], ...]
    left: tuple[Diagnostic, ...]


def fixed(
    texts: Mapping[str, str],
    problems: Sequence[Diagnostic],
    check: Checked,
    on_try: Callable[[], None] = lambda: None,
) -> Fixed:
    """Correct what can be: each correction must leave fewer problems, and none that is new.

    ``texts`` are those of the files that may be changed, as they are on disk. ``on_try`` is called
    before each check.
    """
    now = dict(texts)
    made: list[tuple[Diagnostic, Fix]] = []
    left = list(problems)
    refused: set[tuple[str, str, str]] = set()
    folded = [problem for problem in left if problem.code in _FOLDED and problem.span.path in now]
    paths = list(dict.fromkeys(problem.span.path for problem in folded))
    for some in (paths, *([path] for path in paths if len(paths) > 1)) if paths else ():
        on_try()
        tried = {**now, **{path: expanded(now[path]) or now[path] for path in some}}
        after = list(check(tried))
        gone = [problem for problem in folded if problem.span.path in some]
        if not set(map(_key, gone)) & set(map(_key, after)):
            made += [(problem, Fix("write it out", Edit(problem.span, ""))) for problem in gone]
            now, left = tried, after
            if some is paths:
                break
    while True:
        found = [
            (problem, fix)
            for problem in left
            if problem.span.path in now and _key(problem) not in refused
            if (fix := fix_of(problem, SourceFile(problem.span.path, now[problem.span.path])))
        ]
        if not found:
            break
        for group in ([*found], *([one] for one in found if len(found) > 1)):
            on_try()
            tried = _with(now, [fix for _, fix in group])
            after = list(check(tried))
            if _is_better(left, after):
                now, left = tried, after
                made += group
                break
            refused |= {_key(problem) for problem, _ in group} if len(group) == 1 else set()
    changed = {path: text for path, text in now.items() if text != texts[path]}
    return Fixed(changed, tuple(made), tuple(left))


def _with(texts: Mapping[str, str], fixes: Sequence[Fix]) -> dict[str, str]:
    new = dict(texts)
    for path in {fix.edit.span.path for fix in fixes}:
        edits = [fix.edit for fix in fixes if fix.edit.span.path == path]
        new[path] = apply_edits(texts[path], edits)
    return new


def _is_better(before: Sequence[Diagnostic], after: Sequence[Diagnostic]) -> bool:
    old, new = Counter(map(_key, before)), Counter(map(_key, after))
    return len(after) < len(before) and not new - old


def _key(problem: Diagnostic) -> tuple[str, str, str]:
    return problem.span.path, problem.code, problem.message
