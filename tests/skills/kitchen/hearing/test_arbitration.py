"""Between the grammar's reading and the learned one."""

from __future__ import annotations

import pytest

from tests.talk.corpus import moment
from treec.skills.kitchen import talk
from treec.skills.kitchen.hearing import arbitration
from treec.skills.kitchen.hearing.arbitration import MARGIN, SAFE, arbitrate, compare
from treec.skills.kitchen.hearing.single_acts import singles
from treec.skills.kitchen.talk import read


def told(
    text: str, where: str, surer: float, monkeypatch: pytest.MonkeyPatch
) -> tuple[set[object], set[object]]:
    """What the grammar reads and what is decided, when the learned reading is surer by that."""
    found, _, reader = talk.readings(text, moment(where))
    monkeypatch.setattr(arbitration, "_weights", lambda: {"always": surer})
    own = singles(found[0].acts)
    return set(own), set(singles(arbitrate(found[0].acts, found, reader)))


TALK = ("stir y, sauce n", "pasta_late")


def test_what_sets_going_needs_more_than_what_does_not(monkeypatch: pytest.MonkeyPatch) -> None:
    for surer, same in ((MARGIN + 0.1, True), (SAFE - 0.1, True), (SAFE + 0.1, False)):
        own, meant = told(*TALK, surer, monkeypatch)
        assert own == {("remark",)}
        assert (own == meant) == same


@pytest.mark.parametrize("text", ["of course", "Grandma said: stop", "if R2 is free, get the salt"])
def test_fixed_sayings_and_what_others_say_are_the_grammar_s(
    text: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    own, meant = told(text, "salad_busy", 99.0, monkeypatch)
    assert own == meant


def test_every_act_quotes_words_of_the_utterance() -> None:
    for text, where in (TALK, ("R2, the cheese. And I did the cheese already", "pasta_three_open")):
        for act in read(text, moment(where)):
            assert act["quote"]
            assert str(act["quote"]) in text


def test_what_both_read_is_weighed_from_both_sides() -> None:
    found, _, reader = talk.readings(*(TALK[0], moment(TALK[1])))
    _, (own, other), seen = compare(found[0].acts, found, reader)
    assert own != other
    assert seen["own is remark"] == 1
    assert seen["other accept"] == 1
    assert seen["better"] == pytest.approx(seen["other likely"] - seen["own likely"])


def test_kinds_that_the_reading_lacks_are_not_decided_for() -> None:
    from dataclasses import replace

    context = replace(moment(TALK[1]), acts=("remark", "ask"))
    found, _, reader = talk.readings(TALK[0], context)
    assert {act.kind for act in arbitrate(found[0].acts, found, reader)} <= {"remark", "ask"}
