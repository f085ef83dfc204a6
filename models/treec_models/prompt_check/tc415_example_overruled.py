"""Example contradicted by an `always` rule or by `only_when`.

Rules under `always` are evaluated before any model is asked. If one of them holds in an example,
no model would be asked in that situation; if the example shows a different choice, prompt and
rules disagree. So do they if the example shows a choice whose condition under `only_when` does not
hold in it.

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
from treec.files.prompts import DecisionFile
from treec.files.view import View
from treec.source.diagnostics import Diagnostic
from treec.source.errors import SourceError
from treec.source.expression import Expression
from treec.source.scope import Scope
from treec_models.prompt_check.example_scope import example_scope

CODE = "TC415"


def check(view: View) -> Iterator[Diagnostic]:
    """Compare the choices of examples with the first rule that holds, and with conditions."""
    for entry in entries(view, "decision"):
        model: DecisionFile = entry.model
        for index, example in enumerate(model.examples):
            ruled = model.always or model.only_when
            scope = example_scope(view, entry, example) if ruled else None
            if scope is None:
                continue
            choice = example.answer.choose
            when = model.only_when.get(choice) if choice in model.options else None
            if when is not None and _judge(when, scope) is False:
                span = entry.span("examples", index, "answer", "choose")
                message = f"'{choice}' is not an option here: 'only_when' says {when}"
                help = "choose another option, or change 'given' or the condition"
                yield Diagnostic(CODE, "error", span, message, help)
            for rule in model.always:
                holds = _judge(rule.when, scope)
                if holds and rule.choose != choice:
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
