"""What people hear of words that changed nothing."""

from __future__ import annotations

from tests.systems.mosaic.claims.moments import moment
from treec.team.state import ActState
from treec.team.team import Team
from treec_asking.understood import describe_acts, find_remedy


def told(team: Team, kind: str, **fields: object) -> tuple[str, str]:
    act = team.now.act_of(ActState("u1.1", kind, "so", "u1", fields))
    return describe_acts([act]), find_remedy(team, [act])


def test_a_request_to_somebody_who_cannot_is_told_with_those_who_can() -> None:
    stir = {"task": "stir", "args": {"container": "pot"}}
    heard, right = told(moment("soup"), "request", agent="R2", **stir)
    assert heard.startswith("R2 should stir")
    assert right.startswith("R2 cannot stir")
    assert right.endswith(", R1 or you can")


def test_a_report_of_what_is_done_already_is_told_as_that() -> None:
    heard, right = told(moment("soup"), "done", subtasks=["get tomatoes"])
    assert heard == "done: get the tomatoes"
    assert right == "this is done already: get the tomatoes"


def test_of_a_remark_nothing_is_told() -> None:
    assert told(moment("soup"), "remark") == ("", "")
