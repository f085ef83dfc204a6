"""An example whose choice an `always` rule overrules.

The rules under `always` hold before any model is asked. An example in which one of them holds is a
moment in which no model is asked; when it shows another choice, prompt and rules disagree.

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

A rule that asks for what the example does not tell, such as a fact, is not held against it.
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
    """Choices of examples against the first rule that holds."""
    for entry in entries(view, "decision"):
        model: DecisionFile = entry.model
        for index, example in enumerate(model.examples):
            scope = example_scope(view, entry, example) if model.always else None
            if scope is None:
                continue
            for rule in model.always:
                held = _judged(rule.when, scope)
                if held and rule.choose != example.answer.choose:
                    span = entry.span("examples", index, "answer", "choose")
                    message = f"here `always` chooses '{rule.choose}', for {rule.when}"
                    help = f"choose '{rule.choose}', or mend what is given"
                    yield Diagnostic(CODE, "error", span, message, help)
                if held is not False:
                    break  # the first that holds chooses; or nobody can tell whether it does


def _judged(condition: str, scope: Scope) -> bool | None:
    try:
        return Expression.parse(condition).judge(scope)
    except SourceError:  # TC201 tells
        return None
