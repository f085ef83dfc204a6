"""The film of a recorded run as pictures, for `treec report`.

Pictures are rendered where SAPIEN can render, else ray cast; each says which.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

from treec_live.film import FilmOfRun, Shot, Still

if TYPE_CHECKING:
    from treec_sapien.view.camera import Camera
    from treec_sapien.view.depth_image import Image
    from treec_sapien.view.film import Film
    from treec_sapien.view.rays import RayView
    from treec_sapien.view.rendering import RenderedView

FILE = "sapien.film"
SIZE = (400, 300)
CLOSE = (240, 180)

PACE = 100
"""Milliseconds per picture of an animation."""


class RunFilm:
    """A run's film; made by `open_film`."""

    def __init__(self, file: Path) -> None:
        from treec_sapien.view.film import read_film
        from treec_sapien.view.rays import RayView

        self.film: Film = read_film(file)
        self._rays: RayView = RayView(self.film.stage)

    @cached_property
    def view(self) -> RayView | RenderedView:
        """What makes the pictures."""
        from treec_sapien.view.rendering import NoRendering, RenderedView

        try:
            return RenderedView(self.film.stage)
        except NoRendering:
            return self._rays

    @property
    def how(self) -> str:
        """How its pictures are made."""
        return self.view.how

    @property
    def end(self) -> float:
        """The time of the last frame."""
        return float(self.film.times[-1])

    def frames(self, most: int) -> Iterator[Still]:
        """Return pictures of the whole scene at no more than ``most`` moments of the run."""
        from treec_sapien.view.images import webp

        for t, picture in self._pictures(most):
            yield Still(t, webp(picture))

    def still(self, t: float) -> Still:
        """Return a picture of the whole scene, from the same viewpoint at all times."""
        from treec_sapien.view.images import webp

        at = self.film.at(t)
        return Still(float(self.film.times[at]), webp(self._picture(at)))

    def shot(self, wanted: Shot) -> Iterator[Still]:
        """Return a picture for each requested time, all from one viewpoint close to the things."""
        from treec_sapien.view.images import webp
        from treec_sapien.view.viewpoints import close_up, overview

        moments = [self.film.poses[self.film.at(t)] for t in wanted.times]
        things = [thing for thing in wanted.things if self.film.stage.pieces_of(thing)]
        if things:
            camera = close_up(self._rays, moments, things, CLOSE, by=wanted.by)
        else:
            camera = overview(self._rays, moments[0], CLOSE)
        for t, poses in zip(wanted.times, moments, strict=True):
            picture = self.view.picture(camera, poses).rgb
            assert picture is not None
            yield Still(t, webp(picture))

    def depth_pictures(self, t: float) -> Iterator[tuple[str, Still]]:
        """Return depth and segmentation of the whole scene at a moment, as pictures."""
        from treec_sapien.view.images import of_depth, of_ids, webp

        at = self.film.at(t)
        image = self.view.depth_and_segmentation(self._camera, self.film.poses[at])
        moment = float(self.film.times[at])
        yield "depth", Still(moment, webp(of_depth(image.depth, image.ids > 1)))
        yield "things", Still(moment, webp(of_ids(image.ids)))

    def animation(self, most: int, suffix: str) -> bytes:
        """Return the frames as one animated file: .webp or .gif."""
        from treec_sapien.view.images import encode_animation

        return encode_animation([picture for _, picture in self._pictures(most)], PACE, suffix)

    def _pictures(self, most: int) -> Iterator[tuple[float, Image]]:
        count = len(self.film.times)
        steps = min(count, max(2, most))
        chosen = sorted({round(i * (count - 1) / max(steps - 1, 1)) for i in range(steps)})
        for at in chosen:
            yield float(self.film.times[at]), self._picture(at)

    def _picture(self, at: int) -> Image:
        picture = self.view.picture(self._camera, self.film.poses[at]).rgb
        assert picture is not None
        return picture

    @cached_property
    def _camera(self) -> Camera:
        from treec_sapien.view.viewpoints import overview

        return overview(self._rays, self.film.poses[0], SIZE)


def open_film(folder: Path) -> FilmOfRun | None:
    """Return the film in a run's folder; None if there is none. Raises ValueError if invalid."""
    file = folder / FILE
    return RunFilm(file) if file.is_file() else None
