"""A household with bodies: what the robot sees, maps, remembers, walks round, and fails to do."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
import pytest

from treec import Effect, EnvironmentSetup
from treec_household.actions import Refused
from treec_household.embodied.bodies import kinds
from treec_household.embodied.environment import EmbodiedHousehold
from treec_household.embodied.failures import FailedAction, Seen, SmallScorer, describe
from treec_household.embodied.layout import furnish
from treec_household.embodied.memory import Detection, ObjectMemory
from treec_household.embodied.navigation import Grid
from treec_household.embodied.occupancy import OccupancyMap
from treec_household.embodied.simulator import Senses
from treec_household.embodied.small_eyes import SmallEyes
from treec_household.environment import BadScene

_OBJECTS: Mapping[str, Mapping[str, object]] = {
    "Fridge_1": {"type": "Fridge"},
    "CounterTop_1": {"type": "CounterTop"},
    "Mug_1": {"type": "Mug"},
    "Apple_1": {"type": "Apple"},
}
_FACTS = {
    ("at", "Mug_1"): "CounterTop_1",
    ("at", "Apple_1"): "Fridge_1",
    ("room", "Fridge_1"): 9,
    ("room", "CounterTop_1"): 9,
    ("opens", "Fridge_1"): True,
    ("encloses", "Fridge_1"): True,
}


def household(senses: Senses | None = None, seed: int = 0, **facts: object) -> EmbodiedHousehold:
    effects = [Effect(f, (n,), v, "scene") for (f, n), v in _FACTS.items()]
    effects += [Effect(fact, ("robot",), value, "scene") for fact, value in facts.items()]
    return EmbodiedHousehold(
        EnvironmentSetup(
            "household_embodied", "s", _OBJECTS, {"robot": {}}, facts=tuple(effects), seed=seed
        ),
        senses,
    )


def put_apple_on_counter(home: EmbodiedHousehold) -> None:
    for skill, args in (
        ("look_for", {"thing": "Apple_1"}),
        ("open", {"thing": "Fridge_1"}),
        ("pickup", {"item": "Apple_1"}),
        ("place", {"item": "Apple_1", "target": "CounterTop_1"}),
    ):
        home.act(skill, args)


def test_a_thing_is_looked_for_taken_out_of_a_closet_and_put_on_a_counter() -> None:
    home = household()
    assert "Apple_1" not in home.known
    with pytest.raises(Refused, match=r"^not found: Apple_1 has not been seen"):
        home.act("pickup", {"item": "Apple_1"})
    put_apple_on_counter(home)
    assert home.state.support("Apple_1") == "CounterTop_1" == home.belief.support("Apple_1")
    assert 5 < home.actions.steps == home.simulator.steps < 60
    told = {(e.fact, e.args[0]): e.value for e in home.sense()}
    assert told["located", "Apple_1"] is True
    assert told["at", "Apple_1"] == "CounterTop_1"


def test_a_home_is_the_same_in_every_process() -> None:
    """Its fixtures came from a set of names, whose order no seed fixes: so did its rooms."""
    names = [f"CounterTop_{number}" for number in range(9)]
    counters = {name: {"type": "CounterTop"} for name in names}
    setup = EnvironmentSetup("household_embodied", "s", counters, {"robot": {}}, facts=(), seed=0)
    assert list(EmbodiedHousehold(setup).home.fixtures) == names


@pytest.mark.parametrize(
    ("depth", "odometry", "seed"),
    [(0.05, 0.01, 1), pytest.param(0.05, 0.0, 2, marks=pytest.mark.thorough)],
)
def test_it_is_also_done_with_errors_of_depth_and_odometry(
    depth: float, odometry: float, seed: int
) -> None:
    home = household(Senses(depth, odometry), seed)  # of seed 2 the door hides the apple thrice
    put_apple_on_counter(home)
    assert home.state.support("Apple_1") == "CounterTop_1"


@pytest.mark.thorough
def test_what_turns_out_to_be_something_else_is_looked_for_again() -> None:
    home = household(Senses(eyes="small"))
    for skill, thing in (("look_for", "Apple_1"), ("open", "Fridge_1")):
        home.act(skill, {"thing": thing})
    apple, counter = home.memory.find("Apple_1"), home.memory.find("CounterTop_1")
    assert apple is not None
    assert counter is not None
    apple.centroid, apple.points = counter.centroid.copy(), apple.points[:0]
    home.act("pickup", {"item": "Apple_1"})
    assert home.state.held == "Apple_1"


def test_actions_fail_as_in_ai2_thor_and_are_counted() -> None:
    home = household(Senses(most_failures=4))
    sim, image = home.simulator, home.simulator.look()
    with pytest.raises(Refused, match=r"^blocked: something is in the way$"):
        walk_on(home)
    far = np.unravel_index(np.argmax(np.where(image.ids > 0, image.depth, 0)), image.depth.shape)
    with pytest.raises(Refused, match=r"^(occluded|too far)"):
        sim.act("open", image, (int(far[0]), int(far[1])))
    with pytest.raises(Refused, match=r"^occluded: nothing"):
        sim.act("open", image, (0, 0))
    sim.pitch = -30
    with pytest.raises(Refused, match=r"looks no further up"):
        sim.move("up")
    assert sim.failures == 4
    with pytest.raises(Refused, match=r"^over: \d+ steps and 4 failures were made"):
        sim.move("left")


def walk_on(home: EmbodiedHousehold) -> None:
    for _ in range(40):
        home.simulator.move("forward")


def test_depth_and_odometry_have_the_errors_of_the_robots_file() -> None:
    exact, wrong = household(), household(depth_error=0.05, odometry_error=0.1)
    assert wrong.senses == Senses(0.05, 0.1)
    image = exact.simulator.look()
    there = np.isfinite(image.depth)
    share = wrong.robot._measured(image)[there] / image.depth[there] - 1
    assert (exact.robot._measured(image)[there] == image.depth[there]).all()
    assert 0.03 < float(np.sqrt((share**2).mean())) < 0.12
    for home in (exact, wrong):
        for _ in range(4):
            home.robot.do("left")
    assert exact.robot.heading == pytest.approx(2 * np.pi)
    assert wrong.robot.heading != pytest.approx(2 * np.pi, abs=0.01)


def test_the_map_has_obstacles_with_heights_and_ways_round_them() -> None:
    map = OccupancyMap()
    floor = np.array([(x, y, 0.0) for x in np.arange(0, 2, 0.04) for y in np.arange(-1, 1, 0.04)])
    map.add(floor)
    map.tread(0.0, 0.0)
    straight = Grid(map).ways((0, 0, 0)).steps[6, 0, 0]
    assert straight == 6
    wall = np.array([(0.75, y, z) for y in np.arange(-0.3, 0.3, 0.02) for z in (0.2, 0.7)])
    map.add(wall)
    i, j = map.cells(np.array([[0.75, 0.0]]))[0]
    assert map.height[i, j] == pytest.approx(0.7)
    assert map.obstacles[i, j]
    ways = Grid(map).ways((0, 0, 0))
    assert ways.to((6, 0, 0)).count("forward") > 6
    ceiling = np.array([(1.5, 0.0, 1.5)] * 5)
    map.add(ceiling)
    assert (6, 0, 0) in Grid(map).ways((0, 0, 0)).steps
    frontiers = list(Grid(map).frontiers(ways))
    assert (0, 0, 2) in frontiers, "nothing is known behind the robot"
    assert (0, 0, 0) not in frontiers


def test_what_was_made_gets_its_own_names_first() -> None:
    memory = ObjectMemory({"AppleSliced": ["Apple_1 piece 1", "Apple_2 piece 1"]})
    memory.expected = ["Apple_2 piece 1"]
    mask = np.ones((4, 4), np.bool_)
    found = [memory.add(Detection("AppleSliced", mask), np.full((3, 3), n)) for n in (0.0, 1.0)]
    assert [one and one.name for one in found] == ["Apple_2 piece 1", "Apple_1 piece 1"]


def test_detections_are_merged_by_their_centroids() -> None:
    memory = ObjectMemory({"Mug": ["Mug_1", "Mug_2"], "Cup": ["Cup_1"]})
    mask = np.ones((1, 1), bool)

    def see(kind: str, x: float) -> str | None:
        found = memory.add(Detection(kind, mask), np.array([(x, 0.0, 0.7)] * 3))
        return None if found is None else found.name

    memory.wanted = "Mug_2"
    assert see("Mug", 1.0) == "Mug_2"
    assert [see("Mug", 1.05), see("Mug", 1.5), see("Cup", 1.0)] == ["Mug_2", "Mug_1", "Cup_1"]
    assert see("Mug", 3.0) is None, "the home has two mugs"
    assert len(memory.instances) == 3
    memory.instances[0].within = 0.5  # put somewhere there
    assert [see("Mug", 1.45), see("Mug", 0.8), see("Mug", 0.5)] == ["Mug_1", "Mug_2", None]


@pytest.mark.parametrize("seed", [0, 1])
def test_furniture_of_every_class_finds_a_place_in_rooms_with_doorways(seed: int) -> None:
    fixtures = {f"{name}_1": name for name, kind in kinds().items() if kind.stands}
    plan = furnish({**fixtures, **{f"Cabinet_{n}": "Cabinet" for n in range(2, 28)}}, seed)
    assert len(plan.rooms) > 1
    assert len(plan.poses) == len(fixtures) + 26
    for pose in plan.poses.values():
        x, y, _ = pose.p
        assert any(x0 < x < x1 and y0 < y < y1 for x0, y0, x1, y1 in plan.rooms)


def test_a_closet_is_looked_into_from_another_side_if_its_door_hides_what_is_in_it() -> None:
    home = household(Senses(0.05))  # from where it is opened the apple cannot be seen
    home.act("look_for", {"thing": "Apple_1"})
    assert "Apple_1" in home.known


@pytest.mark.thorough
def test_eyes_of_its_own_find_things_by_class_and_read_their_states() -> None:
    home = household(Senses(eyes="small"))
    assert home.robot.eyes.__class__ is SmallEyes
    home.act("look_for", {"thing": "Apple_1"})
    apple = home.memory.find("Apple_1")
    assert apple is not None
    true = home.home.pose("Apple_1")
    assert true is not None
    home.act("open", {"thing": "Fridge_1"})
    home.act("pickup", {"item": "Apple_1"})
    assert home.state.held == "Apple_1"
    with pytest.raises(BadScene, match=r"^eyes of the robot are true or small, not 'big'"):
        household(eyes="big")


@pytest.mark.parametrize(
    ("reasons", "why"),
    [("picture", "blocked: the Fridge_1 is closed"), ("none", "failed: it did not work")],
)
def test_a_failure_is_described_from_pictures_and_never_by_the_simulator(
    reasons: str, why: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    home = household(Senses(reasons=reasons))
    for skill, args in (
        ("look_for", {"thing": "Mug_1"}),
        ("pickup", {"item": "Mug_1"}),
        ("look_for", {"thing": "Fridge_1"}),
    ):
        home.act(skill, args)

    def fail(*_: object) -> str:
        raise Refused("blocked: a secret of the simulator")

    home.robot.look()
    monkeypatch.setattr(home.simulator, "act", fail)
    with pytest.raises(Refused, match=why):
        home.act("place", {"item": "Mug_1", "target": "Fridge_1"})


def test_sentences_are_chosen_by_what_the_eyes_tell_of_both_pictures() -> None:
    def best(skill: str, far: float | None, **states: float) -> str:
        seen = Seen(far, states)
        attempt = FailedAction(skill, "Microwave", seen, seen, hand=True)
        return describe(attempt, SmallScorer())[0][1]

    assert best("open", 1.7, running=0.1) == "the Microwave is too far away to be touched"
    assert best("open", 1.0, running=0.9) == "the Microwave is running, and cannot be opened"
    assert best("open", None) == "the Microwave cannot be seen"
    assert best("open", 1.0, running=0.02) == "nothing that is seen says why"
    assert best("toggle_on", 1.0, opened=0.8) == "the Microwave is open, and cannot be turned on"


def test_few_points_above_a_floor_that_is_often_seen_are_errors_of_depth() -> None:
    exact, doubtful = OccupancyMap(), OccupancyMap(exact=False)
    points = np.array([(1.0, 0.0, 0.0)] * 20 + [(1.0, 0.0, 0.12)] * 3)
    for map, there in ((exact, True), (doubtful, False)):
        map.add(points)
        i, j = map.cells(np.array([[1.0, 0.0]]))[0]
        assert map.obstacles[i, j] == there
