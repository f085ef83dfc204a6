"""``treec explain``: the page of a rule, with examples."""

from __future__ import annotations

import re
from typing import Annotated

import typer

from treec.cli.common import Stop


def command(
    code: Annotated[
        str,
        typer.Argument(help="Id of a rule, such as TC203, or of a trial; 'all' lists all rules."),
    ],
) -> int:
    """Explain a rule or a trial of `treec check`."""
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
    if found is None and (page := _trial_page(code)) is not None:
        print(page)
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
