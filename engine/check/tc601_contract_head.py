"""A contract over an action that does not exist, or an argument that the action does not have.

`each` names high-level actions and the arguments that `require` speaks of. A contract over
something nobody does is kept by everybody.

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
from treec.team.contracts import ANSWER, head_parameters, parse_head

CODE = "TC601"

EVENTS = ("utterance", "subtask", "proposal")
"""What `eventually` may speak of."""

_NAME = re.compile(r"[A-Za-z_]\w*")


def check(view: View) -> Iterator[Diagnostic]:
    """Heads that cannot be read, unknown actions and arguments, unknown kinds of events."""
    for entry in entries(view, "contract"):
        contract: ContractFile = entry.model
        seen: set[str] = set()
        for index, head in enumerate(contract.each):
            yield from _head(entry, index, head, seen)
        eventually = contract.eventually
        if eventually is not None and eventually.each not in EVENTS:
            yield Diagnostic(
                CODE,
                "error",
                entry.span("eventually", "each"),
                f"'{eventually.each}' is nothing that 'eventually' can be said of",
                suggestion(eventually.each, EVENTS, "one of"),
            )


def _head(entry: AnyEntry, index: int, text: str, seen: set[str]) -> Iterator[Diagnostic]:
    loc = ("each", index)
    try:
        head = parse_head(text)
    except ValueError:
        yield Diagnostic(
            CODE,
            "error",
            entry.span(*loc),
            f"'{text}' is no action with its arguments",
            "write assign(agent, because)",
        )
        return
    names = [(found[0], found.start()) for found in _NAME.finditer(text)]
    (_, at), arguments = names[0], names[1:]
    span = entry.span_in(loc, at, len(head.action))
    known = head_parameters(head.action)
    if known is None:
        help = suggestion(head.action, (*action_names(), ANSWER), "actions")
        yield Diagnostic(CODE, "error", span, f"there is no action '{head.action}'", help)
        return
    if head.action in seen:
        message = f"'{head.action}' is named twice, and only the last one counts"
        yield Diagnostic(CODE, "error", span, message, "name each action once")
    seen.add(head.action)
    for name, offset in arguments:
        if name not in known:
            span = entry.span_in(loc, offset, len(name))
            message = f"'{head.action}' has no argument '{name}'"
            help = suggestion(name, known, f"{head.action}({', '.join(known)}) has")
            yield Diagnostic(CODE, "error", span, message, help)
