"""The model of what is likely meant by the words."""

from __future__ import annotations

import json

import pytest

from tests.talk.corpus import KINDS, moment
from tests.talk.train import fit, samples
from treec.skills.kitchen.hearing.kind_model import WEIGHTS, features, likelihoods, state
from treec.skills.kitchen.hearing.reader import Reader


def chances(text: str, where: str) -> dict[str, float]:
    context = moment(where)
    return likelihoods(Reader(context).chunks(text), context)


@pytest.mark.parametrize(
    ("text", "where", "kind"),
    [
        ("that suits me fine", "salad_start", "accept"),
        ("everybody freeze right now", "salad_busy", "stop"),
        ("you may continue your work", "soup_arm_stopped", "resume"),
        ("my cousin plays the trombone", "salad_busy", "remark"),
    ],
)
def test_the_likeliest_kind(text: str, where: str, kind: str) -> None:
    found = chances(text, where)
    assert max(found, key=lambda name: found[name]) == kind


def test_every_kind_has_a_chance() -> None:
    found = chances("hello", "salad_start")
    assert set(found) == set(KINDS)
    assert all(0 <= value <= 1 for value in found.values())


def test_things_and_agents_count_by_their_kind() -> None:
    context = moment("salad_start")
    reader = Reader(context)
    one = features(reader.chunks("R2 gets pepper"), context)
    assert one == features(reader.chunks("R2 gets ranch sauce"), context) | {"R:thing proposed"}
    assert "R:agent proposed" not in features(reader.chunks("R1 gets pepper"), context)
    assert {"A", "O", "A_*_O"} <= one


@pytest.mark.parametrize(
    ("where", "word"),
    [("nothing_chosen", "menu"), ("dish_offered", "offered"), ("soup_arm_stopped", "S")],
)
def test_the_moment_is_told(where: str, word: str) -> None:
    assert word in state(moment(where))


def test_nothing_said_is_bounded() -> None:
    assert sum(chances("", "salad_start").values()) >= 0
    long = features(Reader(moment("salad_start")).chunks("so " * 900), moment("salad_start"))
    assert len(long) < 400


@pytest.mark.thorough
def test_the_weights_are_those_of_the_open_half() -> None:
    """Fitted anew they are the same, but for what another processor rounds otherwise."""
    kept = json.loads(WEIGHTS.read_text(encoding="utf-8"))
    made = fit(samples())
    assert made["kinds"] == kept["kinds"]
    weights = made["weights"]
    assert isinstance(weights, dict)
    apart = [
        name
        for name in weights.keys() | kept["weights"].keys()
        for a, b in zip(
            weights.get(name, [0] * 10), kept["weights"].get(name, [0] * 10), strict=True
        )
        if abs(a - b) > 1
    ]
    assert not apart
