"""Every action of a household: what it changes, what the robot sees of it, and why it is refused.

`actions.txt` has a scene's things, then lines of actions, each followed by its outcome.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path

import pytest

from tests.support import golden
from treec import Effect, EnvironmentSetup
from treec_household.actions import Refused
from treec_household.environment import BadScene, Household, SeenHousehold
from treec_household.search import places_to_look, random_places

FILE = Path(__file__).with_name("actions.txt")
_THINGS = """
Fridge_1 at 0 0: encloses opens room=3
CounterTop_1 at 2 0: room=3
Shelf_1 at 9 0: room=1
Faucet_1 at 4 0: turns_on
SinkBasin_1 at 4 0: drains room=4
StoveKnob_1 at 6 0: turns_on controls=StoveBurner_2
StoveKnob_2 at 6 0: turns_on
StoveBurner_1 at 6 0: heats=stove room=1
StoveBurner_2 at 6.5 0: heats=stove room=1
Microwave_1 at 2 3: encloses opens turns_on heats=microwave room=1
Toaster_1 at 3 3: turns_on heats=toaster room=2
CoffeeMachine_1 at 4 3: turns_on brews room=1
Chair_1 at 5 3: room=1
Knife_1 in CounterTop_1: cuts
Potato_1 in Fridge_1: slices cooks dirty
PotatoSliced_1: cut_from=Potato_1 cooks
PotatoSliced_2: cut_from=Potato_1 cooks
Bread_1 in CounterTop_1: cooks toasts
Mug_1 in SinkBasin_1: fills washes dirty room=1
Pot_1 in StoveBurner_1: fills room=3
Plate_1 in Shelf_1: room=2 washes dirty
"""


def scene() -> tuple[dict[str, Mapping[str, object]], list[Effect]]:
    objects: dict[str, Mapping[str, object]] = {}
    facts = []
    for line in _THINGS.split("\n")[1:-1]:
        head, _, said = line.partition(":")
        name, *where = head.split()
        objects[name] = {"type": name.partition("_")[0]}
        if where[:1] == ["at"]:
            objects[name] = {**objects[name], "pose": [float(n) for n in where[1:]]}
        if where[:1] == ["in"]:
            facts.append(Effect("at", (name,), where[1], "scene"))
        for fact in said.split():
            key, _, value = fact.partition("=")
            held = int(value) if value.isdigit() else value or True
            facts.append(Effect(key, (name,), held, "scene"))
    return objects, facts


def household(kind: type[Household] = SeenHousehold, **options: object) -> Household:
    objects, facts = scene()
    setup = EnvironmentSetup("household", "flat", objects, {"robot": {}}, facts=tuple(facts))
    return kind(setup, **options)  # type: ignore[arg-type]


def played(home: Household, line: str) -> Iterator[str]:
    """An action, its outcome, and what the robot sees then."""
    skill, *rest = line.split()
    args: dict[str, object] = {"agent": "robot"}
    for word in rest:
        name, _, value = word.partition("=")
        args[name] = int(value) if value.isdigit() else value
    before = home.actions.steps, home.actions.walked
    try:
        home.act(skill, args)
        said = f"{home.actions.steps - before[0]} steps, {home.actions.walked - before[1]:.2f} m"
    except Refused as error:
        said = str(error)
    yield f"{line}\n  {said}"
    for effect in home.sense():
        if effect.fact != "in_reach":
            yield f"    {effect.fact} {effect.args[0]} = {effect.value!r} ({effect.source})"


def test_what_comes_of_actions() -> None:
    lines: list[str] = []
    for line in FILE.read_text("utf-8").splitlines():
        if line.startswith("# "):
            home = household(Household, partial=line == "# partial sight")
            home.sense()
            lines.append(line)
        elif line and not line.startswith(" "):
            lines += played(home, line)
    golden.check(FILE, "\n".join(lines) + "\n")


@pytest.mark.parametrize(
    ("agents", "at", "message"),
    [
        ({"a": {}, "b": {}, "p": {"is": "Person"}}, "Table_1", "a household has one robot, not 2"),
        ({"p": {"is": "Person"}}, "Table_1", "a household has one robot, not 0"),
        ({"a": {}}, "Cup_1", "Cup_1 is in itself: Cup_1"),
        ({"a": {}}, "Tabel_1", "Cup_1 is on or in Tabel_1, which is not a thing of the scene"),
    ],
)
def test_scenes_that_cannot_be(
    agents: Mapping[str, Mapping[str, object]], at: str, message: str
) -> None:
    objects = {"Table_1": {"type": "Table"}, "Cup_1": {"type": "Cup"}}
    facts = (Effect("at", ("Cup_1",), at, "scene"),)
    with pytest.raises(BadScene) as caught:
        SeenHousehold(EnvironmentSetup("household", "flat", objects, agents, facts=facts))
    assert str(caught.value) == message


def test_places_to_look() -> None:
    state = household().state
    state.robot_at = (4.0, 0.0)
    before = places_to_look(state, "Potato_1")
    assert before[:3] == ["CounterTop_1", "Fridge_1", "SinkBasin_1"]
    state.set("expected", "Potato_1", "Shelf, Toaster")
    assert places_to_look(state, "Potato_1")[:2] == ["Shelf_1", "Toaster_1"]
    state.set("expected", "Potato_1", "StoveKnob")  # no place itself: it is beside a burner
    assert places_to_look(state, "Potato_1")[0] == "StoveBurner_1"
    drawn = random_places(3)
    first, second = drawn(state, "Potato_1"), drawn(state, "Potato_1")
    assert sorted(first) == sorted(second) == sorted(before)
    assert first != second
    assert random_places(3)(state, "Potato_1") == first
