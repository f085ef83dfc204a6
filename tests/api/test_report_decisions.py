"""What a report says of why a run did what it did."""

from __future__ import annotations

from treec.api.report_decisions import decision_parts
from treec.nodes.events import Answered, Decided, Overruled, PassedOn, SkillForbidden
from treec.team.events import ActsRead, Said
from treec.world.events import ActionTaken, Commit, Event
from treec.world.journal import Journal

NODE = "main/Dispatch"
STOP = {"id": "u1.1", "kind": "stop", "quote": "R1, stop", "utterance": "u1", "agent": "R1"}


def _rows(*events: Event) -> list[tuple[str, ...]]:
    journal = Journal.in_memory()
    for event in events:
        journal.append(event, "run", 1.5)
    return [row[1:] for part in decision_parts(journal.records) for row in part.rows]


def test_what_is_heard_and_done_names_its_rule_and_the_words_that_it_rests_on() -> None:
    said = Said("assistant", "R1 has stopped.", "u2")
    taken = ActionTaken("interrupt", {"agent": "R1", "first": False, "because": STOP}, 2)
    assert _rows(
        Said("user", "R1, stop", "u1"),
        Commit("reading", (ActsRead(("u1",), (STOP,)),), "main/Talk", "Talk", "offline"),
        Commit("action", (said,), "main/Stop", "Stop", "offline", (taken,)),
    ) == [
        ("user", "R1, stop", ""),
        ("Talk", "heard stop(agent: R1) in 'R1, stop'", "offline"),
        ("Stop", "interrupt(agent: R1)", "offline, rule 2, because of 'R1, stop'"),
        ("assistant", "R1 has stopped.", ""),
    ]


def test_a_decision_names_who_made_it_with_the_reason_and_is_not_repeated() -> None:
    wait = Decided(NODE, "Wait", "offline", rule=5)
    asked = Decided(NODE, "Help", "openai/x@1", "somebody waits")
    assert _rows(wait, wait, asked, wait) == [
        ("Dispatch", "Wait", "offline, rule 5"),
        ("Dispatch", "Help", "openai/x@1: somebody waits"),
        ("Dispatch", "Wait", "offline, rule 5"),
    ]


def test_how_sure_an_answer_is_and_who_passes_on() -> None:
    assert _rows(
        PassedOn(NODE, "Dispatch", "systemone/nano", "its confidence 0.40 is below 0.9"),
        Decided(
            NODE, "Help", "systemone/nano@1", confidence=0.95, probabilities={"A": 0.1, "B": 0.9}
        ),
    ) == [
        ("Dispatch", "systemone/nano passes on", "its confidence 0.40 is below 0.9"),
        ("Dispatch", "Help", "systemone/nano@1, 0.95 sure: B 0.90, A 0.10"),
    ]


def test_refusals_overruled_answers_and_forbidden_skills_say_why() -> None:
    assert _rows(
        Answered(NODE, refused="there is no 'Halp'", by="m", text="Halp"),
        Answered(NODE, by="m", text="Help"),
        Overruled(NODE, "m", "Wait"),
        SkillForbidden("hot", "grasp", "R1", "the pan is hot"),
    ) == [
        ("Dispatch", "refused: Halp", "m: there is no 'Halp'"),
        ("Dispatch", "the rules decide", "m came to nothing: Wait"),
        ("R1", "grasp was stopped", "contract 'hot': the pan is hot"),
    ]


def test_a_run_without_talk_and_decisions_has_no_such_part() -> None:
    assert _rows(Answered(NODE, by="m", text="Help")) == []
