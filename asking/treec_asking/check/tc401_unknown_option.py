"""Unknown option of a decision.

A decision's options are behaviours it can choose: decisions, actions and trees of the packs that
the system uses, by name; `pack/NAME` names one in another pack.

Wrong:

    decision: Execution
    about: What to do next.
    options:
      Confirm_Subtsk: Somebody is free.

Right:

    decision: Execution
    about: What to do next.
    options:
      Confirm_Subtask: Somebody is free.
"""

from __future__ import annotations

from collections.abc import Iterator

from treec.check.base import entries
from treec.check.graph import OPTION_KINDS
from treec.check.unknown_names import an, help_for, is_broken
from treec.files.view import View
from treec.source.diagnostics import Diagnostic

CODE = "TC401"


def check(view: View) -> Iterator[Diagnostic]:
    """Report options that name no behaviour, or one that cannot be chosen."""
    help = "an option is a decision, an action or a tree: choose a tree that runs it"
    for entry in entries(view, "decision"):
        for name in entry.model.options:
            if (wrong := wrong_option(view, "option", name, help)) is not None:
                span = entry.span("options", name, key=True)
                yield Diagnostic(CODE, "error", span, *wrong)


def wrong_option(view: View, what: str, name: str, help: str) -> tuple[str, str | None] | None:
    """What is wrong with an option's name, and what would be right; None if nothing is.

    ``what`` is an option or a fallback, and ``help`` says which kinds may stand there.
    """
    target = view.behaviour(name)
    if target is not None and target.kind in OPTION_KINDS:
        return None
    if target is not None:
        return f"'{name}' is {an(target.kind)}, which a decision cannot choose", help
    if is_broken(view, OPTION_KINDS, name):
        return None  # a file that cannot be read may be it
    return f"unknown {what} '{name}'", help_for(view, OPTION_KINDS, name)
