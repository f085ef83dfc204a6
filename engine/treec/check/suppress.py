"""Suppression of diagnostics: by a comment in place, and by the rules that a library selects.

``# treec: ignore TC312 for the next version`` at the end of a line suppresses that rule's
diagnostics on the line; on a line of its own, those on the next line. Several codes are separated
by commas. What the reader of files reports (TC0, TC1) cannot be suppressed: such a file is not
loaded.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator

from treec.companions import missing
from treec.files.library import Library
from treec.frozen import frozen
from treec.source.diagnostics import Diagnostic
from treec.source.rules import find_rule, register
from treec.source.text import SourceFile, Span
from treec.source.yaml import scalars

SUPPRESSION = register(
    "TC108",
    "Unusable suppression",
    """`# treec: ignore CODE REASON` suppresses the diagnostics of a rule on its line, or, on a line
    of its own, on the next one. It names rules that exist, with a reason for the next reader, and
    something that it suppresses: one that is no longer needed is a warning. Errors in reading a
    file (TC0, TC1) cannot be suppressed.

    Wrong:

        vars: {cart: Item}  # treec: ignore TC312

    Right:

        vars: {cart: Item}  # treec: ignore TC312 read by the next version of this tree
    """,
)

UNKNOWN_RULE = register(
    "TC109",
    "Unknown rule in treec.toml",
    """`select` and `ignore` under `[check]` in treec.toml list rules by their codes, or by what the
    codes begin with: TC5 stands for all that begin with it. Without `select` all rules apply.

    Wrong: `ignore = ["TC999"]`

    Right: `ignore = ["TC312", "TC8"]`
    """,
)

_COMMENT = re.compile(r"#\s*treec:\s*ignore\b[ \t]*([^\n]*)")
_CODES = re.compile(r"((?:TC\w*)(?:\s*,\s*TC\w*)*)\s*(.*)")
READING = ("TC0", "TC1")
"""Beginnings of the codes of problems in reading a file."""


@frozen
class RuleSelection:
    """The rules whose diagnostics are reported, by the beginnings of their codes."""

    select: tuple[str, ...] = ()
    """Empty: all."""
    ignore: tuple[str, ...] = ()

    def has(self, code: str) -> bool:
        """Whether diagnostics of a rule are reported; those of reading a file always are."""
        if code.startswith(READING):
            return True
        return code.startswith(self.select or ("TC",)) and not code.startswith(self.ignore)


def selection_of(library: Library) -> RuleSelection:
    """Return what a library's treec.toml selects."""
    section = library.settings.check
    return RuleSelection(tuple(section.select), tuple(section.ignore))


def is_known(beginning: str, codes: Iterable[str]) -> bool:
    """Whether a rule's code begins so."""
    return any(code.startswith(beginning) for code in codes)


@frozen
class Suppression:
    """A comment that suppresses rules on a line."""

    span: Span
    line: int
    """The line on which it suppresses."""
    codes: tuple[str, ...]
    reason: str


def suppress(
    library: Library,
    found: Iterable[Diagnostic],
    selection: RuleSelection,
    load_rules: Callable[[], object],
) -> list[Diagnostic]:
    """Return the diagnostics that are neither deselected nor suppressed, and what is wrong with
    the suppressions of the library's own files.

    ``load_rules`` loads all rules, which suppressions may name.
    """
    kept = {problem for problem in found if selection.has(problem.code)}
    for path, file in library.sources.items():
        comments = list(_suppressions(library, file)) if "treec:" in file.text else []
        if comments:
            load_rules()  # a code may be that of a rule about files that the library does not have
        for comment in comments:
            here = {
                p
                for p in kept
                if p.span.path == path
                and p.span.line == comment.line
                and p.code in comment.codes
                and not p.code.startswith(READING)
            }
            if comment.reason:
                kept -= here
            if library.pack_of(path) is None:
                kept.update(_judge(comment, {p.code for p in here}, selection))
    return sorted(kept)


def _judge(comment: Suppression, used: set[str], selection: RuleSelection) -> Iterator[Diagnostic]:
    """Report a suppression without codes, without a reason, or without anything to suppress."""
    example = "# treec: ignore TC312 the reason"
    if not comment.codes:
        yield SUPPRESSION.at(comment.span, "a suppression names the rules", f"write {example}")
        return
    if not comment.reason:
        message = "a suppression without a reason has no effect"
        yield SUPPRESSION.at(comment.span, message, f"write {example}")
        return
    for code in comment.codes:
        if missing("rules", code) is not None:
            continue  # whoever has its package knows whether it reports anything
        if find_rule(code) is None:
            help = "treec explain lists the rules"
            yield SUPPRESSION.at(comment.span, f"unknown rule '{code}'", help)
        elif code.startswith(READING):
            message = f"{code} is about reading the file and cannot be suppressed"
            yield SUPPRESSION.at(comment.span, message)
        elif code not in used and selection.has(code):
            message = f"{code} reports nothing here"
            yield Diagnostic(
                SUPPRESSION.code, "warning", comment.span, message, "remove the suppression"
            )


def _suppressions(library: Library, file: SourceFile) -> Iterator[Suppression]:
    """Yield the suppressions in the comments of a file."""
    texts: list[tuple[int, int]] | None = None
    for match in _COMMENT.finditer(file.text):
        if texts is None:
            roots = [e.node for e in library.entries if e.path == file.path]
            texts = [(s.start, s.end) for root in roots for s in scalars(root, keys=True)]
        if any(start <= match.start() < end for start, end in texts):
            continue  # in a text
        line, column = file.position(match.start())
        alone = not file.line(line)[: column - 1].strip()
        parts = _CODES.match(match[1].strip())
        codes = tuple(re.split(r"\s*,\s*", parts[1])) if parts else ()
        span = file.span(match.start(), len(match[0].rstrip()))
        reason = parts[2].strip(" :-") if parts else ""
        yield Suppression(span, line + 1 if alone else line, codes, reason)
