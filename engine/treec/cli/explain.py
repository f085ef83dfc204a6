"""``treec explain``: what a rule finds, with examples; what a word of the files means."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Annotated, cast

import typer

from treec.cli.basics import tool
from treec.cli.common import Stop
from treec.source.errors import TreecError


def command(
    code: Annotated[
        str,
        typer.Argument(
            help="Id of a rule, such as TC203, or of a trial; a kind of file, a node, or a name "
            "of expressions, such as scene, parallel, now; 'all' lists all rules."
        ),
    ],
) -> int:
    """Explain a rule, a trial, or a word of the files."""
    from treec.check import load_rules
    from treec.companions import missing_help
    from treec.extensions import registry
    from treec.source.errors import suggest
    from treec.source.rules import all_rules, find_rule

    load_rules()
    for module in registry().pages:
        registry().load(module)
    if code.lower() == "all":
        for rule in all_rules():
            print(f"{rule.code}  {rule.severity:7}  {rule.title}")
        return 0
    found = find_rule(f"TC{code}" if code.isdecimal() else code)
    if found is None and not re.fullmatch(r"(?i)tc\d*|\d+", code):
        print(_trial_page(code) or _reference_page(code))
        return 0
    if found is None:
        missing = missing_help("rules", code.upper())
        near = missing or suggest(code.upper(), [rule.code for rule in all_rules()])
        help = near or "'treec explain all' lists the rules"
        raise Stop(f"unknown rule '{code}'; {help}")
    print(f"{found.code}: {found.title} ({found.severity})\n\n{found.about}")
    return 0


def _trial_page(code: str) -> str | None:
    """What is printed of a trial of `treec check --deep`; None if this is the id of none."""
    if not re.fullmatch(r"[A-Za-z]\d\d", code):
        return None
    from treec.cli.trials import find_trials

    return find_trials().page(code)


def _reference_page(word: str) -> str:
    """What a kind of file, a node, a name, a filter or an action is. Raises Stop."""
    explain = cast("Callable[[str], str]", tool("reference", "words of files are not explained"))
    try:
        return explain(word)
    except TreecError as error:
        raise Stop(str(error)) from None
