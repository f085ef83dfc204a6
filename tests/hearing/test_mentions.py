"""Names as people say them."""

from __future__ import annotations

from copy import copy
from dataclasses import replace
from unittest import mock

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.hearing.moments import everyday, moment
from tests.support.tiers import many
from treec.team.talk import TalkContext, TalkObject, TalkSubtask
from treec_hearing.ear import Ear
from treec_hearing.name_index import NameIndex


@pytest.fixture
def now() -> TalkContext:
    """A garden in which names have articles in their middle."""
    garden = moment("garden")
    return replace(
        garden,
        recipes=("Soup of the Day",),
        objects=(*garden.objects, TalkObject("end of the path", (), ("Item",))),
        subtasks=(*garden.subtasks, TalkSubtask("s9", "polish the floor", "running", "Rover")),
    )


@pytest.mark.parametrize(
    ("text", "kind", "field", "value"),
    [
        ("let's do the soup of the day", "choose", "recipe", "Soup of the Day"),
        ("let's do soup of day", "choose", "recipe", "Soup of the Day"),
        ("mow the end of the path", "request", "args", {"item": "end of the path"}),
        ("I'm done with polish the floor", "done", "subtasks", ["s9"]),
    ],
)
def test_a_name_is_known_with_the_article_in_its_middle(
    now: TalkContext, text: str, kind: str, field: str, value: object
) -> None:
    (act,) = everyday()(text, now)
    assert (act["kind"], act.get(field)) == (kind, value)


@pytest.mark.parametrize("text", ["Finished watering the roses.", "The roses are watered."])
def test_of_work_that_is_to_be_done_twice_a_report_means_the_first(text: str) -> None:
    garden = moment("garden")
    twice = tuple(
        TalkSubtask(f"{id}", words, status, agent)
        for id, words, status, agent in (
            ("s1", "water the roses", "running", "user"),
            ("s2", "water the roses", "waiting", None),
        )
    )
    (act,) = everyday()(text, replace(garden, subtasks=twice, proposals=()))
    assert (act["kind"], act["subtasks"]) == ("done", ["s1"])


STATUSES = ("waiting", "ready", "queued", "running", "interrupted", "done", "dropped", "failed")
SAID = ("mow the lawn", "water the roses", "water the lawn", "mow lawn", "nothing known")
UTTERANCES = ("mow the lawn", "I'm done with the roses", "the lawn is mowed", "I watered it")


def new_ear() -> Ear:
    """An ear that has heard nothing."""
    ear = copy(everyday())
    ear._lexicons = []
    return ear


@given(st.lists(st.lists(st.tuples(st.sampled_from(STATUSES), st.sampled_from(SAID)), max_size=5)))
@settings(max_examples=many(120, 60))
@pytest.mark.slow
def test_an_ear_that_has_heard_other_moments_hears_the_same(
    moments: list[list[tuple[str, str]]],
) -> None:
    garden = moment("garden")
    old = new_ear()
    for subtasks in moments:
        now = replace(
            garden,
            subtasks=tuple(
                TalkSubtask(f"s{n}", words, status) for n, (status, words) in enumerate(subtasks)
            ),
        )
        for text in UTTERANCES:
            assert old(text, now) == new_ear()(text, now)


def test_what_is_said_costs_what_has_changed_not_how_much_there_is() -> None:
    garden = moment("garden")
    names = [TalkObject(f"box {n}", (), ("Item",)) for n in range(300)]
    subtasks = [TalkSubtask(f"s{n}", f"mow box {n}", "ready") for n in range(300)]
    ear = new_ear()
    now = replace(garden, objects=(*garden.objects, *names), subtasks=tuple(subtasks))
    ear("I'm done with mow box 7", now)
    subtasks[7] = replace(subtasks[7], status="done")
    with (
        mock.patch.object(NameIndex, "_at", autospec=True, side_effect=NameIndex._at) as used,
        mock.patch.object(NameIndex, "after", autospec=True, side_effect=NameIndex.after) as walked,
    ):
        (act,) = ear("I'm done with mow box 8", replace(now, subtasks=tuple(subtasks)))
    assert act["subtasks"] == ["s8"]
    assert used.call_count == 1
    assert walked.call_count < 100


class _Counted(str):
    """A name that counts how often names are compared."""

    compared = 0
    __hash__ = str.__hash__

    def __eq__(self, other: object) -> bool:
        _Counted.compared += 1
        return str.__eq__(self, other)


def test_a_thousand_things_of_one_kind_are_not_compared_with_each_other() -> None:
    garden = moment("garden")
    boxes = tuple(TalkObject(_Counted(f"box {n}"), (), ("Item",)) for n in range(1_000))
    now = replace(garden, objects=(*garden.objects, *boxes))
    _Counted.compared = 0
    (act,) = everyday()("mow the box 7", now)
    assert act["args"] == {"item": "box 7"}
    assert _Counted.compared < 20_000


@pytest.mark.parametrize(
    "text", ["try again", "Try it once more", "Retry", "give it another go", "try the lawn again"]
)
def test_what_failed_is_tried_again(text: str) -> None:
    now = moment("garden", proposals=False)
    failed = replace(now.subtasks[1], status="ready", agent=None, failed=True)
    (act,) = everyday()(text, replace(now, subtasks=(now.subtasks[0], failed)))
    assert (act["kind"], act["task"], act["args"]) == ("request", "mow", {"item": "lawn"})
    assert everyday()(text, now)[0]["kind"] == "remark", "nothing has failed"
    several = replace(now, subtasks=(replace(now.subtasks[0], failed=True), failed))
    assert everyday()("try again", several)[0]["kind"] == "remark", "which one is not said"
