from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

from tests.envs.sapien.scenes import kitchen
from treec_sapien.view import rendering
from treec_sapien.view.camera import Camera
from treec_sapien.view.depth_image import DepthImage
from treec_sapien.view.rays import RayView
from treec_sapien.view.rendering import NoRendering, RenderedView, rendering_available
from treec_sapien.view.scene import SceneView
from treec_sapien.view.solids import StageSolid

from .stages import CUBE, RED, SIDES, poses, stage, table_and_door, tumbled

THERE, WHY = rendering_available()
needs_renderer = pytest.mark.skipif(not THERE, reason=f"no rendering here: {WHY}")

CAMERA = Camera.looking((0.9, -1.6, 1.7), (0.0, 0.0, 0.6), (128, 96), 50.0)


@pytest.fixture
def tried_anew() -> Iterator[None]:
    rendering_available.cache_clear()
    yield
    rendering_available.cache_clear()


def python_that(does: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Let the trial's process do this instead."""
    fake = tmp_path / "python"
    fake.write_text(f"#!/bin/sh\n{does}\n", "utf-8")
    fake.chmod(0o755)
    monkeypatch.setattr(sys, "executable", str(fake))


@pytest.mark.usefixtures("tried_anew")
@pytest.mark.parametrize(
    ("does", "why"),
    [
        ("kill -ABRT $$", "status -6"),
        ("echo first >&2; echo 'cannot find a device' >&2; exit 1", "cannot find a device"),
        ("exit 0", "status 0"),
    ],
)
def test_a_renderer_that_breaks_is_none(
    does: str, why: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    python_that(does, tmp_path, monkeypatch)
    there, said = rendering_available()
    assert not there
    assert why in said
    with pytest.raises(NoRendering, match=why):
        RenderedView(table_and_door()[0])


@pytest.mark.usefixtures("tried_anew")
def test_a_renderer_that_hangs_is_none(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    python_that("exec tail -f /dev/null", tmp_path, monkeypatch)
    monkeypatch.setattr(rendering, "PATIENCE", 0.05)
    there, why = rendering_available()
    assert not there
    assert "no picture in" in why


@pytest.mark.usefixtures("tried_anew")
def test_it_is_tried_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    count = tmp_path / "count"
    python_that(f"echo tried >> {count}; exit 1", tmp_path, monkeypatch)
    for _ in range(3):
        rendering_available()
    assert count.read_text("utf-8").count("tried") == 1


@needs_renderer
def test_rendering_and_rays_see_the_same_things() -> None:
    made = kitchen()
    watched = SceneView(made)
    where = watched.poses()
    cast = RayView(watched.stage).depth_and_segmentation(CAMERA, where)
    seen = RenderedView(watched.stage, "trivial").picture(CAMERA, where)
    agree(cast, seen)
    assert seen.how == "rendered"


@needs_renderer
def test_every_kind_of_solid_is_rendered_where_rays_meet_it() -> None:
    kinds = stage(
        StageSolid("box", 1, RED, half=(0.1, 0.15, 0.2)),
        StageSolid("cylinder", 2, RED, half=(0.08, 0.08, 0.2)),
        StageSolid("sphere", 3, RED, half=(0.1, 0.1, 0.1)),
        StageSolid("hull", 4, RED, corners=CUBE, faces=SIDES),
    )
    places = [tumbled(seed) for seed in range(4)]
    where = poses(*places)
    where[1:, 0] += (-0.6, -0.2, 0.2, 0.6)
    agree(
        RayView(kinds).depth_and_segmentation(CAMERA, where),
        RenderedView(kinds, "trivial").picture(CAMERA, where),
    )


@needs_renderer
def test_what_moves_is_rendered_where_it_is() -> None:
    scene, where = table_and_door()
    view, rays = RenderedView(scene, "trivial"), RayView(scene)
    for x in (0.4, -0.5):
        where[3, 0] = x
        agree(rays.depth_and_segmentation(CAMERA, where), view.picture(CAMERA, where))


def agree(cast: DepthImage, seen: DepthImage) -> None:
    """Both see the same, but for pixels on edges."""
    near = cast.depth < 20  # a rendered floor ends somewhere
    assert seen.names == cast.names
    same = (seen.ids == cast.ids) & near
    assert same.sum() / near.sum() > 0.99
    off = np.abs(seen.depth - cast.depth)[same]
    assert np.median(off) < 1e-4
    assert (off < 0.01).mean() > 0.98
    assert seen.rgb is not None
    assert seen.rgb.shape == (96, 128, 3)
