"""Decision without an answer when there is no model.

Without a model, or when the model is down, a decision is made by `always`, by offers, by `offline`
rules, or by its `fallback`. A decision with none of these fails.

Wrong:

    decision: Execution
    about: What to do next.
    options: {Confirm_Subtask: Somebody is free., No_op: Nobody is.}

Right:

    decision: Execution
    about: What to do next.
    options: {Confirm_Subtask: Somebody is free., No_op: Nobody is.}
    offline:
      - {when: available, choose: Confirm_Subtask}
      - {when: true, choose: No_op}
"""

from __future__ import annotations

from collections.abc import Iterator

from treec.check.base import entries
from treec.check.graph import graph_of
from treec.files.view import View
from treec.source.diagnostics import Diagnostic

CODE = "TC412"
SEVERITY = "warning"


def check(view: View) -> Iterator[Diagnostic]:
    """Report decisions that need a model."""
    graph = graph_of(view)
    for entry in entries(view, "decision"):
        model = entry.model
        if model.always or model.offline or model.fallback or graph.offers.get(entry.name):
            continue
        yield Diagnostic(
            CODE,
            "warning",
            entry.span("decision"),
            f"nothing answers '{entry.name}' without a model",
            "add 'offline' rules, the last of them {when: true, choose: …}, or a 'fallback'",
        )
