"""``treec explain``: the page of a rule, with examples."""

from __future__ import annotations

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
    if found is None and _explain_trial(code):
        return 0
    if found is None:
        near = suggest(code.upper(), [rule.code for rule in all_rules()])
        help = near or "'treec explain all' lists the rules"
        raise Stop(f"unknown rule '{code}'; {help}")
    print(f"{found.code}: {found.title} ({found.severity})\n\n{found.about}")
    return 0


def _explain_trial(id: str) -> bool:
    """Print what a trial tries and what would be right; whether there is one of this id."""
    if id.upper().startswith("TC"):
        return False
    import textwrap

    from treec.testing import TRIALS

    trial = TRIALS.get(id.upper())
    if trial is not None:
        print(f"{trial.id}: {trial.tried}\n\n{textwrap.fill(trial.right, 80)}")
        print(f"\n{textwrap.indent(trial.example, '    ')}")
    return trial is not None
