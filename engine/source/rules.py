"""The rules that ``treec check`` holds files against, and what ``treec explain`` says of each."""

from __future__ import annotations

import inspect
import re
from collections.abc import Iterable
from dataclasses import dataclass

from treec.source.diagnostics import Diagnostic, Severity
from treec.source.text import Span

_CODE = re.compile(r"TC\d{3}")


@dataclass(frozen=True)
class Rule:
    """One rule: its stable id, a title, and what is wrong, with a failing and a passing snippet."""

    code: str
    title: str
    severity: Severity
    about: str

    def at(self, span: Span, message: str, help: str | None = None) -> Diagnostic:
        """Return a diagnostic of this rule at a place."""
        return Diagnostic(self.code, self.severity, span, message, help)


_rules: dict[str, Rule] = {}


def register(code: str, title: str, about: str, severity: Severity = "error") -> Rule:
    """Add a rule. Raises ValueError for a code that is malformed or means another rule already."""
    if not _CODE.fullmatch(code):
        raise ValueError(f"a rule's code is TC and three digits, not {code!r}")
    rule = Rule(code, title.strip(), severity, inspect.cleandoc(about))
    if _rules.setdefault(code, rule) != rule:
        raise ValueError(f"{code} is already the rule '{_rules[code].title}'")
    return rule


def rule_from_docstring(code: str, module_doc: str | None, severity: Severity = "error") -> Rule:
    """Add the rule that a checker module's docstring describes.

    The first line is the title, the remainder what ``treec explain`` prints.
    """
    title, _, about = inspect.cleandoc(module_doc or "").partition("\n")
    if not title or not about.strip():
        raise ValueError(f"the module of {code} has no title and text in its docstring")
    return register(code, title.strip().rstrip("."), about, severity)


def forget(codes: Iterable[str]) -> None:
    """Take rules away, of an extension that is there no more."""
    for code in codes:
        _rules.pop(code, None)


def all_rules() -> tuple[Rule, ...]:
    """Every rule registered so far, in order of code."""
    return tuple(_rules[code] for code in sorted(_rules))


def find_rule(code: str) -> Rule | None:
    """The rule with a code, written in any case."""
    return _rules.get(code.strip().upper())


def explain(rule: Rule) -> str:
    """What ``treec explain`` prints for a rule."""
    return f"{rule.code} ({rule.severity}): {rule.title}\n\n{rule.about.strip()}\n"
