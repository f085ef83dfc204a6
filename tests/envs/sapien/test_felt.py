"""Where cameras alone tell where things are, a robot feels its own hand and hears what falls."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest

from tests.envs.sapien.scenes import kitchen
from tests.envs.sapien.test_sense import grip, move
from treec import EnvironmentSetup, Sensor
from treec_sapien.environment import SapienKitchen
from treec_sapien.sense.felt import felt, seen_fact
from treec_sapien.sense.location import at
from treec_sapien.sense.unsensed import UNSENSED

AT = Sensor("at", "treec_sapien.sense.location:at", (("apple",),), ("table", "oven", "R1"))


@pytest.fixture
def k(monkeypatch: pytest.MonkeyPatch) -> SapienKitchen:
    found = kitchen(sensors=(AT,))
    found._seen = "at"
    return found


def believed(k: SapienKitchen, where: str | None) -> Any:
    """What is felt of the apple while it is believed to be somewhere."""
    host = SimpleNamespace(evaluate=lambda text, values: where)
    setup: Any = SimpleNamespace(host=host, objects=k.setup.objects)
    view: Any = SimpleNamespace(
        setup=setup, hands=k.hands, promised=k.promised, bodies=k.bodies, contacts=k.contacts
    )
    return felt(view, AT, "apple", true=at(k, AT, "apple"))


def test_where_a_thing_stands_is_not_sensed(k: SapienKitchen) -> None:
    assert k.sense() == ()
    assert believed(k, "oven") is UNSENSED


def test_what_is_not_in_the_hand_any_more_is_nobody_knows_where(k: SapienKitchen) -> None:
    assert believed(k, "R1") is None
    k.promised = {"apple"}  # the order that let go of it has ended well
    assert believed(k, "R1") is UNSENSED


def test_a_hand_feels_what_it_holds(k: SapienKitchen) -> None:
    grip(k)
    assert [it.value for it in k.sense()] == ["R1"]


def test_what_falls_to_the_floor_is_heard(k: SapienKitchen) -> None:
    move(k, "apple", [1.6, 1.2, 0.05])
    assert [it.source for it in k.sense()] == ["unknown"]


@pytest.mark.parametrize(
    ("see", "fact", "seen"), [(True, "at", "at"), (True, "hot", None), (False, "at", None)]
)
def test_only_a_fact_of_the_localizer_with_a_value_is_seen(
    see: bool, fact: str, seen: str | None
) -> None:
    localizer = SimpleNamespace(model=SimpleNamespace(fact=fact))
    facts = {"at": SimpleNamespace(value="Place"), "hot": SimpleNamespace(value=None)}
    view: Any = SimpleNamespace(used=lambda kind: localizer, facts=facts)
    assert seen_fact(EnvironmentSetup("sapien", "small", {}, {}, view=view, see=see)) == seen
