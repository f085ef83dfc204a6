from __future__ import annotations

import importlib
import xml.etree.ElementTree as ET
from pathlib import Path

import numpy as np
import pytest
import trimesh

from treec_sapien.check.robots import SHIPPED, shipped
from treec_sapien.robots import adapt
from treec_sapien.robots.assemble import assemble
from treec_sapien.robots.describe import _describe, describe
from treec_sapien.robots.description import Description


@pytest.fixture(params=SHIPPED)
def model(request: pytest.FixtureRequest) -> ET.Element:
    return ET.parse(describe(request.param).urdf).getroot()


def test_nothing_in_a_model_needs_a_renderer(model: ET.Element) -> None:
    assert not list(model.iter("visual"))
    assert not list(model.iter("camera"))
    assert not model.findall("gazebo")


def test_every_mesh_is_there_by_a_relative_path(model: ET.Element) -> None:
    for mesh in model.iter("mesh"):
        path = Path(mesh.attrib["filename"])
        assert not path.is_absolute()
        assert (adapt.cache_folder() / path).is_file()


def test_every_movable_joint_has_limits_and_moves_by_itself(model: ET.Element) -> None:
    moving = [joint for joint in model.findall("joint") if joint.get("type") != "fixed"]
    assert {joint.get("type") for joint in moving} <= {"revolute", "prismatic"}
    assert all(joint.find("limit") is not None for joint in moving)
    assert not list(model.iter("mimic"))


def test_every_inertia_that_is_given_is_one_that_a_body_can_have(model: ET.Element) -> None:
    for link in model.findall("link"):
        inertial = link.find("inertial")
        assert inertial is None or adapt._positive(inertial)


@pytest.mark.parametrize(
    ("numbers", "possible"),
    [
        ({"ixx": "1", "iyy": "1", "izz": "1"}, True),
        ({"ixx": "0", "iyy": "1", "izz": "1"}, False),
        ({"ixx": "1", "iyy": "1", "izz": "1", "ixy": "2"}, False),
    ],
)
def test_an_inertia_is_judged_as_a_matrix(numbers: dict[str, str], possible: bool) -> None:
    inertial = ET.Element("inertial")
    ET.SubElement(inertial, "mass", {"value": "1"})
    ET.SubElement(inertial, "inertia", numbers)
    assert adapt._positive(inertial) is possible


def test_a_model_is_kept_in_the_users_cache_and_written_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))

    def make() -> Description:
        definition = shipped("panda")
        described: Description = _describe.__wrapped__(definition, assemble(definition))
        return described

    urdf = make().urdf
    assert urdf.parent == tmp_path / "treec" / "robots"
    written = urdf.stat().st_mtime_ns
    assert make().urdf == urdf
    assert urdf.stat().st_mtime_ns == written
    assert [path.name for path in urdf.parent.iterdir()] == [urdf.name]


def test_another_source_or_other_code_makes_another_file(tmp_path: Path) -> None:
    source = tmp_path / "robot.urdf"
    source.write_text("<robot/>")
    first = adapt.cache_path("r", "urdf", [source], [adapt])
    other_code = importlib.import_module("treec_sapien.robots.description")
    assert adapt.cache_path("r", "urdf", [source], [adapt]) == first
    assert adapt.cache_path("r", "urdf", [source], [adapt, other_code]) != first
    assert adapt.cache_path("r", "urdf", [source], [adapt], "robot: r") != first
    source.write_text("<robot name='b'/>")
    assert adapt.cache_path("r", "urdf", [source], [adapt]) != first


def test_a_package_is_a_folder_above_or_one_that_is_named(tmp_path: Path) -> None:
    above = tmp_path / "my_arm" / "urdf"
    above.mkdir(parents=True)
    here = adapt.resolve("package://my_arm/meshes/a.stl", above, {})
    assert here == tmp_path / "my_arm" / "meshes" / "a.stl"
    named = adapt.resolve("package://my_arm/a.stl", above, {"my_arm": tmp_path})
    assert named == tmp_path / "a.stl"
    with pytest.raises(FileNotFoundError, match="unknown package 'nobody'"):
        adapt.resolve("package://nobody/a.stl", above, {})


def test_a_package_is_found_wherever_python_finds_packages(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for inner in ("overlay/cmeel.prefix/share/robots-of-all/a", "overlay/arm_py/a"):
        (tmp_path / inner).mkdir(parents=True)
    monkeypatch.syspath_prepend(tmp_path / "overlay")
    share = adapt.resolve("package://robots-of-all/a", tmp_path / "library", {})
    assert share == tmp_path / "overlay" / "cmeel.prefix" / "share" / "robots-of-all" / "a"
    beside = adapt.resolve("package://arm_py/a", tmp_path / "library", {})
    assert beside == tmp_path / "overlay" / "arm_py" / "a"


def test_a_scaled_collada_mesh_has_its_own_unit(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    box = trimesh.creation.box((100.0, 200.0, 300.0)).export(file_type="dae").decode()
    text = box.replace("<up_axis>", '<unit name="millimeter" meter="0.001"/><up_axis>')
    (tmp_path / "box.dae").write_text(text, "utf-8")
    model = ET.fromstring(f'<robot><mesh filename="{tmp_path}/box.dae" scale="2 1 1"/></robot>')
    adapt.cache_meshes(model)
    made = trimesh.load(adapt.cache_folder() / model[0].attrib["filename"])
    assert np.allclose(made.extents, [0.2, 0.2, 0.3])
