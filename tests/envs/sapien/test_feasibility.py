"""What is said before anybody moves: it does not fit, is out of reach, would not lie there."""

from __future__ import annotations

from dataclasses import replace
from types import SimpleNamespace
from typing import Any

import pytest

from tests.envs.sapien.scenes import OBJECTS, Told, kitchen, order, sensor
from treec import Effect
from treec_sapien.bodies.pose import Pose
from treec_sapien.build import to_sapien
from treec_sapien.environment import SapienKitchen
from treec_sapien.feasibility import infeasibility
from treec_sapien.sense.location import at
from treec_sapien.worker import Physical, PhysicalAct, Steps


@pytest.fixture(scope="module")
def where() -> SapienKitchen:
    more: dict[str, dict[str, Any]] = {
        "bottle": {"pose": [0.3, -0.2, 0.75], "body": {"kind": "bottle", "diameter": 0.05}},
        "plate": {"pose": [-0.2, 0.25, 0.75], "body": {"kind": "plate"}},
        "juicer": {"pose": [0.6, -0.25, 0.75], "body": {"kind": "juicer"}},
        "far": {"pose": [0.75, 0.0, 0.75], "body": {"kind": "tin"}},
    }
    things = {name: {"type": "Item", "at": "table", **spec} for name, spec in more.items()}
    return kitchen({**OBJECTS, **things})


@pytest.mark.parametrize(
    ("fact", "thing", "value", "begins"),
    [
        ("at", "bottle", "cup", "does not fit: bottle into cup: it measures 50 x 50 mm"),
        ("at", "plate", "juicer", "does not fit: plate into juicer"),
        ("at", "apple", "bowl", ""),
        ("at", "plate", "table", ""),
        ("at", "far", "R1", "not reached: far by R1, who reaches from"),
        ("at", "apple", "R1", ""),
        ("at", "juicer", "R1", "cannot be moved: juicer has joints"),
        ("at", "table", "bowl", "cannot be moved: table is fixed"),
        ("stacked", "cup", "apple", "does not lie there: cup on apple, which is round on top"),
    ],
)
def test_what_cannot_come_about_is_said(
    where: SapienKitchen, fact: str, thing: str, value: str, begins: str
) -> None:
    said = where.impossible((Effect(fact, (thing,), value),))
    assert said.startswith(begins) if begins else said == ""


def test_what_has_joints_cannot_be_moved_though_it_is_loose(where: SapienKitchen) -> None:
    built = where.bodies["juicer"]
    loose = replace(built, body=replace(built.body, fixed=False))
    kitchen: Any = SimpleNamespace(bodies={"juicer": loose})
    said = infeasibility(kitchen, (Effect("at", ("juicer",), "R1"),))
    assert said == "cannot be moved: juicer has joints"


def test_a_worker_fails_of_it_at_once_and_moves_nothing(where: SapienKitchen) -> None:
    class Put(Physical):
        def do(self, act: PhysicalAct) -> Steps:
            raise AssertionError("it has begun")
            yield

    told, worker = Told(where), Put()
    effect = Effect("at", ("bottle",), "cup")
    worker.start(replace(order(item="bottle", target="cup"), after=(effect,)), told)
    where.step(where.now + 0.1)
    ((_, _, outcome),) = told.ended
    assert str(outcome.failure).startswith("does not fit: bottle into cup")


def test_what_lies_on_the_rim_of_an_opening_is_not_in_there(where: SapienKitchen) -> None:
    """Its base is in the region of the juicer's container, which counts for what is small."""
    for thing, place in (("plate", "table"), ("apple", "juicer")):
        pose = Pose((0.6, -0.25, 0.75 + 0.2))
        where.bodies[thing].links["body"].entity.pose = to_sapien(pose)
        assert at(where, sensor("at", "table", "juicer"), thing) == place
        where.bodies[thing].links["body"].entity.pose = to_sapien(Pose((-0.2, 0.25, 0.9)))
