"""What a look makes of where things are: facts with a camera, an uncertainty and an age."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import Any

import numpy as np
import pytest

from tests.perception.support import OVERHEAD, THINGS, camera, kitchen, layout
from treec import Effect, Evidence
from treec.world.facts import FactKind, Facts, FactValue
from treec_perception.beliefs import Belief, Beliefs, Sighting
from treec_perception.files import CameraFile
from treec_perception.localizer_query import movable, size_of
from treec_perception.look_through import sees_through
from treec_perception.map_places import map_places, place_at
from treec_perception.simulated import SimulatedCamera, StartStage
from treec_sapien.bodies.pose import Vector
from treec_sapien.bodies.scene import read
from treec_sapien.view.start_picture import AtStart

pytestmark = pytest.mark.needs_system("mosaic")


@cache
def places() -> list[str]:
    return [name for name, it in kitchen().scene.model.objects.items() if it.type == "Place"]


def beliefs(fact: str = "at") -> Beliefs:
    localizer = kitchen().view.all("localizer")["kitchen_eyes"].model
    return Beliefs(kitchen().view, localizer.model_copy(update={"fact": fact}))


def facts(
    at: Mapping[str, str | None], source: str = "sensed", evidence: Evidence | None = None
) -> Facts:
    values = {
        ("at", (name,)): FactValue(place, source if place else "unknown", 0.0, "s1", evidence)  # type: ignore[arg-type]
        for name, place in at.items()
    }
    return Facts([FactKind("at", ("Item",), "Place")], values)


def middle(thing: str) -> Vector:
    body = kitchen().layout.bodies[thing]
    return body.pose.apply((0.0, 0.0, size_of(body.body)[2] / 2))


def test_each_thing_of_the_kitchen_is_seen_at_its_place() -> None:
    eyes = kitchen()
    known = map_places(eyes.layout, places())
    wrong = {}
    for thing in movable(eyes.layout):
        size = size_of(eyes.layout.bodies[thing].body)
        found = place_at(known, middle(thing), size, None)
        if (found and found.name) != eyes.scene.model.objects[thing].facts["at"]:
            wrong[thing] = found
    assert wrong == {}


def test_at_the_edge_of_a_place_a_thing_stays_where_it_was_believed_to_be() -> None:
    known = map_places(kitchen().layout, places())
    beside = (0.0, -0.1 - 0.55 - 0.05, 0.8)  # 5 cm beyond the table's front
    assert place_at(known, beside, (0.05, 0.05, 0.1), None) is None
    found = place_at(known, beside, (0.05, 0.05, 0.1), "table")
    assert found is not None
    assert found.name == "table"


def test_a_head_turns_to_where_a_thing_was_seen_last_else_along_its_place_else_to_all() -> None:
    own = beliefs()
    first = own.believe("lettuce", facts({"lettuce": "table"}, "scene"))
    assert first.middle is not None
    assert np.allclose(first.middle, middle("lettuce"))
    moved = own.believe("lettuce", facts({"lettuce": "pantry"}))
    assert moved.middle is None
    assert len(moved.aims) == 3, "along the middle one of three boards"
    assert {round(z, 2) for _, _, z in moved.aims} == {0.7}
    unknown = own.believe("lettuce", facts({"lettuce": None}))
    assert unknown.place is None
    assert len(unknown.aims) == 10, "the middles of five places and of a hand first"
    (effect,), _ = own.learn("lettuce", moved, Sighting((2.45, 0.55, 1.0), ("head",)))
    seen = facts({"lettuce": "pantry"}, evidence=effect.evidence)
    assert own.believe("lettuce", seen).aims == ((2.45, 0.55, 1.0),)
    assert beliefs().believe("lettuce", seen).middle == (2.45, 0.55, 1.0), "also once resumed"
    back = own.believe("lettuce", facts({"lettuce": "pantry"}, "expected"))
    assert back.middle is None, "it was carried away and back: where it was seen it need not be"
    held = own.believe("lettuce", facts({"lettuce": "user"}, evidence=effect.evidence))
    assert (held.middle, held.aims) == (None, ((2.45, 0.55, 1.0),)), "a hand moves"


def test_what_a_fact_without_places_saw_counts_until_the_place_is_set_again() -> None:
    kinds = [FactKind("at", ("Item",), "Place"), FactKind("hot", ("Item",))]
    point = (2.45, 0.55, 1.0)
    for since, middle in ((2.0, point), (0.5, None)):
        values = {
            ("at", ("lettuce",)): FactValue("pantry", "expected", 1.0, "s1"),
            ("hot", ("lettuce",)): FactValue(
                True, "sensed", since, "s2", Evidence("a", point=point)
            ),
        }
        assert beliefs("hot").believe("lettuce", Facts(kinds, values)).middle == middle


ON_TABLE = Belief("table", (0.1, 0.2, 0.8), ((0.1, 0.2, 0.8),))
IN_PANTRY: Vector = (2.45, 0.55, 1.03)


@pytest.mark.parametrize(
    ("sight", "value", "record"),
    [
        (Sighting((0.1, 0.2, 0.8), ("a",), 0.004, 60.0), "table", {"place": "table"}),
        (
            Sighting((0.4, 0.2, 0.8), ("a",), 0.004, 60.0),
            "table",
            {"place": "table", "moved": 0.3},
        ),
        (
            Sighting(IN_PANTRY, ("a",), 0.004, 60.0),
            "pantry",
            {
                "place": "pantry",
                "moved": 2.387,
                "says": "The lettuce is not at the table any more: it is at the pantry.",
            },
        ),
        (Sighting(IN_PANTRY, ("a",), 0.004, 60.0, is_sure=False), None, {}),
        (Sighting((0.1, 0.2, 1.6), ("a",), 0.004, 60.0), None, {}),  # in the air
        (Sighting(None), None, {}),  # not found: it may be hidden
    ],
)
def test_what_a_look_makes_of_a_belief(
    sight: Sighting, value: str | None, record: dict[str, Any]
) -> None:
    effects, learned = beliefs().learn("lettuce", ON_TABLE, sight)
    assert learned == record
    seen = Effect(
        "at", ("lettuce",), value, "sensed", Evidence("a", 0.004, 60.0, sight.middle or ())
    )
    assert effects == (() if value is None else (seen,))


def test_what_a_camera_sees_through_is_gone() -> None:
    gone = Sighting(None, through=("table_near",))
    effects, record = beliefs().learn("lettuce", ON_TABLE, gone)
    assert effects == (Effect("at", ("lettuce",), None, "unknown"),)
    assert record == {"gone": ["table_near"], "says": "The lettuce is not at the table any more."}


def test_what_is_seen_in_somebodys_hand_stays_there() -> None:
    held = Belief("user", None, ())
    effects, _ = beliefs().learn("lettuce", held, Sighting((0.1, 0.2, 1.3), ("a",)))
    assert [it.value for it in effects] == ["user"]


@pytest.mark.parametrize(
    ("where", "through"),
    [("soup", False), ("apple", False), ((0.15, 0.1, 0.8), True), ((9.0, 0.0, 0.8), False)],
)
def test_a_camera_sees_through_a_place_where_nothing_stands(
    where: str | Vector, through: bool
) -> None:
    picture = camera(noise={}).take(1)
    size = (0.07, 0.07, 0.1)
    if isinstance(where, str):
        x, y, z = layout().bodies[where].pose.p
        size = size_of(layout().bodies[where].body)
        where = x, y, z + size[2] / 2
    assert sees_through(picture, where, size) is through


@pytest.mark.parametrize(
    ("body", "size", "eye", "through"),
    [
        ({"kind": "bowl", "diameter": 0.2, "height": 0.08}, (0.2, 0.2, 0.08), -0.5, False),
        ({"kind": "cup", "diameter": 0.05, "height": 0.16}, (0.05, 0.05, 0.16), -0.05, False),
        (None, (0.05, 0.05, 0.16), -0.5, True),
    ],
)
def test_who_looks_into_a_thing_does_not_see_through_it(
    body: dict[str, Any] | None, size: Vector, eye: float, through: bool
) -> None:
    """The bottom of a bowl is behind its middle: it was said to be gone."""
    things: dict[str, Any] = {"table": THINGS["table"]}
    if body is not None:
        things["it"] = {"pose": [0.0, 0.0, 0.75], "body": body}
    pose = {"eye": [0.0, eye, 1.3], "looks_at": [0.0, 0.0, 0.8]}
    spec = CameraFile.model_validate({**OVERHEAD, "pose": pose})
    picture = SimulatedCamera(spec, StartStage(AtStart(read(things), {}))).take(1)
    middle = (0.0, 0.0, 0.75 + size[2] / 2)
    assert sees_through(picture, middle, size, hollow=True) is through


def test_what_is_hidden_is_not_seen_through() -> None:
    """Behind the milk nothing is known."""
    eye = np.array(OVERHEAD["pose"]["eye"])  # type: ignore[index]
    milk = np.array([0.3, 0.1, 0.85])
    behind = milk + 0.12 * (milk - eye) / np.linalg.norm(milk - eye)
    x, y, z = (float(it) for it in behind)
    assert not sees_through(camera().take(1), (x, y, z), (0.02, 0.02, 0.02))


@pytest.mark.parametrize(("off", "seen"), [(0.01, 0.0), (-0.012, 0.0), (0.05, 0.05)])
def test_what_stands_on_a_board_is_as_high_as_that(off: float, seen: float) -> None:
    x, y, z = middle("bread")
    found = beliefs().level("bread", (x, y, z + off))
    assert found == pytest.approx((x, y, z + seen))
    assert beliefs().level("no_thing", (x, y, z + off)) == (x, y, z + off)
