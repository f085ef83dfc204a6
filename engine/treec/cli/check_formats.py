"""Diagnostics in the formats of others: GitHub's annotations, SARIF, JUnit."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

from treec.source.diagnostics import Diagnostic
from treec.source.rules import find_rule

Shown = Callable[[str], str]
"""A file's path as it is to stand in the output."""


def shown_from_here(root: Path) -> Shown:
    """Return how paths of a library are shown: from the working folder, if that holds them."""
    here = Path.cwd().resolve()

    def shown(path: str) -> str:
        full = (root / path).resolve()
        return full.relative_to(here).as_posix() if full.is_relative_to(here) else path

    return shown


def github(problems: Sequence[Diagnostic], shown: Shown) -> str:
    """Return workflow commands: GitHub shows each problem beside its line."""
    lines = []
    for problem in problems:
        span = problem.span
        place = {
            "file": shown(span.path),
            "line": span.line,
            "endLine": span.end_line,
            "col": span.column,
            "endColumn": span.end_column,
            "title": f"treec {problem.code}",
        }
        given = ",".join(f"{key}={_property(str(value))}" for key, value in place.items())
        lines.append(f"::{problem.severity} {given}::{_data(_message(problem))}")
    return "\n".join(lines)


def sarif(
    problems: Sequence[Diagnostic], shown: Shown, about: Mapping[str, str] | None = None
) -> str:
    """Return a SARIF 2.1.0 log, as code scanning services read it.

    ``about`` says what codes mean that are no rules of the check.
    """
    from importlib.metadata import version

    codes = sorted({problem.code for problem in problems})
    driver = {
        "name": "treec",
        "version": version("treec"),
        "rules": [_rule(code, about or {}) for code in codes],
    }
    results = [_result(problem, codes.index(problem.code), shown) for problem in problems]
    log = {
        "$schema": "https://json.schemastore.org/sarif-2.1.0.json",
        "version": "2.1.0",
        "runs": [
            {"tool": {"driver": driver}, "results": results, "columnKind": "unicodeCodePoints"}
        ],
    }
    return json.dumps(log, indent=2, ensure_ascii=False)


def junit(
    problems: Sequence[Diagnostic],
    passed: Sequence[str],
    shown: Shown,
    suite: str = "treec check",
    name: Callable[[Diagnostic], str] = lambda problem: problem.code,
) -> str:
    """Return a JUnit report: a test case for each problem, and those that have ``passed``.

    Warnings do not fail. ``name`` is the name of a problem's test case.
    """
    from xml.etree import ElementTree

    errors = sum(problem.severity == "error" for problem in problems)
    counts = {"tests": str(len(problems) + len(passed)), "failures": str(errors)}
    element = ElementTree.Element("testsuite", {"name": suite, **counts})
    for one in passed:
        ElementTree.SubElement(element, "testcase", {"name": one})
    for problem in problems:
        span = problem.span
        named = {"name": name(problem), "classname": shown(span.path), "line": str(span.line)}
        case = ElementTree.SubElement(element, "testcase", named)
        text = f"{shown(span.path)}:{span.line}:{span.column}: {_message(problem)}"
        if problem.severity == "error":
            failure = {"message": problem.message, "type": problem.code}
            ElementTree.SubElement(case, "failure", failure).text = text
        else:
            ElementTree.SubElement(case, "system-out").text = text
    suites = ElementTree.Element("testsuites", {"name": "treec", **counts})
    suites.append(element)
    ElementTree.indent(suites)
    return ElementTree.tostring(suites, encoding="unicode", xml_declaration=True)


def _message(problem: Diagnostic) -> str:
    return problem.message if problem.help is None else f"{problem.message}\nhelp: {problem.help}"


def _data(text: str) -> str:
    return text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def _property(text: str) -> str:
    return _data(text).replace(":", "%3A").replace(",", "%2C")


def _rule(code: str, about: Mapping[str, str]) -> dict[str, Any]:
    rule = find_rule(code)
    if rule is None:
        return {
            "id": code,
            **({"shortDescription": {"text": about[code]}} if code in about else {}),
        }
    return {
        "id": code,
        "shortDescription": {"text": rule.title},
        "fullDescription": {"text": rule.about},
        "defaultConfiguration": {"level": rule.severity},
    }


def _result(problem: Diagnostic, rule: int, shown: Shown) -> dict[str, Any]:
    span = problem.span
    region = {
        "startLine": span.line,
        "startColumn": span.column,
        "endLine": span.end_line,
        "endColumn": span.end_column,
    }
    place = {"artifactLocation": {"uri": shown(span.path)}, "region": region}
    return {
        "ruleId": problem.code,
        "ruleIndex": rule,
        "level": problem.severity,
        "message": {"text": _message(problem)},
        "locations": [{"physicalLocation": place}],
    }
