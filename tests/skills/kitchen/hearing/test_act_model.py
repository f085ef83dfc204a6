"""How likely single acts are: signs, weights, and which go together."""

from __future__ import annotations

import pytest

from tests.talk.corpus import moment
from treec.skills.kitchen.hearing import act_model
from treec.skills.kitchen.hearing.act_features import SIZE, ActFeatures, words
from treec.skills.kitchen.hearing.act_model import CLEAR, likeliest, odds, pack
from treec.skills.kitchen.hearing.reader import Reader
from treec.skills.kitchen.hearing.single_acts import possible


def heard(text: str, where: str) -> Reader:
    reader = Reader(moment(where))
    reader.read(text)
    return reader


def test_names_stand_by_what_they_name_and_words_by_their_kind() -> None:
    line = words(heard("R2, get the salt!", "salad_busy").heard)
    assert [word for word, _, _ in line] == ["A", ",", "get", "O", "."][: len(line)]
    assert line[2][1] == "COOK/base"


def test_the_same_words_about_other_things_have_the_same_signs() -> None:
    """No thing is known by its name: what is learned of one kitchen holds in another."""
    found = []
    for text in ("no sauce, please", "no spaghetti, please"):
        reader = heard(text, "pasta_begin")
        every = possible(reader.heard, reader.refs, [])
        signs = ActFeatures(reader.heard, "open")
        found.append({one.single: signs.of(one) for one in every if one.single == ("remark",)})
    assert found[0] == found[1]


def test_a_mark_tells_one_proposal_from_the_other() -> None:
    reader = heard("stir yes, sauce no", "pasta_late")
    every = {one.single: one for one in possible(reader.heard, reader.refs, [])}
    signs = ActFeatures(reader.heard, "open")
    assert signs.of(every[("accept", "p11")]) != signs.of(every[("accept", "p12")])


def test_numbers_of_signs_do_not_depend_on_the_process() -> None:
    reader = heard("well", "pasta_late")
    one = next(o for o in possible(reader.heard, reader.refs, []) if o.single == ("ask",))
    assert max(ActFeatures(reader.heard, "open").of(one)) < SIZE
    assert tuple(sorted(ActFeatures(reader.heard, "open").of(one))[:2]) == SIGNS_OF_WELL


SIGNS_OF_WELL = (245201, 328584)


@pytest.mark.parametrize(
    ("text", "where", "expected"),
    [
        ("stir y, sauce n", "pasta_late", {("accept", "p11"), ("decline", "p12")}),
        ("already did the cheese", "pasta_three_open", {("done", "grate cheese")}),
        ("the weather is lovely today", "pasta_late", {("remark",)}),
    ],
)
def test_plain_phrases_are_likeliest_what_they_say(
    text: str, where: str, expected: set[object]
) -> None:
    reader = heard(text, where)
    assert likeliest(odds(reader.heard, reader.refs, [])) == expected


def test_odds_end_where_nothing_is_clearer() -> None:
    reader = heard("yes please, both", "pasta_late")
    found = odds(reader.heard, reader.refs, [])
    assert max(found.values()) <= CLEAR
    assert min(found.values()) >= -CLEAR


def test_of_a_yes_and_a_no_to_one_proposal_the_likelier_is_meant() -> None:
    assert likeliest({("accept", "p1"): 1.0, ("decline", "p1"): 2.0}) == {("decline", "p1")}


def test_one_dish_is_chosen_and_one_agent_does_one_thing() -> None:
    args = (("item", "salt"),)
    one, other = ("request", "R1", "get", args, False), ("request", None, "get", args, False)
    chances = {("choose", "Sundae"): 1.0, ("choose", None): 0.5, one: 2.0, other: 1.0}
    assert likeliest(chances) == {("choose", "Sundae"), one}


def test_where_nothing_is_likely_the_likeliest_is_meant() -> None:
    assert likeliest({("ask",): -3.0, ("remark",): -2.0}) == {("remark",)}


def test_weights_are_kept_in_a_byte_each(tmp_path: object, monkeypatch: pytest.MonkeyPatch) -> None:
    weights = [0] * SIZE
    weights[5] = -127
    raw = pack(weights, 12, -2.345)
    assert len(raw) < 10_000

    class File:
        name = "x"

        def read_bytes(self) -> bytes:
            return raw

    monkeypatch.setattr(act_model, "WEIGHTS", File())
    act_model._model.cache_clear()
    scale, bias, found = act_model._model()
    act_model._model.cache_clear()
    assert (scale, bias, found[5], len(found)) == (12, -2.35, -127, SIZE)
