"""Fitting: what is learned from a phrase, and that the same phrases give the same weights."""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import pytest
import torch

from experiments.hearing.phrases import Act, Frames, Meaning, Phrase, meaning
from experiments.hearing.training import Example, batch, example, fit, framed, joined, loss_of
from tests.hearing.fitted import SAID, few_examples, fitted
from tests.hearing.moments import everyday, moment
from tests.hearing.stub_network import act_of, everyday_with, two_proposals
from treec.team.talk import TalkContext
from treec_hearing.network import read_network

YES: Meaning = frozenset({("accept", "p1")})
NO: Meaning = frozenset({("decline", "p1")})
BOTH: Meaning = frozenset({("accept", "p1"), ("accept", "p2")})
MOW: Act = ("request", None, "mow", (("item", "lawn"),), False)
FIRST: Act = (*MOW[:-1], True)


def targets(
    text: str, readings: Sequence[Meaning], now: TalkContext | None = None
) -> list[dict[Act, bool]]:
    """For each target: the acts that are meant, and whether they come first."""
    made = example(everyday(), text, now or two_proposals(), readings)
    acts = [act_of(one) for one in made.candidates]
    return [
        {act: late for act, it, late in zip(acts, meant, first, strict=True) if it}
        for meant, first in made.targets
    ]


# One phrase


def test_the_acts_of_a_reading_are_meant_and_no_others() -> None:
    assert targets("sure", [BOTH]) == [dict.fromkeys(BOTH, False)]
    assert targets("hello", [frozenset()]) == [{}]


def test_each_reading_is_a_target() -> None:
    assert targets("well", [YES, NO, frozenset(), YES]) == [
        dict.fromkeys(YES, False),
        dict.fromkeys(NO, False),
        {},
    ]


def test_an_order_that_comes_first_is_the_same_order() -> None:
    assert targets("mow the lawn first", [frozenset({FIRST})]) == [{MOW: True}]
    assert targets("mow the lawn", [frozenset({MOW})]) == [{MOW: False}]


def test_of_readings_that_no_candidate_matches_the_nearest_are_learned() -> None:
    unknown: Act = ("request", None, "mow", (("item", "shed"),), False)
    assert targets("yes, mow the shed", [YES | {unknown}, YES]) == [dict.fromkeys(YES, False)]
    assert targets("yes, mow the shed", [YES | {unknown}]) == [dict.fromkeys(YES, False)]


# Pairs of phrases


def phrase(text: str, *readings: Meaning, now: TalkContext) -> Phrase:
    return Phrase(text, "theme", "1", text, now, readings, False)


class FewDraws(random.Random):
    """Fails after many draws, so that a loop that never ends is seen."""

    draws = 0

    def choices(self, *args: object, **kwargs: object) -> list[Phrase]:  # type: ignore[override]
        self.draws += 1
        assert self.draws < 1000, "pairs are drawn for ever"
        return super().choices(*args, **kwargs)  # type: ignore[arg-type]


def test_pairs_of_a_moment_mean_what_both_mean() -> None:
    now = two_proposals()
    stop: Meaning = frozenset({("stop", None)})
    phrases = [phrase("Yes.", YES, now=now), phrase("Halt!", stop, frozenset(), now=now)]
    made = list(joined(everyday(), phrases, 5, FewDraws(1)))
    assert len(made) == 5
    for one in made:
        acts = [act_of(it) for it in one.candidates]
        means = [
            {act for act, is_meant in zip(acts, target, strict=True) if is_meant}
            for target, _ in one.targets
        ]
        assert means == [YES | stop, {*YES}]
        assert {"yes", "halt"} <= {*one.words.words}


def test_phrases_about_the_same_proposal_are_not_joined() -> None:
    now = two_proposals()
    stop: Meaning = frozenset({("stop", None)})
    same = [phrase("yes", YES, now=now), phrase("no", NO, now=now), phrase("halt", stop, now=now)]
    for one in joined(everyday(), same, 20, FewDraws(1)):
        assert not {"yes", "no"} <= {*one.words.words}


def test_phrases_of_different_moments_are_not_joined() -> None:
    phrases = [phrase("yes", YES, now=two_proposals()), phrase("no", NO, now=two_proposals())]
    assert list(joined(everyday(), phrases, 5, FewDraws(1))) == []


def test_phrases_that_all_speak_of_the_same_are_no_pairs() -> None:
    now = two_proposals()
    same = [phrase("yes", YES, now=now), phrase("no", NO, now=now)]
    assert list(joined(everyday(), same, 5, FewDraws(1))) == []


# Orders in sentences

FRAMES = Frames(
    ("she said to {order}", "he dreams of {doing}", "{robot} and the {thing}!"),
    ("{robot}, kindly {order}", "I beg you: {order}"),
)


def orders(count: int = 60, seed: int = 1) -> list[Example]:
    moments = [moment("garden"), moment("ward", proposals=False)]
    return list(framed(everyday(), moments, FRAMES, count, random.Random(seed)))


def test_of_three_orders_in_a_sentence_one_is_meant() -> None:
    made = orders()
    unmeant = [one for one in made if one.counts is not None]
    assert len(made) == 60
    assert len(unmeant) == 40
    for one in made:
        meant = [
            act_of(it) for it, is_it in zip(one.candidates, one.targets[0][0], strict=True) if is_it
        ]
        assert len(one.targets) == 1
        assert [act[0] for act in meant] == ([] if one.counts else ["request"])


def test_from_an_order_that_is_not_meant_only_orders_and_answers_are_learned() -> None:
    (unmeant,) = {one.counts for one in orders() if one.counts is not None}
    assert unmeant == {"accept", "choose", "request", "resume", "stop"}


def test_an_order_in_a_sentence_is_to_the_robot_that_the_sentence_names() -> None:
    for one in orders():
        for it, is_meant in zip(one.candidates, one.targets[0][0], strict=True):
            if is_meant:
                assert (it.fields["agent"] is None) == ("beg" in one.words.words)


def test_an_order_in_a_sentence_has_the_verb_s_form() -> None:
    words = {word for one in orders() if "dreams" in one.words.words for word in one.words.words}
    assert words & {"watering", "mowing", "bringing", "disinfecting"}
    assert not words & {"water", "mow", "bring", "disinfect"}


def test_the_same_seed_gives_the_same_sentences() -> None:
    assert orders() == orders()
    assert orders() != orders(seed=2)


def test_a_moment_without_robots_tasks_or_things_gives_no_sentences() -> None:
    now = moment("garden")
    people = tuple(agent for agent in now.agents if agent.person)
    for bare in (replace(now, agents=people), replace(now, tasks=()), replace(now, objects=())):
        made = list(framed(everyday(), [bare], FRAMES, 10, random.Random(1)))
        assert not any(any(target) for one in made for target, _ in one.targets)


# The loss


def loss(logits: torch.Tensor, one: Example) -> float:
    return float(loss_of(logits[None], [one]))


def test_kinds_that_do_not_count_change_no_loss() -> None:
    one = example(everyday(), "she said to mow", moment("garden"), [frozenset()])
    counting = replace(one, counts=frozenset({"request"}))
    plain = torch.zeros(len(one.candidates), 2)
    for number, candidate in enumerate(one.candidates):
        sure = plain.clone()
        sure[number, 0] = 3.0
        assert loss(sure, one) > loss(plain, one)
        counts = candidate.kind == "request"
        assert (loss(sure, counting) > loss(plain, counting)) == counts


def test_the_nearest_reading_costs() -> None:
    one = example(everyday(), "well", two_proposals(), [YES, NO])
    kinds = [act_of(it) for it in one.candidates]
    logits = torch.full((len(kinds), 2), -9.0)
    costs = {}
    for name, means in (("yes", YES), ("no", NO), ("both", YES | NO), ("none", frozenset())):
        given = logits.clone()
        for number, act in enumerate(kinds):
            if act in means:
                given[number, 0] = 9.0
        costs[name] = loss(given, one)
    assert costs["yes"] == pytest.approx(costs["no"])
    assert costs["yes"] < 0.1
    assert min(costs["both"], costs["none"]) > 8


def test_whether_an_order_comes_first_costs_only_where_it_is_meant() -> None:
    for means, matters in ((frozenset({MOW}), True), (frozenset[Act](), False)):
        one = example(everyday(), "mow the lawn", two_proposals(), [means])
        number = [act_of(it) for it in one.candidates].index(MOW)
        plain, late = torch.zeros(len(one.candidates), 2), torch.zeros(len(one.candidates), 2)
        late[number, 1] = 5.0
        assert (loss(late, one) > loss(plain, one) + 1) == matters


# Fitting


@pytest.mark.thorough
def test_the_loss_falls() -> None:
    _, losses = fitted(few_examples("garden"), epochs=8)
    assert len(losses) == 8
    assert losses[-1] < losses[0] / 1.5


@pytest.mark.thorough
def test_the_same_seed_gives_the_same_file(tmp_path: Path) -> None:
    files = []
    for number, seed in enumerate((1, 1, 2)):
        path = tmp_path / f"{number}.npz"
        model, _ = fitted(few_examples("garden"), seed=seed)
        model.write(path, {"command": "python -m experiments.hearing.train"})
        files.append(path.read_bytes())
    assert files[0] == files[1]
    assert files[0] != files[2]


@pytest.mark.thorough
def test_examples_side_by_side_are_scored_as_each_by_itself() -> None:
    model, _ = fitted(few_examples("garden"))
    ear = everyday()
    made = [
        example(ear, text, now, [frozenset()])
        for text, now in (
            ("no", moment("garden", proposals=False)),
            ("Rover, mow the lawn and water the roses, would you kindly?", two_proposals()),
            ("well then", two_proposals("ward")),
        )
    ]
    with torch.no_grad():
        together = model(batch(made, model.tables, 0.0, random.Random(0)))
        for row, one in enumerate(made):
            alone = model(batch([one], model.tables, 0.0, random.Random(0)))[0]
            assert torch.allclose(together[row, : len(one.candidates)], alone, atol=1e-4)


@pytest.mark.thorough
def test_examples_without_candidates_are_passed_over() -> None:
    nothing = replace(moment("garden"), acts=("remark",))
    empty = example(everyday(), "well", nothing, [frozenset()])
    _, losses = fitted([empty, *few_examples("garden")], epochs=1)
    assert losses == fitted(few_examples("garden"), epochs=1)[1]


def test_nothing_to_fit_to_is_told() -> None:
    with pytest.raises(ValueError, match="no phrases"):
        fit([], 1, 1, lambda epoch, loss: None)


@pytest.mark.slow
def test_what_was_learned_in_three_domains_is_heard_in_a_fourth(tmp_path: Path) -> None:
    model, _ = fitted(few_examples("warehouse", "kitchen", "garden"), epochs=150)
    path = tmp_path / "three.npz"
    model.write(path, {})
    ear = everyday_with(read_network(path))
    for text, means in SAID.items():
        assert meaning(everyday()(text, moment("ward"))) == frozenset(), "no template knows it"
        assert meaning(ear(text, moment("ward"))) == means, text
