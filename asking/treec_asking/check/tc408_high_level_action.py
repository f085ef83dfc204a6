"""Unknown or forbidden high-level action, or wrong arguments.

`may` lists high-level actions, `claims` the kinds of claims that `say` may make; `always` and
`offline` call actions with the arguments of their signatures; `acknowledge` has texts for them.

Wrong:

    may: [assign, say]
    offline:
      - for: p in acts.accept.proposals
        do:
          - assign: {agent: $p.agent, subtask: $p.subtask, because: $p}

Right:

    may: [assign, say]
    offline:
      - for: p in acts.accept.proposals
        do:
          - assign: {agent: $p.agent, subtasks: [$p.subtask], because: $p}
"""

from __future__ import annotations

from collections.abc import Iterator

from treec.check.base import FieldPlace, entries
from treec.check.environments import environment
from treec.extensions import registry
from treec.files.entry import AnyEntry
from treec.files.view import View
from treec.source.diagnostics import Diagnostic, suggestion
from treec_asking.check.high_level import call_misfits, is_misspelt, unknown_action

CODE = "TC408"


def check(view: View) -> Iterator[Diagnostic]:
    """Report invalid actions in `may`, rules and `acknowledge`."""
    for entry in entries(view, "action"):
        for index, name in enumerate(entry.model.may):
            unknown = unknown_action(name)
            if unknown is not None:
                span = entry.span("may", index)
                yield Diagnostic(CODE, "error", span, unknown.message, unknown.help)
        known = registry().statements
        for index, name in enumerate(entry.model.claims or ()):
            if name not in known:
                span = entry.span("claims", index)
                help = suggestion(name, known)
                yield Diagnostic(CODE, "error", span, f"unknown kind of claim '{name}'", help)
        yield from _rules(view, entry)
        yield from _acknowledgements(entry)


def _rules(view: View, entry: AnyEntry) -> Iterator[Diagnostic]:
    for part in ("always", "offline"):
        for index, rule in enumerate(getattr(entry.model, part)):
            for number, call in enumerate(rule.do):
                loc = (part, index, "do", number)
                env = environment(view, FieldPlace(entry, loc, "value", call, rule, "do"))
                for item in call_misfits(env, call, entry.model.may, rule=True):
                    span = entry.span(*loc, *item.loc, key=item.key)
                    yield Diagnostic(CODE, "error", span, item.message, item.help)


def _acknowledgements(entry: AnyEntry) -> Iterator[Diagnostic]:
    for name in entry.model.acknowledge:
        if name in entry.model.may or is_misspelt(name, entry.model.may):
            continue
        yield Diagnostic(
            CODE,
            "error",
            entry.span("acknowledge", name, key=True),
            f"'{name}' is not listed under 'may'",
            suggestion(name, entry.model.may, "it may"),
        )
