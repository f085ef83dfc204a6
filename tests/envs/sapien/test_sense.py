from __future__ import annotations

import math

import pytest
import sapien

from tests.envs.sapien.scenes import OBJECTS, kitchen, sensor
from treec_sapien import state
from treec_sapien.environment import SapienKitchen
from treec_sapien.sense import doors, hands, location, posture
from treec_sapien.sense.unsensed import UNSENSED

PLACES = sensor("at", "table", "oven", "R1")
THINGS = sensor("at", *OBJECTS, "R1")


@pytest.fixture
def k() -> SapienKitchen:
    return kitchen()


def move(k: SapienKitchen, item: str, p: list[float], q: list[float] | None = None) -> None:
    """Put a thing somewhere, and let it come to rest."""
    body = k.bodies[item].links["body"]
    body.entity.pose = sapien.Pose(p, q or [1, 0, 0, 0])
    body.linear_velocity = body.angular_velocity = [0, 0, 0]
    body.wake_up()
    k.step(k.now + 1.5)
    k.forget_contacts()


def grip(k: SapienKitchen) -> None:
    """The Panda's fingers close on the apple, which is held between them until they have it."""
    robot = k.robots["R1"]
    gripper = k.hands["R1"].arm.gripper
    body = k.bodies["apple"].links["body"]
    tcp = robot.link(k.hands["R1"].arm.tcp)
    body.disable_gravity = True
    pose = tcp.entity.pose
    body.entity.pose = pose * sapien.Pose([0, 0, -0.025])  # its base's middle is below its own
    robot.drive_to(gripper.joints, gripper.targets(0.03))
    for _ in range(40):
        k.physics()
    body.disable_gravity = False
    k.step(k.now + 0.5)
    k.forget_contacts()


def test_a_thing_on_the_table(k: SapienKitchen) -> None:
    assert location.at(k, PLACES, "apple") == "table"


def test_what_stays_where_it_is_has_no_sensor(k: SapienKitchen) -> None:
    assert location.at(k, PLACES, "table") is UNSENSED
    assert location.at(k, PLACES, "user") is UNSENSED


def test_in_a_bowl_it_is_in_the_bowl_or_where_the_bowl_is(k: SapienKitchen) -> None:
    """By what the domain lets be the value: a bowl may be one, or only a place."""
    move(k, "apple", [0.0, 0.15, 0.8])
    assert location.at(k, THINGS, "apple") == "bowl"
    assert location.at(k, PLACES, "apple") == "table"


def test_in_an_oven(k: SapienKitchen) -> None:
    move(k, "apple", [0.45, 0.15, 0.78])
    assert location.at(k, PLACES, "apple") == "oven"
    assert location.contents(k, "oven") == ["apple"]


def test_on_the_floor(k: SapienKitchen) -> None:
    move(k, "apple", [0.0, -0.7, 0.1])
    assert location.at(k, PLACES, "apple") is None
    assert location.fallen(k, sensor("fallen"), "apple") is True
    assert location.fallen(k, sensor("fallen"), "cup") is False
    assert location.fallen(k, sensor("fallen"), "table") is UNSENSED


def test_on_the_floor_of_a_scene_with_ground_it_is_at_the_ground() -> None:
    k = kitchen({**OBJECTS, "ground": {"type": "Place"}})
    move(k, "apple", [0.0, -0.7, 0.1])
    assert location.at(k, PLACES, "apple") == "ground"


def test_far_from_everything_it_has_left_the_scene(k: SapienKitchen) -> None:
    move(k, "apple", [9.0, 0.0, 0.1])
    assert location.at(k, PLACES, "apple") is None
    assert location.fallen(k, sensor("fallen"), "apple") is False


def test_on_top_of_an_oven_it_is_where_the_oven_stands(k: SapienKitchen) -> None:
    top = location.box(k, "oven")[1][2]
    move(k, "apple", [0.45, 0.15, top + 0.03])
    assert location.box(k, "apple")[0][2] > top - 0.01
    assert location.at(k, PLACES, "apple") == "table"


def test_what_hangs_over_the_edge_of_a_table_is_on_it(
    k: SapienKitchen, monkeypatch: pytest.MonkeyPatch
) -> None:
    (region, pose), *_ = k.regions_of("table")
    edge = pose.apply((region.p[0] + region.half_size[0] + 0.04, region.p[1], region.floor))
    k.bodies["apple"].links["body"].entity.pose = sapien.Pose([*edge[:2], edge[2] - 0.03])
    for under, where in ([], None), (["table"], "table"):  # falling past it; wedged there
        monkeypatch.setattr(location, "supports", lambda kitchen, item, it=under: it)
        assert location.at(k, PLACES, "apple") == where


def test_what_leans_on_an_ovens_side_is_not_where_the_oven_stands(
    k: SapienKitchen, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(location, "supports", lambda kitchen, item: ["oven"])
    top = location.box(k, "oven")[1][2]
    body = k.bodies["apple"].links["body"]
    body.entity.pose = sapien.Pose([0, -2, top - 0.1])  # in the air
    assert location.at(k, PLACES, "apple") is None
    body.entity.pose = sapien.Pose([0, -2, top])
    assert location.at(k, PLACES, "apple") == "table"


def test_in_the_air_it_is_nowhere(k: SapienKitchen) -> None:
    body = k.bodies["apple"].links["body"]
    body.entity.pose = sapien.Pose([0, 0, 2.0])
    k.forget_contacts()
    assert location.at(k, PLACES, "apple") is None


def test_held_is_what_presses_on_both_fingers(k: SapienKitchen) -> None:
    assert hands.holding(k, sensor("holding", "apple"), "R1") is None
    grip(k)
    assert hands.holding(k, sensor("holding", "apple"), "R1") == "apple"
    assert location.at(k, PLACES, "apple") == "R1"
    assert hands.held(k, sensor("held"), "apple") is True
    assert hands.held(k, sensor("held"), "cup") is False


def test_one_finger_alone_holds_nothing(k: SapienKitchen) -> None:
    grip(k)
    gripper = k.hands["R1"].arm.gripper
    k.robots["R1"].drive_to(gripper.joints, gripper.targets(0.08))
    for _ in range(60):
        k.physics()
    k.forget_contacts()
    assert hands.holding(k, sensor("holding", "apple"), "R1") is None
    assert location.at(k, PLACES, "apple") != "R1"


def test_a_person_has_no_hand_that_is_sensed(k: SapienKitchen) -> None:
    assert hands.holding(k, sensor("holding", "apple"), "user") is UNSENSED
    assert location.near(k, sensor("near", "table"), "user") is UNSENSED


def test_near_is_the_nearest_place_within_reach(k: SapienKitchen) -> None:
    assert location.near(k, sensor("near", "table", "oven"), "R1") == "table"
    assert location.near(k, sensor("near", "oven"), "R1") == "oven"
    far = {**OBJECTS, "table": {**OBJECTS["table"], "pose": [5, 5, 0]}}
    assert location.near(kitchen(far), sensor("near", "table"), "R1") is None


def test_of_places_about_as_near_it_is_near_the_one_it_was_sent_to(k: SapienKitchen) -> None:
    places = sensor("near", "table", "oven")
    k.bound["R1"] = "oven"
    assert location.near(k, places, "R1") == "table"  # the oven is at its other end
    beside = {**OBJECTS, "oven": {**OBJECTS["oven"], "pose": [-0.5, 0.5, 0.75]}}
    k = kitchen(beside)
    assert location.near(k, places, "R1") == "table"
    k.bound["R1"] = "oven"
    assert location.near(k, places, "R1") == "oven"


def test_a_door_is_open_from_where_its_body_says(k: SapienKitchen) -> None:
    built, joint = k.joint_of("oven_door") or pytest.fail("no door")
    limit = built.body.joint(joint).limits[1]
    for part, is_open in ((0.0, False), (0.5, False), (0.8, True)):
        qpos = built.articulation.qpos
        qpos[list(built.joints).index(joint)] = part * limit
        built.articulation.qpos = qpos
        assert doors.opened(k, sensor("opened"), "oven_door") is is_open
        assert doors.opening(k, "oven_door") == pytest.approx(part, abs=0.01)
    assert doors.opened(k, sensor("opened"), "apple") is UNSENSED


def test_upright_and_tipped_over(k: SapienKitchen) -> None:
    up = sensor("upright")
    assert posture.upright(k, up, "cup") is True
    move(k, "cup", [0.1, -0.2, 0.8], [math.cos(math.pi / 4), math.sin(math.pi / 4), 0, 0])
    assert posture.upright(k, up, "cup") is False
    assert posture.lean(k, "cup") == pytest.approx(90, abs=15)


def test_what_is_tipped_over_has_spilled_unless_somebody_pours(k: SapienKitchen) -> None:
    side = [math.cos(math.pi / 4), math.sin(math.pi / 4), 0.0, 0.0]
    spilled = sensor("spilled")
    assert posture.spilled(k, spilled, "cup") is False
    k.pouring.add("bowl")
    move(k, "cup", [0.1, -0.2, 0.8], side)
    move(k, "bowl", [0.0, 0.15, 0.85], side)
    assert posture.spilled(k, spilled, "cup") is True
    assert posture.spilled(k, spilled, "bowl") is False


def test_stacked_is_on_a_thing_that_can_be_moved_itself() -> None:
    boxes = {
        **OBJECTS,
        "lid": {"type": "Item", "pose": [-0.2, 0.2, 0.75], "body": {"kind": "plate"}},
    }
    k = kitchen(boxes)
    things = sensor("stacked", *boxes)
    assert location.stacked(k, things, "apple") is None
    move(k, "apple", [-0.2, 0.2, 0.8])
    assert location.stacked(k, things, "apple") == "lid"
    assert location.at(k, PLACES, "apple") == "table"


def test_of_a_pile_a_thing_is_stacked_on_what_it_was_to_be_stacked_on() -> None:
    card = {"kind": "packet", "size": [0.1, 0.1, 0.04]}
    names = ("bread", "ham", "cheese", "plum")
    pile = {
        name: {"type": "Item", "pose": [-0.2, 0.2, 0.75 + 0.04 * level], "body": card}
        for level, name in enumerate(names[:3])
    }
    aside = {"plum": {"type": "Item", "pose": [0.1, 0.2, 0.75], "body": card}}
    k = kitchen({**OBJECTS, **pile, **aside})
    k.step(0.2)
    things = sensor("stacked", *names)
    assert location.pile(k, "bread") == ["ham", "cheese"]
    assert location.stacked(k, things, "cheese") == "ham"
    k.laid["cheese"] = "bread"
    assert location.stacked(k, things, "cheese") == "bread"
    assert location.at(k, PLACES, "cheese") == "table"
    k.laid["cheese"] = "plum"
    assert location.stacked(k, things, "cheese") == "ham"


def test_of_a_restored_kitchen_the_same_is_sensed(k: SapienKitchen) -> None:
    """PhysX finds contacts by stepping; those of a kept moment are kept with it."""
    grip(k)
    again = SapienKitchen(k.setup, state.save(k))
    assert hands.holding(again, sensor("holding", "apple"), "R1") == "apple"
    assert location.at(again, PLACES, "apple") == "R1"
