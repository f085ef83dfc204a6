"""Pictures in files: what is saved is read again, and of a broken file is said what is wrong."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

np = pytest.importorskip("numpy")
Image = pytest.importorskip("PIL.Image")

from treec_perception.picture import Picture, PictureError, load_picture  # noqa: E402
from treec_sapien.bodies.pose import Pose, turn  # noqa: E402
from treec_sapien.view.camera import Camera  # noqa: E402


def picture(**more: Any) -> Picture:
    colour = np.arange(4 * 6 * 3, dtype=np.uint8).reshape(4, 6, 3)
    depth = np.linspace(1.0, 2.0, 24, dtype=np.float32).reshape(4, 6)
    pose = Pose((1.0, 2.0, 3.0), turn((0.0, 0.0, 1.0), 90.0))
    camera = Camera(pose, 5.0, 6.0, 2.5, 1.5, 6, 4)
    ids = (np.arange(24, dtype=np.int32) % 3).reshape(4, 6)
    given = {"time": 1.5, "ids": ids, "names": {1: "cup", 2: "tin"}, **more}
    return Picture("eyes", colour, depth, camera, **given)


def test_what_is_saved_is_read_again(tmp_path: Path) -> None:
    before = picture()
    before.save(tmp_path / "a.npz")
    after = load_picture(tmp_path / "a.npz")
    assert (after.name, after.time, after.camera) == ("eyes", 1.5, before.camera)
    assert (after.colour == before.colour).all()
    assert (after.depth == before.depth).all()
    assert after.digest == before.digest != picture().cut(0, 0, 5, 4).digest
    assert len(after.digest) == 16
    Picture("plain", before.colour).save(tmp_path / "b.npz")
    plain = load_picture(tmp_path / "b.npz")
    assert (plain.depth, plain.camera, plain.time) == (None, None, 0.0)
    assert plain.digest != before.digest
    Image.fromarray(before.colour).save(tmp_path / "c.png")
    image = load_picture(tmp_path / "c.png")
    assert image.name == "c"
    assert (image.colour == before.colour).all()


def test_a_part_is_seen_by_the_same_camera() -> None:
    whole = picture()
    part = whole.cut(-1, 1, 3, 9)
    assert part.colour.shape == (3, 3, 3)
    assert (part.colour == whole.colour[1:, :3]).all()
    assert part.camera is not None
    assert (part.camera.width, part.camera.height) == (3, 3)
    assert np.allclose(part.points(), whole.points()[1:, :3])
    assert (part.mask("tin") == whole.mask("tin")[1:, :3]).all()
    assert whole.mask("cup").sum() == 8


def test_what_a_picture_does_not_have() -> None:
    with pytest.raises(KeyError, match="eyes has no segmentation"):
        picture(ids=None).mask("cup")
    with pytest.raises(KeyError, match="pot"):
        picture().mask("pot")
    with pytest.raises(ValueError, match="the picture 'plain' has no depth"):
        Picture("plain", picture().colour).points()


def _exif(orientation: int) -> Any:
    exif = Image.Exif()
    exif[0x0112] = orientation
    return exif


RAMP = np.array([[0, 1024, 2048, 4095]], np.uint16)
IMAGES: dict[str, tuple[str, Any, dict[str, Any], list[list[int]]]] = {
    "turned": (
        "png",
        Image.fromarray(np.array([[[9, 0, 0], [0, 9, 0]]], np.uint8)),
        {"exif": _exif(6)},
        [[9, 0, 0], [0, 9, 0]],
    ),
    "12 bits": ("png", Image.fromarray(RAMP), {}, [[n] * 3 for n in (0, 64, 128, 255)]),
    "16 bits": (
        "png",
        Image.fromarray(RAMP * 16 + np.uint16(15)),
        {},
        [[n] * 3 for n in (0, 64, 128, 255)],
    ),
    "32 bits": (
        "tiff",
        Image.fromarray(np.array([[0, 255]], np.int32)),
        {},
        [[0] * 3, [255] * 3],
    ),
    "shares": (
        "tiff",
        Image.fromarray(np.array([[0.0, 0.5, np.nan, 1.0]], np.float32)),
        {},
        [[n] * 3 for n in (0, 128, 0, 255)],
    ),
    "one bit": ("png", Image.new("1", (1, 1), 1), {}, [[255] * 3]),
    "alpha": ("png", Image.new("RGBA", (1, 1), (0, 0, 0, 0)), {}, [[255] * 3]),
    "grey alpha": ("png", Image.new("LA", (1, 1), (7, 255)), {}, [[7] * 3]),
    "palette": (
        "gif",
        Image.new("RGB", (1, 1), (250, 0, 0)).quantize(2),
        {"save_all": True, "append_images": [Image.new("RGB", (1, 1), (0, 0, 250)).quantize(2)]},
        [[250, 0, 0]],
    ),
    "print": ("tiff", Image.new("CMYK", (1, 1), (0, 255, 255, 0)), {}, [[255, 0, 0]]),
}
"""The file's suffix, the image, how it is saved, and the colours that are read, row by row."""


@pytest.mark.parametrize("name", IMAGES)
def test_an_image_of_any_mode_is_read_as_people_see_it(name: str, tmp_path: Path) -> None:
    suffix, image, options, colours = IMAGES[name]
    image.save(tmp_path / f"a.{suffix}", **options)
    read = load_picture(tmp_path / f"a.{suffix}").colour
    assert read.dtype == np.uint8
    assert read.reshape(-1, 3).tolist() == colours
    assert name != "turned" or read.shape == (2, 1, 3)


def _saved(**changes: Any) -> Callable[[Path], None]:
    def write(path: Path) -> None:
        picture().save(path)
        with np.load(path) as file:
            arrays = {**dict(file), **changes}
        np.savez(path, **{name: one for name, one in arrays.items() if one is not None})

    return write


NONE = "FILE is not a picture of treec"
BROKEN: dict[str, tuple[str, Callable[[Path], object], str]] = {
    "missing": ("a.npz", lambda path: None, "FILE cannot be read: No such file or directory"),
    "text": ("a.npz", lambda path: path.write_text("no"), f"{NONE}, or is broken: "),
    "cut off": (
        "a.npz",
        lambda path: (picture().save(path), path.write_bytes(path.read_bytes()[:200])),
        f"{NONE}, or is broken: ",
    ),
    "one array": (
        "a.npz",
        lambda path: np.save(path.open("wb"), np.zeros(3)),
        f"{NONE}, or is broken: it holds one array without a name",
    ),
    "no colour": ("a.npz", _saved(colour=None), f"{NONE}: it has no 'colour'"),
    "no name": ("a.npz", _saved(name=None), f"{NONE}: it has no 'name'"),
    "no time": ("a.npz", _saved(time=None), f"{NONE}: it has no 'time'"),
    "no lens": ("a.npz", _saved(lens=None), f"{NONE}: it has no 'lens'"),
    "grey": (
        "a.npz",
        _saved(colour=np.zeros((4, 6), np.uint8)),
        f"{NONE}: 'colour' is not (height, width, 3)",
    ),
    "four colours": (
        "a.npz",
        _saved(colour=np.zeros((4, 6, 4), np.uint8)),
        f"{NONE}: 'colour' is not (height, width, 3)",
    ),
    "large numbers": (
        "a.npz",
        _saved(colour=np.zeros((4, 6, 3), np.int64)),
        f"{NONE}: 'colour' is not (height, width, 3)",
    ),
    "small depth": (
        "a.npz",
        _saved(depth=np.zeros((4, 5))),
        f"{NONE}: 'depth' is not as large as 'colour'",
    ),
    "long quaternion": (
        "a.npz",
        _saved(pose=np.array([0.0, 0, 0, 1, 1, 0, 0])),
        "FILE: the quaternion of 'pose' (w, x, y, z) has the length 1.41, not 1",
    ),
    **{
        f"wrong {name}": (
            "a.npz",
            _saved(**{"pose" if name in ("quaternion", "place") else name: value}),
            f"{NONE}: its time, 'pose' or 'lens' is not as it should be",
        )
        for name, value in {
            "lens": np.zeros(3),
            "pose": np.zeros(5),
            "quaternion": np.zeros(7),
            "place": np.array([np.nan, 0, 0, 1, 0, 0, 0]),
            "time": np.array("soon"),
        }.items()
    },
    "no image": (
        "a.png",
        lambda path: path.write_text("no"),
        "FILE is not an image that Pillow can read",
    ),
    "half an image": (
        "a.png",
        lambda path: (
            Image.new("RGB", (90, 90), "red").save(path),
            path.write_bytes(path.read_bytes()[:60]),
        ),
        "FILE is an image that cannot be read: ",
    ),
}


@pytest.mark.parametrize("name", BROKEN)
def test_a_broken_file(name: str, tmp_path: Path) -> None:
    file, write, message = BROKEN[name]
    path = tmp_path / file
    write(path)
    with pytest.raises(PictureError) as caught:
        load_picture(path)
    said = str(caught.value).replace(str(path), "FILE")
    assert said.startswith(message) if message.endswith(": ") else said == message
