"""Registry of the rules of ``treec check``, with the pages that ``treec explain`` prints."""

from __future__ import annotations

import inspect
import re
from collections.abc import Iterable

from treec.frozen import frozen
from treec.source.diagnostics import Diagnostic, Severity
from treec.source.text import Span

_CODE = re.compile(r"TC\d{3}")


@frozen(slots=False)
class Rule:
    """One rule: its stable id, a title, and a page with a failing and a passing snippet."""

    code: str
    title: str
    severity: Severity
    about: str

    def at(self, span: Span, message: str, help: str | None = None) -> Diagnostic:
        """Return a diagnostic of this rule at a place."""
        return Diagnostic(self.code, self.severity, span, message, help)


_rules: dict[str, Rule] = {}


def register(code: str, title: str, about: str, severity: Severity = "error") -> Rule:
    """Add a rule. Raises ValueError if its code is malformed or taken by another rule."""
    if not _CODE.fullmatch(code):
        raise ValueError(f"a rule's code is TC and three digits, not {code!r}")
    rule = Rule(code, title.strip(), severity, inspect.cleandoc(about))
    if _rules.setdefault(code, rule) != rule:
        raise ValueError(f"{code} is already the rule '{_rules[code].title}'")
    return rule


def rule_from_docstring(code: str, module_doc: str | None, severity: Severity = "error") -> Rule:
    """Add the rule that a rule module's docstring describes: the title, then the page."""
    title, _, about = inspect.cleandoc(module_doc or "").partition("\n")
    if not title or not about.strip():
        raise ValueError(f"the module of {code} has no title and text in its docstring")
    return register(code, title.strip().rstrip("."), about, severity)


def unregister(codes: Iterable[str]) -> None:
    """Remove rules of extensions that are no longer loaded."""
    for code in codes:
        _rules.pop(code, None)


def all_rules() -> tuple[Rule, ...]:
    """Return every rule registered so far, in order of code."""
    return tuple(_rules[code] for code in sorted(_rules))


def find_rule(code: str) -> Rule | None:
    """Return the rule with a code, in upper or lower case."""
    return _rules.get(code.strip().upper())


def explain(rule: Rule) -> str:
    """Return what ``treec explain`` prints for a rule."""
    return f"{rule.code} ({rule.severity}): {rule.title}\n\n{rule.about.strip()}\n"
