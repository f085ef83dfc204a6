"""A picture of a camera: colour, depth, where it was taken from, and how to store it."""

from __future__ import annotations

import hashlib
import math
import struct
from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from io import BytesIO
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from treec.arrays import read_arrays
from treec_sapien.bodies.pose import Pose, unit
from treec_sapien.view.camera import Camera, Floats

Image = npt.NDArray[np.uint8]
Depth = npt.NDArray[np.float32]


class PictureError(ValueError):
    """A file cannot be read as a picture; the message names it and says why."""


@dataclass(frozen=True)
class Picture:
    """Colour (height, width, 3; bytes), depth (height, width; metres, 0 for none) and its camera.

    Depth is aligned to colour: both have the intrinsics and the pose of ``camera``. ``ids`` and
    ``names`` are the simulator's own segmentation, where there is one.
    """

    name: str
    colour: Image
    depth: Depth | None = None
    camera: Camera | None = None
    time: float = 0.0
    ids: npt.NDArray[np.int32] | None = None
    names: Mapping[int, str] | None = None

    @property
    def digest(self) -> str:
        """A hash of colour and depth: what a journal names the picture by."""
        sha = hashlib.sha256(np.ascontiguousarray(self.colour).tobytes())
        if self.depth is not None:
            sha.update(np.ascontiguousarray(self.depth).tobytes())
        return sha.hexdigest()[:16]

    @property
    def evenness(self) -> float:
        """The share (0 to 1) of neighbouring pixels that have the same colour."""
        across = (self.colour[:, 1:] == self.colour[:, :-1]).all(axis=2)
        down = (self.colour[1:] == self.colour[:-1]).all(axis=2)
        alike = int(np.count_nonzero(across)) + int(np.count_nonzero(down))
        pairs: int = across.size + down.size
        return alike / max(pairs, 1)

    @property
    def blackness(self) -> float:
        """The share (0 to 1) of pixels that are black, or nearly so."""
        return float((self.colour.max(axis=2) <= 5).mean())

    def mask(self, thing: str) -> npt.NDArray[np.bool_]:
        """Return the pixels that show a thing, as the simulator knows. Raises KeyError."""
        if self.ids is None or self.names is None:
            raise KeyError(f"{self.name} has no segmentation")
        numbers = [number for number, name in self.names.items() if name == thing]
        if not numbers:
            raise KeyError(thing)
        return np.asarray(self.ids == numbers[0])

    def cut(self, x0: int, y0: int, x1: int, y1: int) -> Picture:
        """Return the part from pixel (x0, y0) to before (x1, y1), seen by the same camera."""
        part = np.s_[max(0, y0) : y1, max(0, x0) : x1]
        colour = self.colour[part]
        camera = self.camera
        if camera is not None:
            high, wide, _ = colour.shape
            camera = replace(camera.shift(-max(0, x0), -max(0, y0)), width=wide, height=high)
        depth = None if self.depth is None else self.depth[part]
        ids = None if self.ids is None else self.ids[part]
        return replace(self, colour=colour, depth=depth, camera=camera, ids=ids)

    def points(self) -> Floats:
        """Return the points of the scene (height, width, 3). Raises ValueError without depth."""
        if self.depth is None or self.camera is None:
            raise ValueError(f"the picture '{self.name}' has no depth")
        return self._points

    @cached_property
    def _points(self) -> Floats:
        assert self.camera is not None
        assert self.depth is not None
        return self.camera.points(self.depth)

    def save(self, path: Path) -> None:
        """Write it as compressed ``.npz``."""
        more: dict[str, npt.NDArray[np.float64] | Depth] = {}
        if self.depth is not None:
            more["depth"] = self.depth
        if self.camera is not None:
            it = self.camera
            more["lens"] = np.array([it.fx, it.fy, it.cx, it.cy])
            more["pose"] = np.array([*it.pose.p, *it.pose.q])
        np.savez_compressed(
            path, name=np.array(self.name), time=self.time, colour=self.colour, **more
        )


def load_picture(path: Path) -> Picture:
    """Read a picture that was saved, or an image file (colour alone). Raises PictureError."""
    try:
        data = path.read_bytes()
    except OSError as error:
        raise PictureError(f"{path} cannot be read: {error.strerror}") from None
    return _saved(path, data) if path.suffix == ".npz" else _image(path, data)


def _saved(path: Path, data: bytes) -> Picture:
    try:
        arrays = read_arrays(data)
    except ValueError as error:
        raise PictureError(f"{path} is not a picture of treec, or is broken: {error}") from None
    for name in ("colour", "name", "time", *(("lens",) if "pose" in arrays else ())):
        if name not in arrays:
            raise PictureError(f"{path} is not a picture of treec: it has no '{name}'")
    colour, depth = arrays["colour"], arrays.get("depth")
    if colour.dtype != np.uint8 or colour.ndim != 3 or colour.shape[2] != 3:
        raise PictureError(f"{path} is not a picture of treec: 'colour' is not (height, width, 3)")
    if depth is not None and depth.shape != colour.shape[:2]:
        raise PictureError(f"{path} is not a picture of treec: 'depth' is not as large as 'colour'")
    camera = None
    try:
        if "pose" in arrays:
            x, y, z, *q = (float(number) for number in arrays["pose"])
            fx, fy, cx, cy = (float(number) for number in arrays["lens"])
            if not all(map(math.isfinite, (x, y, z, cx, cy))) or not 0 < min(fx, fy) < math.inf:
                raise ValueError
            turned = unit((q[0], q[1], q[2], q[3]))
            if abs(math.hypot(*q) - 1.0) > 0.01:
                raise PictureError(
                    f"{path}: the quaternion of 'pose' (w, x, y, z) has the length "
                    f"{math.hypot(*q):.3g}, not 1"
                )
            pose = Pose((x, y, z), turned)
            camera = Camera(pose, fx, fy, cx, cy, colour.shape[1], colour.shape[0])
        return Picture(str(arrays["name"]), colour, depth, camera, float(arrays["time"]))
    except PictureError:
        raise
    except (TypeError, ValueError, IndexError):
        raise PictureError(
            f"{path} is not a picture of treec: its time, 'pose' or 'lens' is not as it should be"
        ) from None


def _image(path: Path, data: bytes) -> Picture:
    from PIL import Image as Pillow
    from PIL import ImageOps, UnidentifiedImageError

    try:
        with Pillow.open(BytesIO(data)) as image:
            return Picture(path.stem, _colours(ImageOps.exif_transpose(image)))
    except UnidentifiedImageError:
        raise PictureError(f"{path} is not an image that Pillow can read") from None
    except (OSError, SyntaxError, ValueError, struct.error, Pillow.DecompressionBombError) as error:
        raise PictureError(f"{path} is an image that cannot be read: {error}") from None


def _colours(image: Any) -> Image:
    """Return an image of Pillow as 8-bit colour; of several frames the first.

    What is transparent is white. Grey values of more than 8 bits are scaled by the least number of
    bits that holds all of them: a sensor's 10 or 12 bits are stored in 16. Raises ValueError.
    """
    from PIL import Image as Pillow

    if image.mode == "F" or image.mode.startswith("I"):
        grey = np.nan_to_num(np.asarray(image, np.float64), nan=0.0, posinf=0.0, neginf=0.0)
        highest = grey.max(initial=0.0)
        if image.mode == "F" and highest <= 1.0:
            whole = 1.0
        else:
            whole = 2.0 ** max(8, int(highest).bit_length()) - 1.0
        scaled = np.clip(grey * (255.0 / whole), 0.0, 255.0).round().astype(np.uint8)
        return np.repeat(scaled[:, :, None], 3, axis=2)
    if image.has_transparency_data:
        image = image.convert("RGBA")
        white = Pillow.new("RGBA", image.size, "white")
        image = Pillow.alpha_composite(white, image)
    return np.asarray(image.convert("RGB"), np.uint8)
