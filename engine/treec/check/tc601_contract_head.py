"""Unknown action or argument in a contract.

`each` lists high-level actions and the arguments that `require` uses; `answer(actions, acts)` is
an answer as a whole, `skill(agent, skill, args, subtask)` every skill as long as it runs. A
contract on an action that does not exist can never be broken.

Wrong:

    contract: ask_first
    about: Nobody gets work unless the user asked or agreed.
    each: [assing(agent, because), drop(agent)]
    require: because in acts.request

Right:

    contract: ask_first
    about: Nobody gets work unless the user asked or agreed.
    each: [assign(agent, because), drop(subtasks, because)]
    require: because in acts.request
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from treec.check.base import entries
from treec.files.entry import AnyEntry
from treec.files.systems import ContractFile
from treec.files.view import View
from treec.source.diagnostics import Diagnostic, suggestion
from treec.team.actions import action_names
from treec.team.contracts import ANSWER, SKILL, head_parameters, parse_head

CODE = "TC601"

EVENTS = ("utterance", "subtask", "proposal")
"""Kinds of events that `eventually` takes."""

_NAME = re.compile(r"[A-Za-z_]\w*")


def check(view: View) -> Iterator[Diagnostic]:
    """Report invalid heads, unknown actions and arguments, and unknown kinds of events."""
    for entry in entries(view, "contract"):
        contract: ContractFile = entry.model
        named: set[str] = set()
        for index, head in enumerate(contract.each):
            yield from _head(entry, index, head, named)
        eventually = contract.eventually
        if eventually is not None and eventually.each not in EVENTS:
            yield Diagnostic(
                CODE,
                "error",
                entry.span("eventually", "each"),
                f"'eventually' cannot be about '{eventually.each}'",
                suggestion(eventually.each, EVENTS, "one of"),
            )


def _head(entry: AnyEntry, index: int, text: str, named: set[str]) -> Iterator[Diagnostic]:
    loc = ("each", index)
    try:
        head = parse_head(text)
    except ValueError:
        yield Diagnostic(
            CODE,
            "error",
            entry.span(*loc),
            f"'{text}' is not an action with its arguments",
            "write assign(agent, because)",
        )
        return
    names = [(found[0], found.start()) for found in _NAME.finditer(text)]
    (_, at), arguments = names[0], names[1:]
    span = entry.span_in(loc, at, len(head.action))
    known = head_parameters(head.action)
    if known is None:
        help = suggestion(head.action, (*action_names(), ANSWER, SKILL), "actions")
        yield Diagnostic(CODE, "error", span, f"unknown action '{head.action}'", help)
        return
    if head.action in named:
        message = f"'{head.action}' is listed twice; only the last one counts"
        yield Diagnostic(CODE, "error", span, message, "name each action once")
    named.add(head.action)
    for name, offset in arguments:
        if name not in known:
            span = entry.span_in(loc, offset, len(name))
            message = f"unknown argument '{name}' of '{head.action}'"
            help = suggestion(name, known, "its arguments")
            yield Diagnostic(CODE, "error", span, message, help)
