"""Which of the scored acts are heard, and with which words."""

from __future__ import annotations

from collections.abc import Callable, Mapping

import pytest

from experiments.hearing.phrases import Act, meaning
from tests.hearing.moments import everyday, moment
from tests.hearing.stub_network import Given, StubNetwork, two_proposals
from treec.team.talk import TalkContext
from treec_hearing.choice import POSSIBLE, STRICT
from treec_hearing.heard import CONFIDENT, GUARDED, LIKELY, NEVER, SCORED_KINDS, FoundAct

MOW: Act = ("request", None, "mow", (("item", "lawn"),), False)
ROVER_MOWS: Act = ("request", "Rover", "mow", (("item", "lawn"),), False)
ROVER_MOWS_ROSES: Act = ("request", "Rover", "mow", (("item", "roses"),), False)
ROVER_MOWS_ANYTHING: Act = ("request", "Rover", "mow", (), False)


def calm(kind: str, word: int) -> float:
    """What an order or answer needs where no guard is near."""
    return CONFIDENT


def chosen(
    text: str,
    likely: Mapping[Act, Given],
    now: TalkContext | None = None,
    needed: Callable[[str, int], float] = calm,
) -> list[FoundAct]:
    ear = everyday()
    mentions = ear.mentions(text, now or two_proposals())
    return StubNetwork(likely).choose(mentions, text, ear.joins, needed)


def acts(
    text: str, likely: Mapping[Act, Given], needed: Callable[[str, int], float] = calm
) -> set[Act]:
    found = chosen(text, likely, None, needed)
    return {*meaning([{**act.fields, "kind": act.kind} for act in found])}


def quotes(text: str, likely: Mapping[Act, Given]) -> dict[str, str]:
    return {act.kind: text[act.start : act.end] for act in chosen(text, likely)}


def test_where_nothing_is_likely_there_is_no_act() -> None:
    assert chosen("bla bla", {}) == []
    assert chosen("bla bla", {("ask",): LIKELY - 0.01}) == []


ONE_OF_EACH: tuple[tuple[str, Act], ...] = (
    ("yes", ("accept", "p1")),
    ("no", ("decline", "p1")),
    ("mow the lawn", MOW),
    ("did it", ("done", "s3")),
    ("forget it", ("drop", "s3")),
    ("stop", ("stop", None)),
    ("go on", ("resume", None)),
    ("evening", ("choose", "Evening Round")),
    ("what is left", ("ask",)),
)
CAREFUL = [one for one in ONE_OF_EACH if one[1][0] in STRICT]
OTHERS = [one for one in ONE_OF_EACH if one[1][0] not in STRICT]


def test_each_kind_that_a_network_scores_is_tried() -> None:
    assert {str(act[0]) for _, act in ONE_OF_EACH} == SCORED_KINDS
    assert {"accept", "request", "stop"} <= STRICT
    assert POSSIBLE < LIKELY < CONFIDENT < GUARDED < 1 < NEVER


@pytest.mark.parametrize(("text", "act"), CAREFUL)
def test_a_yes_an_order_and_a_stop_must_be_surer_than_the_rest(text: str, act: Act) -> None:
    assert acts(text, {act: CONFIDENT - 0.01}) == set()
    assert acts(text, {act: CONFIDENT}) == {act}


@pytest.mark.parametrize(("text", "act"), OTHERS)
@pytest.mark.parametrize("level", [CONFIDENT, GUARDED])
def test_any_other_act_must_be_likelier_than_not(text: str, act: Act, level: float) -> None:
    assert acts(text, {act: LIKELY - 0.01}, lambda kind, at: level) == set()
    assert acts(text, {act: LIKELY}, lambda kind, at: level) == {act}


def test_beside_a_firm_guard_no_recipe_is_chosen_and_the_rest_is_heard() -> None:
    for text, act in OTHERS:
        found = acts(text, {act: 0.99}, lambda kind, at: NEVER)
        assert found == (set() if act[0] == "choose" else {act})


@pytest.mark.parametrize(("text", "act"), [one for one in CAREFUL if one[1][0] != "stop"])
def test_beside_a_guard_a_yes_and_an_order_must_be_surer_still(text: str, act: Act) -> None:
    assert acts(text, {act: GUARDED - 0.01}, lambda kind, at: GUARDED) == set()
    assert acts(text, {act: GUARDED}, lambda kind, at: GUARDED) == {act}


def test_a_stop_needs_no_more_beside_a_guard() -> None:
    assert acts("stop", {("stop", None): CONFIDENT}, lambda kind, at: GUARDED) == {("stop", None)}


@pytest.mark.parametrize(("text", "act"), CAREFUL)
def test_beside_a_firm_guard_there_is_no_yes_no_order_and_no_stop(text: str, act: Act) -> None:
    assert acts(text, {act: 1.0}, lambda kind, at: NEVER) == set()


def test_what_an_act_needs_is_told_by_the_word_that_it_rests_on() -> None:
    likely: dict[Act, Given] = {("accept", "p1"): (0.7, 0, 0), ("accept", "p2"): (0.7, 0, 3)}
    said = acts("water, okay, mow, okay", likely, lambda kind, at: NEVER if at < 2 else CONFIDENT)
    assert said == {("accept", "p2")}


def test_of_a_yes_and_a_no_to_a_proposal_the_likelier_is_heard_and_the_other_told() -> None:
    said: dict[Act, Given] = {("accept", "p1"): 0.7, ("decline", "p1"): 0.9}
    (no,) = chosen("well", said)
    assert (no.kind, no.likely) == ("decline", 0.9)
    assert [(other.kind, other.likely) for other in no.others] == [("accept", 0.7)]


@pytest.mark.parametrize(("likely", "told"), [(POSSIBLE, 1), (POSSIBLE - 0.01, 0)])
def test_what_is_hardly_possible_is_not_told(likely: float, told: int) -> None:
    (yes,) = chosen("well", {("accept", "p1"): 0.9, ("decline", "p1"): likely})
    assert len(yes.others) == told


def test_a_yes_to_one_and_a_no_to_the_other_are_both_heard() -> None:
    both: dict[Act, Given] = {("accept", "p1"): 0.9, ("decline", "p2"): 0.9}
    assert acts("the first, not the second", both) == {("accept", "p1"), ("decline", "p2")}


def test_work_is_done_or_dropped_and_not_both() -> None:
    (done,) = chosen("well", {("done", "s3"): 0.9, ("drop", "s3"): 0.8})
    assert done.kind == "done"
    assert [other.kind for other in done.others] == ["drop"]


def test_an_order_is_to_one_agent() -> None:
    (order,) = chosen("Rover, mow the lawn", {ROVER_MOWS: 0.9, MOW: 0.8})
    assert order.fields["agent"] == "Rover"
    assert [other.fields["agent"] for other in order.others] == [None]


def test_an_order_with_a_thing_rules_out_the_same_without() -> None:
    likely: dict[Act, Given] = {ROVER_MOWS: 0.9, ROVER_MOWS_ANYTHING: 0.8, ROVER_MOWS_ROSES: 0.7}
    found = chosen("Rover, mow the lawn and the roses", likely)
    assert [act.fields["args"] for act in found] == [{"item": "lawn"}, {"item": "roses"}]


@pytest.mark.parametrize("kinds", [("ask",), ("choose",)])
def test_one_recipe_is_chosen_and_one_question_asked(kinds: tuple[str, ...]) -> None:
    likely: dict[Act, Given] = {
        ("choose", "Evening Round"): 0.9,
        ("choose", None): 0.8,
        ("ask",): 0.7,
    }
    found = [act for act in chosen("evening?", likely) if act.kind in kinds]
    assert len(found) == 1


@pytest.mark.parametrize("first", [False, True])
def test_an_order_comes_first_where_the_network_says_so(first: bool) -> None:
    (order,) = chosen("mow the lawn", {MOW: (0.9, 0.51 if first else 0.5, 0)})
    assert order.fields["first"] is first


def test_yeses_in_the_same_words_are_one_act() -> None:
    (yes,) = chosen("sure, both", {("accept", "p2"): (0.9, 0, 0), ("accept", "p1"): (0.7, 0, 0)})
    assert yes.fields == {"proposals": ["p1", "p2"]}
    assert yes.likely == 0.7
    (done,) = chosen("all done", {("done", "s3"): 0.8, ("done", "s2"): 0.9})
    assert done.fields == {"subtasks": ["s2", "s3"]}


def test_yeses_in_different_words_are_two_acts_in_the_order_of_their_words() -> None:
    text = "water, okay, and the other one, okay"
    found = chosen(text, {("accept", "p1"): (0.7, 0, 0), ("accept", "p2"): (0.9, 0, 5)})
    assert [act.fields["proposals"] for act in found] == [["p1"], ["p2"]]
    assert [act.start for act in found] == sorted(act.start for act in found)


def test_what_else_joined_yeses_might_be_is_told_of_each() -> None:
    likely: dict[Act, Given] = {
        ("accept", "p1"): 0.9,
        ("accept", "p2"): 0.9,
        ("decline", "p1"): 0.3,
        ("decline", "p2"): 0.3,
    }
    (yes,) = chosen("sure", likely)
    told = [other.fields["proposals"] for other in yes.others]
    assert sorted(told, key=str) == [["p1"], ["p2"]]


def test_an_act_quotes_the_clause_that_it_rests_on() -> None:
    text = "Lovely weather. I would be delighted, and thank you, dear"
    assert quotes(text, {("decline", "p1"): (0.9, 0, 4)}) == {"decline": "I would be delighted"}
    assert quotes(text, {("ask",): (0.9, 0, 0)}) == {"ask": "Lovely weather"}


def test_an_act_quotes_the_clauses_of_its_sentence_that_name_what_it_is_about() -> None:
    text = "Rover, be so kind and mow the lawn. It is a lovely lawn."
    likely: dict[Act, Given] = {ROVER_MOWS: (0.9, 0, 3)}
    assert quotes(text, likely) == {"request": "Rover, be so kind and mow the lawn"}


def test_a_likely_act_says_how_likely_and_that_no_template_explains_it() -> None:
    (yes,) = chosen("sure", {("accept", "p1"): 0.83})
    assert (yes.template, yes.likely, yes.wild) == ("", 0.83, 0)


def test_what_the_moment_does_not_have_is_never_chosen() -> None:
    without = moment("garden", proposals=False)
    assert chosen("sure", {("accept", "p1"): 1.0}, without) == []


def test_what_a_template_says_too_need_only_be_likely_where_no_guard_stands() -> None:
    ear, text = everyday(), "mow the lawn"
    now = two_proposals()
    mentions = ear.mentions(text, now)
    (said,) = ear.listen(text, now).acts
    order: Act = ("request", None, "mow", (("item", "lawn"),), False)
    network = StubNetwork({order: LIKELY})

    def found(level: float, *told: FoundAct) -> list[str]:
        needed = lambda kind, word: level  # noqa: E731
        return [one.kind for one in network.choose(mentions, text, ear.joins, needed, told)]

    assert found(CONFIDENT, said) == ["request"]
    assert found(CONFIDENT) == []
    assert found(GUARDED, said) == []


def test_work_that_the_same_words_want_done_is_not_reported() -> None:
    likely: dict[Act, Given] = {("accept", "p1"): 0.9, ("done", "s1"): 0.8}
    assert acts("finished, Rover can water", likely) == {("accept", "p1")}
    likely["done", "s1"] = 0.95
    assert acts("finished, Rover can water", likely) == {("done", "s1")}
