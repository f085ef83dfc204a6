"""What the judge lets pass and what it does not, told by journals of a few lines."""

from __future__ import annotations

import json
from typing import Any

from tests.systems.mosaic.conversations.judge import Judge

Event = tuple[str, dict[str, Any]]

TABLE: list[Event] = [
    ("agent.joined", {"agent": "R1", "person": False}),
    ("agent.joined", {"agent": "user", "person": True}),
    ("subtask.added", {"id": "get salt", "task": "get", "args": {}}),
    ("subtask.added", {"id": "pour salt", "task": "pour", "args": {}, "after": ["get salt"]}),
]
POUR: Event = ("assigned", {"agent": "R1", "subtasks": ["pour salt"], "first": False})
START: Event = ("subtask.started", {"agent": "R1", "subtask": "pour salt"})
DROP: Event = ("subtask.dropped", {"subtasks": ["get salt"]})
ASK_DROP: Event = ("proposed", {"id": "p1", "agent": "user", "subtask": "pour salt", "drop": True})


def says(number: int, **act: object) -> list[Event]:
    """The person says something, and it is read as one act."""
    id = f"u{number}"
    read = {"id": f"{id}.1", "utterance": id, "quote": "so", **act}
    return [
        ("said", {"id": id, "who": "user", "text": "so"}),
        ("acts.read", {"utterances": [id], "acts": [read]}),
    ]


def settled(number: int) -> Event:
    return ("acts.settled", {"acts": [f"u{number}.1"]})


NOT_THE_SALT = [*says(1, kind="drop", subtasks=["get salt"]), DROP, settled(1)]
ASKED_FOR = [*says(2, kind="request", agent="R1", task="pour", args={}), POUR, settled(2)]


def wrong(*events: Event) -> list[str]:
    lines = [
        json.dumps({"n": n, "t": 0, "kind": kind, "data": data})
        for n, (kind, data) in enumerate([*TABLE, *events], start=1)
    ]
    return [said.split(": ", 1)[1] for said in Judge().read(lines)]


def test_what_was_agreed_to_is_begun_without_what_was_dropped() -> None:
    assert wrong(*NOT_THE_SALT, *ASKED_FOR, START) == []


def test_agreed_to_before_the_drop_it_still_waits() -> None:
    found = wrong(*ASKED_FOR, *NOT_THE_SALT, START)
    assert found == ["R1 starts pour salt before its turn"]


def test_a_no_to_the_drop_lets_it_go_on_without() -> None:
    no = [*says(3, kind="decline", proposals=["p1"]), settled(3)]
    assert wrong(*ASKED_FOR, *NOT_THE_SALT, ASK_DROP, *no, START) == []


def test_a_no_to_a_closed_question_lets_nothing_go_on() -> None:
    both: Event = ("subtask.dropped", {"subtasks": ["pour salt"]})
    never_mind = [*says(4, kind="drop", subtasks=["pour salt"]), both, settled(4)]
    anew = TABLE[2:]
    late = [*says(5, kind="decline", proposals=["p1"]), settled(5)]
    asked = [*NOT_THE_SALT, ASK_DROP, *never_mind, *anew, *ASKED_FOR, *NOT_THE_SALT]
    assert wrong(*asked, *late, START) == ["R1 starts pour salt before its turn"]


def test_a_yes_to_a_drop_gives_nobody_the_work() -> None:
    ask: Event = (ASK_DROP[0], {**ASK_DROP[1], "agent": "R1"})
    yes = says(3, kind="accept", proposals=["p1"])
    found = wrong(*NOT_THE_SALT, ask, *yes, POUR)
    assert found == ["R1 gets pour salt, which nobody agreed to"]


def test_only_what_waits_for_a_dropped_one_is_asked_about() -> None:
    found = wrong(ASK_DROP)
    assert found == ["pour salt is asked about, and waits for nothing dropped"]


def test_queued_work_is_not_proposed_anew() -> None:
    ask: Event = ("proposed", {"id": "p2", "agent": "R1", "subtask": "pour salt"})
    assert wrong(*ASKED_FOR, ask) == ["pour salt is proposed, and is queued"]


def test_what_fails_after_its_recipe_was_given_up_is_no_longer_work() -> None:
    def dish(name: str) -> list[Event]:
        return [*says(6, kind="choose", recipe=name), ("recipe.set", {"name": name}), settled(6)]

    stir: Event = ("subtask.added", {"id": "stir", "task": "stir", "args": {}, "recipe": "Soup"})
    to_r1: Event = ("assigned", {"agent": "R1", "subtasks": ["stir"], "first": False})
    begun: Event = ("subtask.started", {"agent": "R1", "subtask": "stir"})
    failed: Event = ("subtask.failed", {"agent": "R1", "subtask": "stir"})
    ask: Event = ("proposed", {"id": "p2", "agent": "R1", "subtask": "stir"})
    agreed = [*says(7, kind="request", agent="R1", task="stir", args={}), to_r1, settled(7)]
    found = wrong(*dish("Soup"), stir, *agreed, begun, *dish("Toast"), failed, ask)
    assert found == ["stir is proposed, and is dropped"]
