from __future__ import annotations

import io
import struct
import xml.etree.ElementTree as ET
import zlib
from pathlib import Path
from typing import Any

import pytest

np = pytest.importorskip("numpy")
trimesh = pytest.importorskip("trimesh")

from treec_sapien.bodies import show  # noqa: E402
from treec_sapien.bodies.picture.mesh import bounds, meshes, triangles  # noqa: E402
from treec_sapien.bodies.picture.png import png  # noqa: E402
from treec_sapien.bodies.scene import read  # noqa: E402
from treec_sapien.bodies.spec import Shape  # noqa: E402
from treec_sapien.build import volume  # noqa: E402
from treec_sapien.view.rays import RayView  # noqa: E402
from treec_sapien.view.solids import stage_of  # noqa: E402
from treec_sapien.view.viewpoints import overview  # noqa: E402

OBJECTS: dict[str, dict[str, Any]] = {
    "table": {"pose": [0, 0, 0], "body": {"kind": "table"}},
    "tin": {"pose": [0, 0, 0.75], "body": {"kind": "tin", "diameter": 0.3, "colour": "red"}},
}


def pixels(data: bytes) -> Any:
    """The picture in a PNG file of ours."""
    width, height = struct.unpack(">II", data[16:24])
    size = struct.unpack(">I", data[33:37])[0]
    rows = np.frombuffer(zlib.decompress(data[41 : 41 + size]), np.uint8).reshape(height, -1)
    return rows[:, 1:].reshape(height, width, 3).cumsum(axis=1, dtype=np.uint8)


@pytest.mark.parametrize(
    "shape",
    [
        Shape("box", half_size=(0.1, 0.2, 0.3)),
        Shape("cylinder", radius=0.1, half_length=0.2),
        Shape("sphere", radius=0.2),
    ],
)
def test_a_shape_is_closed_and_turned_outwards(shape: Shape) -> None:
    vertices, normals, faces = triangles(shape)
    made = trimesh.Trimesh(vertices, faces)
    assert made.is_watertight
    assert made.volume == pytest.approx(volume(shape), rel=0.05)
    assert (np.einsum("ij,ij->i", normals, vertices) > 0).all()


def test_what_is_nearest_is_seen_and_in_its_colour(tmp_path: Path) -> None:
    show(
        OBJECTS,
        ("treec_sapien.bodies",),
        {},
        tmp_path / "x.png",
        turn=0.0,
        tilt=30.0,
        size=(160, 120),
    )
    picture = pixels((tmp_path / "x.png").read_bytes())
    stage, poses = stage_of(read(OBJECTS))
    camera = overview(RayView(stage), poses, (160, 120), 0.0, 30.0)
    x, y, _ = camera.pixels(np.array([0.0, -0.15, 0.8])).round().astype(int)
    red, green, blue = (int(it) for it in picture[y, x])
    assert red > 2 * green
    assert red > 2 * blue
    assert picture[2, 2].min() > 200, "the floor is not bright"
    x, y, _ = camera.pixels(np.array([-0.65, -0.35, 0.75])).round().astype(int)
    red, green, blue = (int(it) for it in picture[y, x])
    assert red > green > blue, "the table is not of wood"


def test_a_png_is_what_was_painted() -> None:
    picture = np.random.default_rng(1).integers(0, 256, (7, 5, 3), dtype=np.uint8)
    assert (pixels(png(picture)) == picture).all()


def test_a_model_has_every_thing_by_its_name_and_size(tmp_path: Path) -> None:
    show(OBJECTS, ("treec_sapien.bodies",), {}, tmp_path / "x.glb")
    scene = trimesh.load(io.BytesIO((tmp_path / "x.glb").read_bytes()), file_type="glb")
    names = {str(name).rsplit(" ", 1)[0] for name in scene.graph.nodes_geometry}
    assert names == set(OBJECTS)
    low, high = bounds(
        [it for name, one in read(OBJECTS).bodies.items() for it in meshes(name, one)]
    )
    wide, deep, tall = high - low
    assert scene.extents == pytest.approx([wide, tall, deep], abs=1e-4), "y is up in glTF"


def test_a_plan_names_what_is_seen_from_above(tmp_path: Path) -> None:
    hidden = {"cup": {"pose": [0.4, 0, 0.2], "body": {"kind": "cup"}}}
    show({**OBJECTS, **hidden}, ("treec_sapien.bodies",), {}, tmp_path / "x.svg")
    root = ET.fromstring((tmp_path / "x.svg").read_text("utf-8"))
    words = {it.text for it in root.iter("{http://www.w3.org/2000/svg}text")}
    assert {"table", "tin"} <= words
    assert "cup" not in words
