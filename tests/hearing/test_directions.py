"""Things by where they are, as the speaker sees them: poses of the scene and of looks decide."""

from __future__ import annotations

from dataclasses import replace
from types import SimpleNamespace
from typing import Any

import pytest
import yaml

from tests.hearing.test_described import kitchen
from tests.support.dialogues import play
from treec.files.places import DomainFile, ObjectSpec
from treec.world.facts import FactKind, Facts
from treec_hearing.directions import Sight, sight_of

pytestmark = pytest.mark.needs_system("mosaic")

SIGHT = Sight(
    {"tuna": (0.3, 0.0), "soup": (-0.3, 0.0), "beans": (0.0, 0.1), "milk": None},
    {"tuna": "table", "soup": "table", "beans": "table", "milk": "table"},
    "table",
    {"pot": (-0.2, 0.3), "tuna": (0.3, 0.0)},
    (0.0, 0.6),  # the speaker looks along -y: +x is on their left
    {"can": ["tuna", "soup", "beans"], "packet": ["milk"]},
)
CANS = ["tuna", "soup", "beans"]


@pytest.mark.parametrize(
    ("direction", "things", "landmark", "meant"),
    [
        ("left", CANS, "", "tuna"),
        ("right", CANS, "", "soup"),
        ("right", ["beans"], "", "beans"),
        ("nearest", CANS, "pot", "beans"),
        ("farthest", CANS, "pot", "tuna"),
        ("nearest", CANS, "moon", None),
        ("left", [*CANS, "milk"], "", None),  # nobody knows where the milk stands
        ("left", [], "", None),
        ("nearest", CANS, "tuna", "beans"),  # not the tuna itself
        ("left", ["oats"], "", None),
    ],
)
def test_poses_decide_which_one_is_meant(
    direction: str, things: list[str], landmark: str, meant: str | None
) -> None:
    assert SIGHT.choose(direction, things, landmark) == meant


def test_from_the_other_side_left_is_right() -> None:
    other = replace(SIGHT, speaker=(0.0, -0.6))
    assert other.choose("left", CANS, "") == "soup"
    assert replace(SIGHT, speaker=None).choose("left", CANS, "") is None


def test_of_two_at_the_same_side_none_is_meant() -> None:
    close = replace(SIGHT, things={"tuna": (0.3, 0.0), "beans": (0.28, 0.1)})
    assert close.choose("left", ["tuna", "beans"], "") is None


def test_things_at_the_speakers_place_are_meant_else_those_at_one_place() -> None:
    away = replace(SIGHT, places={**SIGHT.places, "tuna": "pantry"})
    assert away.choose("left", CANS, "") == "beans"
    assert replace(away, here="shelf").choose("left", CANS, "") is None
    assert replace(SIGHT, here="shelf").choose("left", CANS, "") == "tuna"


@pytest.mark.parametrize(
    ("said", "answer"),
    [
        ("R1, pour the leftmost bottle into the bowl", "R1 will pour the water into the bowl."),
        ("R1, hand me the bottle on the left", "R1 will hand over the water."),
        ("R2, get the can on the right", "R2 will get the cocoa powder."),
        ("R1, hand me the one nearest to the pot", "R1 will hand over the bowl."),
        ("R2, get the leftmost jar", "There is no leftmost jar here."),  # two are as far left
    ],
)
def test_what_is_on_a_side_is_fetched(said: str, answer: str) -> None:
    assert answer in play([f"> {said}"], kitchen())


def test_an_interjection_is_no_side() -> None:
    assert "get the cocoa" not in play(["> Right, can R2 get the milk?"], kitchen())


def test_where_a_side_is_unclear_the_landmark_is_not_meant_instead() -> None:
    assert "bowl." not in play(["> R1, hand me the thing closest to the bowl"], kitchen())


@pytest.mark.parametrize(
    ("fact", "body"),
    [
        ("at: {args: [Item, Place]}\n  near: {args: [Person], value: Place}", "{pose: [0, 1, 0]}"),
        ("at: {args: [Item], value: Place}\n  near: {args: [Person, Place]}", "{pose: [a, 1]}"),
        ("at: {args: [Item], value: Place}\n  near: {args: []}", "{pose: []}"),
    ],
)
def test_facts_of_other_things_and_odd_poses_are_no_sides(fact: str, body: str) -> None:
    objects = {
        "dock": ObjectSpec(type="Place"),
        "box": ObjectSpec.model_validate({"type": "Item", "at": "dock"}),
    }
    domain = DomainFile.model_validate(
        yaml.safe_load(f"domain: d\ntypes: {{Item: {{}}, Place: {{}}}}\nfacts:\n  {fact}")
    )
    ann = SimpleNamespace(body=yaml.safe_load(body))
    view: Any = SimpleNamespace(facts=domain.facts, objects=objects, agents={"ann": ann})
    kinds = [FactKind(name, tuple(it.args), it.value) for name, it in domain.facts.items()]
    world = SimpleNamespace(facts=Facts(kinds))
    team: Any = SimpleNamespace(knowledge=SimpleNamespace(view=view, people=["ann"]), world=world)
    assert sight_of(team) is None
