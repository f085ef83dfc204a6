"""Negated, conditional and reported speech is never an order, a yes or a stop, in any domain."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.hearing.moments import DOMAINS, everyday, everyday_and_network, moment

ORDERS = {"request", "accept", "resume", "choose", "stop"}
FRAMES = (
    *("don't {one} the {thing}", "do not {one} {thing}", "please don't {one} the {thing}"),
    *("never {one} the {thing}", "{robot} must not {one} the {thing}"),
    *("{robot} should not {one} the {thing}", "{robot}, don't {one} the {thing}"),
    *("nobody should {one} the {thing}", "no one needs to {one} the {thing}"),
    *("leave the {second} alone", "leave the {thing} where it is", "hands off the {thing}"),
    *("if it rains, {one} the {thing}", "{one} the {thing} if you like it"),
    *("{robot} should {one} the {thing} unless I call", "when I call, {one} the {thing}"),
    *("if {robot} can, {other} the {second}", "{one} the {thing} only after I say so"),
    *("she said {one} the {thing}", "he told {robot} to {one} the {thing}"),
    *("the label says: {one} the {thing}", "the sign reads '{robot}, {one} the {thing}'"),
    *("my boss asked {robot} to {one} the {thing}", "I heard: {other} the {second}"),
    *("yesterday I told {robot} to {one} the {thing}", "I would {one} the {thing} myself"),
    *("why would {robot} {one} the {thing}", "what happens if I {one} the {thing}"),
    *("I used to {one} the {thing}", "it would be wrong to {one} the {thing}"),
    *("yes, if you were me", "yes but only if it rains", "no, she said yes"),
    *("yes was not what I said", "if only I could say yes", "they said yes"),
    *("he said go on", "I thought {robot} was to {one} the {thing}"),
    *("without the {thing}, {other} the {second}", "instead of that, never {other} the {second}"),
    *("maybe {one} the {thing} or maybe not", "did I say {one} the {thing}?"),
    *("we can't {one} the {thing}", "{robot} can't {one} the {thing}"),
    *("you shouldn't {one} the {thing}", "I won't {one} the {thing}"),
    *("{one} the {thing} is what she wrote", "it was wrong to {one} the {thing}"),
    *("stop signs are red", "the song is called stop in the name of love"),
    *("do you remember when {robot} used to {one} the {thing}", "not the {thing}"),
    *("nothing is to be done before I {one} the {thing}", "who told you to {one} the {thing}?"),
    *("until I call nobody is to {one} the {thing}", "because of you I had to {one} the {thing}"),
    *("{one} nothing", "{other} no {second}", "forget what I said: {one} the {thing}, she said"),
    *("could it be that {robot} has to {one} the {thing}", "is {robot} to {one} the {thing}?"),
    *("should {robot} {one} the {thing}?", "should I {one} the {thing}?"),
    *("a robot that can {one} the {thing} is rare", "what a pity, I had to {one} the {thing}"),
    *("how do I {one} the {thing}", "tell me when to {one} the {thing}"),
    *("{robot} was about to {one} the {thing}", "we never {one} the {thing} on Sundays"),
    *("the manual says to {one} the {thing}", "no {thing} today, thank you"),
    *("not now, {one} nothing", "who would {one} the {thing} at night?"),
    *("don't you {one} the {thing}", "under no circumstances {one} the {thing}"),
    *("perhaps somebody might {one} the {thing}", "I think {robot} might {one} the {thing}"),
)


def phrases() -> Iterator[tuple[str, str]]:
    for domain, (robot, one, thing, other, second) in DOMAINS.items():
        for frame in FRAMES:
            yield (
                domain,
                frame.format(robot=robot, one=one, thing=thing, other=other, second=second),
            )


def test_there_are_300_of_them() -> None:
    assert len(set(phrases())) >= 300


@pytest.mark.few(3)
@pytest.mark.parametrize("network", [False, True], ids=["templates", "network"])
@pytest.mark.parametrize("domain", DOMAINS)
def test_none_is_an_order(domain: str, network: bool) -> None:
    ear = everyday_and_network() if network else everyday()
    wrong = {}
    for where, text in phrases():
        if where == domain:
            acts = ear(text, moment(domain))
            found = [act["kind"] for act in acts]
            if ORDERS.intersection(found):
                wrong[text] = found
    assert not wrong
