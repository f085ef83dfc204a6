"""A yes, a no, a report and a go-on have a word of their own: nonsense is none of them."""

from __future__ import annotations

import pytest

from tests.hearing.moments import DOMAINS, everyday_and_network, moment
from tests.hearing.stub_network import StubNetwork, everyday_with

WORDS = """
    cat purple banana seven Tuesday blue tree mountain quickly zebra xyzzy foo lorem pfft ouch wow
    weather London green football 42 meh ugh haha hmm the and it but under because window gosh whee
    coffee elephantine yesterday
"""
PHRASES = (
    *("my cat", "green banana", "the moon is full", "blah blah", "la la la", "the cat sat"),
    *("purple monkey dishwasher", "nice weather", "I like trains", "one two three", "hot dogs"),
    *("it is Tuesday", "lovely curtains", "that dog", "big red bus", "good grief", "grand piano"),
    *("the cat is fine", "the cat is back", "happy birthday", "a second cat", "start the music"),
)
MOVE = {"accept", "done", "resume", "request", "choose"}


def kinds(text: str, domain: str, *, stopped: bool = False) -> set[str]:
    heard = everyday_and_network().listen(text, moment(domain, stopped=stopped))
    return {act.kind for act in heard.acts}


@pytest.mark.few(3)
@pytest.mark.parametrize("stopped", [False, True], ids=["asked", "stopped"])
@pytest.mark.parametrize("domain", DOMAINS)
def test_nonsense_moves_no_robot(domain: str, stopped: bool) -> None:
    assert len({*WORDS.split(), *PHRASES}) >= 57
    for text in (*WORDS.split(), *PHRASES):
        assert not kinds(text, domain, stopped=stopped) & MOVE, text
        assert "decline" not in kinds(text, domain, stopped=stopped), text


def test_an_order_is_no_report() -> None:
    for text in (
        "put everything back",
        "put the lot away",
        "get it done",
        "take it all over there",
    ):
        assert "done" not in kinds(text, "kitchen"), text


def test_a_name_beside_what_nobody_knows_is_no_yes_and_no_report() -> None:
    for text in ("purple pepper", "the pepper is purple", "pepper cat", "R2 cat", "R2 is a cat"):
        assert not kinds(text, "kitchen") & MOVE, text
    assert not kinds("pepper", "kitchen") & {"accept", "done"}, "which of both is not said"


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("Affirmative, make it so, R2", "accept"),
        ("You have my blessing, R2", "accept"),
        ("The pepper from R2 then", "accept"),
        ("Hang fire on the pepper", "decline"),
        ("That's the pepper sorted", "done"),
        ("Chopped the pepper meself", "done"),
    ],
)
def test_words_of_a_kind_are_heard(text: str, kind: str) -> None:
    assert kind in kinds(text, "kitchen")


@pytest.mark.parametrize(
    ("act", "own"),
    [
        (("accept", "p1"), "affirmative, gaffer"),
        (("decline", "p1"), "veto, gaffer"),
        (("done", "s3"), "sorted, gaffer"),
        (("resume", "Rover"), "unfreeze, gaffer"),
    ],
)
def test_a_sure_network_is_not_believed_without_one(act: tuple[str, str], own: str) -> None:
    now = moment("garden", stopped=True)
    ear = everyday_with(StubNetwork({act: 1.0}))
    heard = ear.listen("purple", now)
    assert (heard.acts, [one.kind for one in heard.held_back]) == ((), [act[0]])
    assert [one.kind for one in ear.listen(own, now).acts] == [act[0]]
    stop = everyday_with(StubNetwork({("stop", "Rover"): 1.0}))
    assert [one.kind for one in stop.listen("purple", now).acts] == ["stop"]


def test_what_only_tells_where_a_thing_is_is_not_ordered() -> None:
    for text in ("fetch the crate next to crate 17", "inspect the box behind crate 17"):
        assert not kinds(text, "warehouse") & MOVE, text
    text = "Hauler, fetch that crate 17 next to the label printer for me would you"
    assert "request" in kinds(text, "warehouse")


def test_a_thing_that_is_said_as_a_verb_is_not_ordered() -> None:
    assert not kinds("blanket the moon", "ward") & MOVE
    assert not kinds("and also pepper the popcorn", "kitchen") & MOVE
