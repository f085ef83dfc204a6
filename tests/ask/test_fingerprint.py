from __future__ import annotations

import dataclasses

from treec.ask.transport import Message, Request
from treec_models.fingerprint import FingerprintParts, request_fingerprint
from treec_testing.recordings.difference import changed_parts, diff_lines, difference

REQUEST = Request(
    node="Choose",
    kind="decision",
    messages=(
        Message("system", "You help.\n\nChoose exactly one of Wave, Rest.\nBe brief."),
        Message("user", "mood: calm"),
        Message("assistant", '{"choose": "Rest"}'),
        Message("user", "mood: merry"),
    ),
    schema={"type": "object"},
    observation={"mood": "merry"},
    temperature=0.0,
)
QUESTION = FingerprintParts.of(REQUEST, "You help.", {"capabilities": ["R1 can get"]})


def test_a_question_is_taken_apart_and_put_together_again() -> None:
    assert QUESTION.system == "You help."
    assert QUESTION.instructions == "Choose exactly one of Wave, Rest.\nBe brief."
    assert QUESTION.examples == (("mood: calm", '{"choose": "Rest"}'),)
    assert QUESTION.observation == "mood: merry"
    assert QUESTION.messages == REQUEST.messages
    assert QUESTION.whole == request_fingerprint(REQUEST)


def test_asked_again_the_question_is_the_same_and_the_request_another() -> None:
    more = (Message("assistant", "hm"), Message("user", "That cannot be used."))
    again = dataclasses.replace(REQUEST, messages=(*REQUEST.messages, *more), attempt=2)
    assert FingerprintParts.of(again, "You help.").whole == QUESTION.whole
    assert request_fingerprint(again) != request_fingerprint(REQUEST)


def test_what_is_no_part_of_a_question_does_not_change_it() -> None:
    assert (
        request_fingerprint(dataclasses.replace(REQUEST, timeout=3.0, observation={}))
        == QUESTION.whole
    )
    assert request_fingerprint(dataclasses.replace(REQUEST, temperature=0)) == QUESTION.whole


def test_each_part_changes_its_own_fingerprint_and_the_whole() -> None:
    changes: dict[str, dict[str, object]] = {
        "system": {"system": "You cook."},
        "instructions": {"instructions": "Choose."},
        "examples": {"examples": ()},
        "observation": {"observation": "mood: sad"},
        "schema": {"schema": {}},
        "settings": {"model": "openai/x"},
    }
    before = QUESTION.fingerprints()
    for part, change in changes.items():
        after = dataclasses.replace(QUESTION, **change).fingerprints()  # type: ignore[arg-type]
        differ = {name for name in before if before[name] != after.get(name)}
        assert differ == {"whole", part}


def test_one_changed_word_is_named() -> None:
    other = dataclasses.replace(QUESTION, instructions="Choose just one of Wave, Rest.\nBe brief.")
    changes = difference(QUESTION, other)
    assert changed_parts(changes) == ["instructions"]
    assert list(diff_lines(changes)) == [
        "instructions, line 1: 'exactly' → 'just'",
        "  - Choose exactly one of Wave, Rest.",
        "  + Choose just one of Wave, Rest.",
    ]


def test_lines_that_come_and_go_and_rewritten_ones_are_told_apart() -> None:
    added = dataclasses.replace(QUESTION, observation="mood: merry\navailable: salt")
    assert difference(QUESTION, added)[0].summary == "observation, line 2: a line was added"
    assert difference(added, QUESTION)[0].summary == "observation, line 2: a line was taken out"
    rewritten = dataclasses.replace(
        QUESTION, system="One of two; three or four, five by six: seven!"
    )
    assert difference(QUESTION, rewritten)[0].summary == "system, line 1 was rewritten"


def test_a_long_line_is_cut_to_where_it_differs() -> None:
    long = "word " * 100
    one = dataclasses.replace(QUESTION, instructions=f"{long}left {long}")
    other = dataclasses.replace(QUESTION, instructions=f"{long}right {long}")
    lines = list(difference(one, other)[0].lines())
    assert "left" in lines[0]
    assert "right" in lines[1]
    assert max(map(len, lines)) < 100


def test_spaces_count() -> None:
    other = dataclasses.replace(QUESTION, system="You  help.")
    assert difference(QUESTION, other)[0].summary == "system, line 1: 'a space' → 'another'"
