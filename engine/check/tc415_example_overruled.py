"""Example contradicted by an `always` rule.

Rules under `always` are evaluated before any model is asked. If one of them holds in an example,
no model would be asked in that situation; if the example shows a different choice, prompt and
rules disagree.

Wrong:

    always:
      - {when: acts.stop, choose: Interrupt_Subtask}
    examples:
      - given: {acts: [{kind: stop}]}
        answer: {choose: Modify_Subtask}

Right:

    always:
      - {when: acts.stop, choose: Interrupt_Subtask}
    examples:
      - given: {acts: [{kind: stop}]}
        answer: {choose: Interrupt_Subtask}

A rule that depends on something the example does not give, such as a fact, is skipped.
"""

from __future__ import annotations

from collections.abc import Iterator

from treec.check.base import entries
from treec.check.example_scope import example_scope
from treec.files.prompts import DecisionFile
from treec.files.view import View
from treec.source.diagnostics import Diagnostic
from treec.source.errors import SourceError
from treec.source.expression import Expression
from treec.source.scope import Scope

CODE = "TC415"


def check(view: View) -> Iterator[Diagnostic]:
    """Compare the choices of examples with the first rule that holds."""
    for entry in entries(view, "decision"):
        model: DecisionFile = entry.model
        for index, example in enumerate(model.examples):
            scope = example_scope(view, entry, example) if model.always else None
            if scope is None:
                continue
            for rule in model.always:
                holds = _judge(rule.when, scope)
                if holds and rule.choose != example.answer.choose:
                    span = entry.span("examples", index, "answer", "choose")
                    message = f"here 'always' chooses '{rule.choose}', because {rule.when}"
                    help = f"choose '{rule.choose}', or change 'given'"
                    yield Diagnostic(CODE, "error", span, message, help)
                if holds is not False:
                    break  # it chooses, or it is unknown whether it does


def _judge(condition: str, scope: Scope) -> bool | None:
    try:
        return Expression.parse(condition).judge(scope)
    except SourceError:  # reported by TC201
        return None
