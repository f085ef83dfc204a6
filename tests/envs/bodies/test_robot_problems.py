"""Robots whose files would have been taken otherwise than meant, or stopped a loader."""

from __future__ import annotations

import copy
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.check.test_fixtures import HERE, write_files
from tests.support.extensions import using
from treec.check import check_library
from treec.files.library import load_library
from treec_sapien.robots.assemble import RobotModel, assemble
from treec_sapien.robots.definition import RobotDefinition
from treec_sapien.robots.files import RobotFile
from treec_sapien.robots.problems import find_problems

_PAD = '<collision><geometry><box size="0.02 0.01 0.04"/></geometry></collision>'
URDF = f"""<robot name="lifter">
  <link name="foot"/><link name="torso"/><link name="upper"/><link name="lower"/>
  <link name="palm"/><link name="left">{_PAD}</link><link name="right">{_PAD}</link>
  <link name="flap"/>
  <joint name="lift" type="prismatic"><parent link="foot"/><child link="torso"/>
    <axis xyz="0 0 1"/><limit lower="0" upper="0.5"/></joint>
  <joint name="shoulder" type="revolute"><parent link="torso"/><child link="upper"/>
    <origin xyz="0 0 0.3"/><axis xyz="0 1 0"/><limit lower="-2" upper="2"/></joint>
  <joint name="elbow" type="revolute"><parent link="upper"/><child link="lower"/>
    <origin xyz="0 0 0.4"/><axis xyz="0 1 0"/><limit lower="-2" upper="2"/></joint>
  <joint name="wrist" type="continuous"><parent link="lower"/><child link="palm"/>
    <origin xyz="0 0 0.3"/><axis xyz="0 0 1"/></joint>
  <joint name="left" type="prismatic"><origin xyz="0 0 0.1"/><parent link="palm"/>
    <child link="left"/><axis xyz="0 1 0"/><limit lower="0" upper="0.04"/></joint>
  <joint name="right" type="prismatic"><origin xyz="0 0 0.1"/><parent link="palm"/>
    <child link="right"/><axis xyz="0 -1 0"/><limit lower="0" upper="0.04"/></joint>
  <joint name="flap" type="revolute"><parent link="foot"/><child link="flap"/>
    <limit lower="-1" upper="1"/></joint>
</robot>"""
ARM: dict[str, Any] = {
    "joints": ["shoulder", "elbow", "wrist"],
    "home": [0.0, 0.0, 0.0],
    "tool": {"link": "palm", "xyz": [0, 0, 0.1]},
    "gripper": {
        "fingers": [{"joint": "left", "open": 0.04}, {"joint": "right", "open": 0.04}],
        "opening": [0.0, 0.08],
    },
}
FILE = {"robot": "lifter", "about": "An arm.", "urdf": "lifter.urdf", "arms": {"arm": ARM}}
_MIMIC = '<mimic joint="{}" multiplier="0.5" offset="0.02"/>'


def made(folder: Path, urdf: str, file: dict[str, Any]) -> tuple[RobotModel, list[str]]:
    (folder / "lifter.urdf").write_text(urdf, "utf-8")
    definition = RobotDefinition(RobotFile.model_validate(file), folder)
    model = assemble(definition)
    return model, [f"{it.message}; {it.help}" for it in find_problems(definition, model)]


def follower(leader: str, of: str = "flap") -> str:
    name = f'<joint name="{of}" type="'
    head, _, tail = URDF.partition(name)
    kind, _, rest = tail.partition(">")
    return f"{head}{name}{kind}>{_MIMIC.format(leader)}{rest}"


@pytest.mark.parametrize(
    ("old", "new", "says"),
    [
        ('<axis xyz="0 1 0"/>', '<axis xyz="0 0 0"/>', "'shoulder' has an axis of no length"),
        ('"-2" upper="2"', '"2" upper="-2"', "'shoulder' has its lower limit above the upper one"),
        ('<link name="flap"/>', "", "the joint 'flap' is on 'flap', which is no link"),
        (
            '<link name="palm"/>',
            '<link name="palm"/><link name="palm"/>',
            "two links are called 'palm'",
        ),
        ('<joint name="flap"', '<joint name="lift"', "two joints are called 'lift'"),
        ('<link name="palm"/>', '<link name=""/>', "a link has no name"),
        ('name="elbow"', "", "a joint has no name"),
        (URDF, "<robot/>", "its first element is <robot>, with no links: no URDF"),
        (URDF, '<model><link name="a"/></model>', "its first element is <model>, with no links"),
        ('<parent link="foot"/><child link="torso"/>', "", "'lift' has no parent or no child"),
        ('"lift" type="prismatic"', '"lift" type="slide"', "'lift' has no type of URDF: 'slide'"),
        ('<child link="flap"/>', '<child link="foot"/>', "above the link 'foot' form a circle; a "),
        ('"flap"/>\n    <l', '"foot"/>\n    <l', "the joints above the link 'foot' form a circle"),
        ('upper="0.04"', 'upper="wide"', "the joint 'left': 'upper' is one number, not 'wide'"),
        ('size="0.02 0.01 0.04"', 'size="0.02 0 0.04"', "the link 'left': 'size' of its box is 0"),
        (
            '<link name="palm"/>',
            '<link name="palm"/><link name="x"/>',
            "one link hangs on no joint, not 'foot', 'x'",
        ),
        ('child link="flap"', 'child link="palm"', "two joints hold the link 'palm'"),
        ('size="0.02 0.01 0.04"', 'size="0.02"', "the link 'left': 'size' is three numbers"),
        ('xyz="0 0 0.4"', 'xyz="0 0 ${a}"', "'0 0 ${a}'; write out a .xacro first"),
        ('"lift"', '"base_x"', "the model has 'base_x' already"),
        ('name="flap"/>', 'name="arm_tcp"/>', "which is no link"),
        (_PAD, "", "the finger 'left' has no collision shape"),
        ('"-2" upper="2"', '"0" upper="0"', "the joint 'shoulder' cannot move; it goes from 0"),
        ('lower="-1"', 'lower="0.5"', "'flap', from 0.5 to 1, cannot be fixed at 0"),
    ],
)
def test_a_model_that_is_none_is_a_message(tmp_path: Path, old: str, new: str, says: str) -> None:
    file = {**FILE, "base": {"stands": [{"radius": 0.2, "high": 0.2}]}}
    _, messages = made(tmp_path, URDF.replace(old, new), file)
    assert any(says in it for it in messages), messages


def _swap(file: Any) -> None:
    file["arms"]["arm"]["gripper"]["fingers"] = [
        {"joint": name, "shut": 0.04, "open": 0.0} for name in ("left", "right")
    ]


def _uneven(file: Any) -> None:
    for finger, to in zip(file["arms"]["arm"]["gripper"]["fingers"], (0.04, 0.02), strict=True):
        finger["open"] = to
    file["arms"]["arm"]["gripper"]["opening"] = [0.0, 0.06]


def _forward(file: Any) -> None:
    file["arms"]["arm"]["tool"]["rpy"] = [
        0,
        -1.5708,
        0,
    ]  # +x out of the palm, as many URDFs have it


def _both(file: Any) -> None:
    file["arms"] = {"left": ARM, "right": ARM}


def _held(file: Any) -> None:
    file["home"] = {"elbow": 1.0}


def _merged(file: Any) -> None:
    file["mounts"] = [{"urdf": "lifter.urdf", "link": "foot", "prefix": "b_", "xyz": [0, 0, 1]}]


def _other_hand(file: Any) -> None:
    file["arms"]["arm"]["hand"] = "torso"


def _other_finger(file: Any) -> None:
    file["mounts"] = [{"urdf": "lifter.urdf", "link": "torso", "prefix": "b_"}]
    file["arms"]["arm"]["gripper"]["fingers"][1]["joint"] = "b_right"


def _shapes(file: Any) -> None:
    file["mounts"] = [{"urdf": "lifter.urdf", "link": "torso", "prefix": "b_"}]
    file["shapes"] = {"b_palm": [{"box": [0.1, 0.1, 0.1]}]}


def _frame(file: Any) -> None:
    file |= {"base": {"stands": [{"radius": 0.2, "high": 0.2}]}, "lift": -0.5}


def _sunk(file: Any) -> None:
    _frame(file)
    file["shapes"] = {"foot": [{"box": [0.1, 0.1, 0.1]}]}


@pytest.mark.parametrize(
    ("change", "says"),
    [
        (_frame, ""),  # a link without a shape may be anywhere
        (_sunk, "'foot' is 0.50 m below the floor; lift: 0.00 or more"),
        (_swap, "the fingers are closer together at 'open' than at 'shut'"),
        (_uneven, "one finger goes 0.040 m, the other 0.020 m"),
        (_forward, "+x of the tool frame points out of 'palm', which must be +z; turn the frame: "),
        (_both, "the joint 'shoulder' is one of the arm 'left'"),
        (_held, "the joint 'elbow' is one of the arm 'arm'"),
        (_merged, "'foot' is the root of both, which are one"),
        (_other_hand, "the link 'torso' is not at the end of this arm"),
        (_other_finger, "the finger 'b_right' is not on this arm"),
        (_shapes, ""),
    ],
)
def test_a_file_that_says_something_else(
    tmp_path: Path, change: Callable[[Any], None], says: str
) -> None:
    file = copy.deepcopy(FILE)
    change(file)
    _, messages = made(tmp_path, URDF, file)
    assert any(says in it for it in messages) if says else not messages, messages


@pytest.mark.parametrize(
    ("rpy", "says"), [([0, 0, 0], "[0, 1.5708, 0]"), ([0, 1.5708, 0], None), ([3, 0, 0], "[0, 1.5")]
)
def test_a_gripper_mounted_across_its_arm(
    tmp_path: Path, rpy: list[float], says: str | None
) -> None:
    pad = '<link name="{0}">' + _PAD + "</link>"
    slide = """<joint name="{0}" type="prismatic"><parent link="hand"/><child link="{0}"/>
      <origin xyz="0 0 0.1"/><axis xyz="0 {1} 0"/><limit lower="0" upper="0.04"/></joint>"""
    hand = '<robot name="hand"><link name="hand"/>' + "".join(
        pad.format(name) + slide.format(name, way) for name, way in (("left", 1), ("right", -1))
    )
    (tmp_path / "hand.urdf").write_text(hand + "</robot>", "utf-8")
    file = copy.deepcopy(FILE)
    file |= {"mounts": [{"urdf": "hand.urdf", "link": "end", "prefix": "m_", "rpy": rpy}]}
    file["arms"]["arm"]["tool"]["link"] = "m_hand"
    for finger in file["arms"]["arm"]["gripper"]["fingers"]:
        finger["joint"] = f"m_{finger['joint']}"
    end = """<link name="end"/><joint name="end" type="fixed"><parent link="palm"/>
      <child link="end"/><origin xyz="0 0 0.05" rpy="0 -1.5708 0"/></joint></robot>"""
    _, messages = made(tmp_path, URDF.replace("</robot>", end), file)
    words = "'m_hand' is mounted across the arm, whose end is +x of 'end'; turn it: rpy: "
    assert len(messages) == (says is not None), messages
    assert not says or messages[0].startswith(words + says)


def test_a_joint_that_mimics_one_at_rest_stays_where_that_one_puts_it(tmp_path: Path) -> None:
    model, messages = made(tmp_path, follower("lift"), {**FILE, "home": {"lift": 0.2}})
    assert not messages
    assert model.follows == pytest.approx({"flap": 0.12})
    assert model.tree is not None
    assert not list(model.tree.iter("mimic"))


@pytest.mark.parametrize(("of", "help"), [("flap", "without: ['flap']"), ("lift", "None")])
def test_what_mimics_a_joint_of_an_arm_is_reported(tmp_path: Path, of: str, help: str) -> None:
    _, messages = made(tmp_path, follower("elbow", of), FILE)
    assert any("follows 'elbow' (mimic)" in it and help in it for it in messages), messages


def test_the_reach_of_a_model_that_was_changed_is_judged_anew(tmp_path: Path) -> None:
    root = tmp_path / "library"
    fixture = (Path(__file__).parent / "files/TC804.yaml").read_text("utf-8")
    write_files(fixture.replace("robot: panda", "robot: lifter"), root, HERE / "base")
    (root / "room/lifter.robot.yaml").write_text(json.dumps(FILE), "utf-8")
    (root / "room/lifter.urdf").write_text(URDF, "utf-8")
    library = load_library(root)
    words = "the robot of 'R1' reaches nothing"
    with using(without=("mosaic", "dag_plan")):
        assert not any(words in it.message for it in check_library(library))
        short = URDF.replace('xyz="0 0 0.4"', 'xyz="0 0 0.01"').replace("0 0 0.3", "0 0 0.01")
        (root / "room/lifter.urdf").write_text(short, "utf-8")
        assert any(words in it.message for it in check_library(library))
