"""Scores from 0 to 1 that a judge of the library gives decisions: for what is no right or wrong.

A judge is a file of the kind `judge` that answers by a probability, yes or no, or a scale. Of what
it `sees`, `decision`, `expected` and `observation` are those of the case.
"""

from __future__ import annotations

from treec.ask.transport import Transport
from treec.files.view import names_of
from treec.source.diagnostics import unknown
from treec_asking.marks import unmark_text
from treec_models.judge_file import PROBABILITY, SCORE, YES_NO, form_of
from treec_testing.decisions.cases import CaseError, DecisionCase
from treec_testing.decisions.equivalence import format_decision
from treec_testing.decisions.situation import DecisionResult


async def soft_score(
    case: DecisionCase, decided: DecisionResult, transport: Transport | None
) -> float | None:
    """What the case's judge gives a decision; None if it gives no answer. Raises CaseError."""
    view, name = case.view, str(case.scored_by)
    entry = view.find("judge", name)
    if entry is None:
        raise CaseError(f"{case.where}: {unknown('judge', name, view.all('judge'))}")
    fact, spec = next(iter(entry.model.sets.items()))
    form = form_of(view, names_of(view), fact, spec)
    if form.kind not in (YES_NO, PROBABILITY, SCORE):
        raise CaseError(
            f"{case.where}: the judge '{name}' gives no score: '{fact}' needs `yes` or a `scale`"
        )
    seen = {
        "decision": format_decision(decided.decision),
        "expected": format_decision(case.expect) if case.expect else "",
        "observation": unmark_text(decided.requests[0].messages[-1].content)
        if decided.requests
        else "",
    }
    given = {one: seen[one] for one in entry.model.sees if one in seen}
    asked = DecisionCase(f"{name}/{case.id}", "", case.where, view, entry, given=given)
    result = await asked.situation({}).decide(transport)
    value = result.decision.get(fact)
    failed = transport is not None and result.failed is not None  # its rules are another judge
    if failed or not isinstance(value, int | float):
        return None
    return float(value) / (len(form.options) - 1 if form.kind == SCORE else 1)
