"""Bodies in SAPIEN: they stand still, and their joints move as their kinds say."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest
import sapien

from tests.envs.bodies.places import EVERY_SCENE, objects
from tests.envs.sapien.scenes import kitchen
from treec_sapien.bodies.kinds import kinds, make
from treec_sapien.bodies.pose import Pose, turn
from treec_sapien.bodies.scene import read
from treec_sapien.build import FASTEST_OUT, BuiltBody, build, build_all, ground, volume
from treec_sapien.things import PHYSICS
from treec_sapien.toppled import lean_degrees

HERE = ("treec_sapien.bodies",)
STEP = 1 / 240
LINKS = [
    ("cabinet", "left_door", 0.3),
    ("cabinet", "right_door", 0.3),
    ("refrigerator", "door", 0.6),
    ("microwave", "door", 0.2),
    ("stove", "knob", 0.05),
    ("faucet", "lever", 0.05),
]


def world() -> sapien.Scene:
    scene = sapien.Scene([sapien.physx.PhysxCpuSystem()])
    scene.set_timestep(STEP)
    ground(scene)
    return scene


def steps(scene: sapien.Scene, seconds: float, each: Callable[[], None] = lambda: None) -> None:
    for _ in range(round(seconds / STEP)):
        each()
        scene.step()


def one(kind: str, **options: object) -> tuple[sapien.Scene, BuiltBody]:
    scene = world()
    body = make(kind, options, HERE)
    return scene, build(scene, body, kind, Pose((0.0, 0.0, 0.3 if kind == "sink" else 0.0)))


def pushed(
    scene: sapien.Scene, built: BuiltBody, joint: str, force: float, seconds: float
) -> float:
    """Where a joint is after it has been pushed with a force, or turned with a torque."""
    index = list(built.joints).index(joint)
    forces = np.zeros(len(built.joints))
    forces[index] = force

    def push() -> None:
        built.articulation.qf = forces

    steps(scene, seconds, push)
    built.articulation.qf = np.zeros(len(built.joints))
    return built.position(joint)


@pytest.mark.parametrize("name", EVERY_SCENE)
def test_a_scene_stands_still(name: str) -> None:
    """All is built, 2 s pass: nothing moves over 5 mm, and nothing was in anything else."""
    scene = world()
    built = build_all(scene, read(objects(name)).bodies)
    links = {
        (it.name, link): part.entity for it in built.values() for link, part in it.links.items()
    }
    before = {key: np.array(entity.pose.p) for key, entity in links.items()}
    turned = {key: np.array(entity.pose.q) for key, entity in links.items()}
    scene.step()
    deep = [
        (point.separation, *(body.entity.name for body in contact.bodies))
        for contact in scene.get_contacts()
        for point in contact.points
        if point.separation < -0.001
    ]
    assert deep == []
    steps(scene, 2.0)
    for key, entity in links.items():
        assert np.abs(np.array(entity.pose.p) - before[key]).max() < 0.005, key
        assert abs(float(np.dot(np.array(entity.pose.q), turned[key]))) > 0.9999, key


@pytest.mark.parametrize("kind", [kind for kind in kinds(HERE) if not make(kind, {}, HERE).fixed])
def test_a_free_body_has_the_mass_it_says_and_stands(kind: str) -> None:
    scene, built = one(kind)
    link = built.body.links[0]
    expected = link.mass or sum(volume(it) * it.density for it in link.shapes)
    assert built.links[link.name].mass == pytest.approx(expected, rel=0.02)
    start = np.array(built.pose().p)
    steps(scene, 1.0)
    assert np.abs(np.array(built.pose().p) - start).max() < 0.002


@pytest.mark.parametrize(("kind", "joint", "friction"), LINKS)
def test_a_joint_stays_below_its_friction_and_moves_above_it(
    kind: str, joint: str, friction: float
) -> None:
    scene, built = one(kind)
    assert built.body.joint(joint).friction == friction
    assert pushed(scene, built, joint, 0.5 * friction, 1.0) < 0.03
    assert pushed(scene, built, joint, 2.0 * friction, 1.0) > 0.1


def test_a_button_springs_back() -> None:
    scene, built = one("microwave")
    control = built.body.controls[0]
    assert pushed(scene, built, "button", 8.0, 0.3) > control.on
    steps(scene, 0.5)
    assert built.position("button") < 0.001


def test_the_rack_comes_out_with_the_door_and_takes_its_dishes_along() -> None:
    scene, built = one("dishwasher")
    floor = built.pose("rack").apply(built.body.region("rack").p)[2] - 0.1
    cup = build(scene, make("cup", {}, HERE), "cup", Pose((0.1, -0.1, floor)))
    steps(scene, 2.0)
    assert built.position("rack") < 0.005
    assert pushed(scene, built, "door", 4.0, 1.0) == pytest.approx(np.pi / 2, abs=0.01)
    steps(scene, 3.0)
    assert built.position("rack") > 0.25
    assert cup.pose().p[1] < -0.35
    assert cup.pose().axis(2)[2] > 0.99, "the cup has fallen over"
    assert pushed(scene, built, "door", -12.0, 4.0) < 0.02
    assert built.position("rack") < 0.02
    assert cup.pose().axis(2)[2] > 0.99, "the cup has fallen over"


def test_what_overlaps_is_pushed_apart_and_not_thrown() -> None:
    """PhysX finds an overlap now and then where there is none."""
    where = kitchen()
    body = where.bodies["apple"].links["body"]
    x, y, z = before = np.array(body.entity_pose.p)
    body.entity.pose = sapien.Pose([x, y, z - 0.05])  # deep in the table
    body.wake_up()
    where.scene.step()
    moved = float(np.linalg.norm(np.array(body.entity_pose.p) - (before - [0.0, 0.0, 0.05])))
    assert 0.0 < moved < 1.2 * FASTEST_OUT / PHYSICS


def test_a_bottle_that_leans_a_little_stands_again() -> None:
    """PhysX rocked it on its rim until it fell: R2 put oil down, and it rolled off the table."""
    scene = world()
    bottles = []
    for number, lean in enumerate(np.linspace(1.0, 6.0, 8)):
        axis = (float(np.cos(number)), float(np.sin(number)), 0.0)
        leaning = Pose((0.4 * number, 0.0, 0.003), turn(axis, float(lean)))
        built = build(scene, make("bottle", {}, HERE), f"bottle {number}", leaning)
        built.links["body"].angular_velocity = [0.0, 0.0, 3.0 * (number % 2)]
        bottles.append(built)
    steps(scene, 4.0)
    assert [round(lean_degrees(it)) for it in bottles] == [0] * 8
