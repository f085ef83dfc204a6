"""A view of a stage by ray casting; needs neither a renderer nor a simulator."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from treec_sapien.view.camera import Camera, Floats
from treec_sapien.view.depth_image import DepthImage, How, Image
from treec_sapien.view.picture import DAY, Light, look_at_pixels, paint
from treec_sapien.view.raycast import Caster, RayHits
from treec_sapien.view.solids import SolidStage


class RayView:
    """Same interface as `treec_sapien.view.rendering.RenderedView`."""

    how: How = "ray cast"

    def __init__(self, stage: SolidStage, merge: float = 0.0) -> None:
        self.stage = stage
        self._caster = Caster(stage, merge)
        self._numbers = np.append(stage.numbers(), 0).astype(np.int32)  # last: no solid
        self._names = dict(enumerate(stage.things))

    def depth_and_segmentation(self, camera: Camera, poses: Floats) -> DepthImage:
        """Return what the camera sees of the stage with the pieces at these poses (pieces, 7)."""
        return self._exact(camera, look_at_pixels(camera, self._caster, poses))

    def _exact(self, camera: Camera, looked: RayHits) -> DepthImage:
        hits = looked.first()
        shape = (camera.height, camera.width)
        depth = hits.far.astype(np.float32).reshape(shape)
        return DepthImage(self.how, depth, self._numbers[hits.solid].reshape(shape), self._names)

    def picture(
        self, camera: Camera, poses: Floats, *, smooth: bool = True, light: Light = DAY
    ) -> DepthImage:
        """Return the same with a shaded picture; ``smooth`` takes twice the time."""
        looked = look_at_pixels(camera, self._caster, poses)
        rgb = paint(camera, self._caster, poses, smooth=smooth, light=light, looked=looked)
        return replace(self._exact(camera, looked), rgb=rgb)

    def crop(self, camera: Camera, poses: Floats, x: Floats, y: Floats) -> Image:
        """Return the colours (…, h, w, 3) of the camera's pixels in columns x and rows y.

        x (…, w) and y (…, h) are of one crop, or of several that are looked at together. Pixels
        that are named twice are shown twice; those beyond the picture as it would go on.
        """
        shape = (*y.shape, x.shape[-1])
        columns = np.broadcast_to(np.floor(x)[..., None, :] + 0.5, shape)
        rows = np.broadcast_to(np.floor(y)[..., None] + 0.5, shape)
        looked = self._caster.place(poses).look(camera, columns.ravel(), rows.ravel())
        size = replace(camera, width=shape[-1], height=int(np.prod(shape[:-1])))
        flat = paint(size, self._caster, poses, smooth=False, looked=looked)
        return flat.reshape(*shape, 3)

    def corners(self, poses: Floats, things: Sequence[str] | None = None) -> Floats:
        """Return the corners (n, 3) of the solids' boxes of some things, or of all but the floor.

        Raises ValueError if there are none.
        """
        names = self.stage.things[2:] if things is None else things
        pieces = [piece for name in names for piece in self.stage.pieces_of(name)]
        mine = np.isin(self._caster.piece, pieces)
        if not mine.any():
            raise ValueError(f"no part of {', '.join(names) or 'this scene'} is visible")
        return self._caster.place(poses).corners[mine].reshape(-1, 3)

    def close(self) -> None:
        """Do nothing: no resources are held."""
