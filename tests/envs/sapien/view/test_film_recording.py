"""The small kitchen filmed, and looked at by ray casts of ours and of PhysX."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from tests.envs.sapien.scenes import Told, kitchen, order
from treec_sapien.environment import open_environment
from treec_sapien.view.camera import Camera
from treec_sapien.view.film import read_film
from treec_sapien.view.run_film import FILE
from treec_sapien.view.scene import SceneView
from treec_sapien.worker import Physical, PhysicalAct, Steps


class Wait(Physical):
    """Does nothing for a while."""

    def do(self, act: PhysicalAct) -> Steps:
        yield from act.wait(0.7)


@pytest.fixture(scope="module")
def film(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The film of a run of 2 s in which something is done from 0.4 to 1.1 s."""
    folder = tmp_path_factory.mktemp("run")
    made = kitchen(folder=folder)
    made.step(0.4)
    told = Told(made)
    Wait().start(order(), told)
    made.step(1.5)
    made.step(2.0)
    assert told.ended
    made.close()
    return folder / FILE


def test_beginnings_and_ends_are_kept(film: Path) -> None:
    times = read_film(film).times
    assert times[0] == 0.0
    for moment in (0.4, 0.4 + 0.7 + 1 / 60):
        assert np.abs(times - moment).min() < 0.02
    assert np.diff(times).max() <= 0.4 + 1e-6


def test_the_film_shows_where_things_were(film: Path) -> None:
    kept = read_film(film)
    at = kept.stage.pieces.index(("apple", "body"))
    assert kept.poses[0, at, :3] == pytest.approx((-0.2, -0.1, 0.75), abs=2e-3)
    assert "R1" in kept.stage.things
    assert kept.stage.parts == {"oven_door": ("oven", "door")}


def test_no_film_is_kept_where_none_is_wanted(tmp_path: Path) -> None:
    setup = kitchen().setup
    open_environment(replace(setup, folder=tmp_path, film=0.0)).close()
    assert not (tmp_path / FILE).exists()


def test_rays_meet_what_physx_says() -> None:
    made = kitchen()
    made.physics()  # its ray casts know of where things were before the last step
    watched = SceneView(made)
    camera = Camera.looking((0.9, -1.6, 1.7), (0.0, 0.0, 0.8), (40, 30), 50.0)
    seen = watched.depth_and_segmentation(camera)
    y, x = np.mgrid[0:30, 0:40] + 0.5
    rays = camera.towards(x, y)
    lengths = np.linalg.norm(rays, axis=-1)
    system = made.scene.physx_system
    depth = np.full((30, 40), np.inf)
    name = np.full((30, 40), "", dtype=object)
    for row in range(30):
        for column in range(40):
            length = lengths[row, column]
            hit = system.raycast(camera.eye, rays[row, column] / length, 40.0)
            if hit is not None:
                depth[row, column] = hit.distance / length
                thing = made.pieces.get(hit.component.entity, ("ground", ""))
                name[row, column] = "oven_door" if thing == ("oven", "door") else thing[0]
    near = depth < 30
    ours = np.array([seen.names[number] for number in seen.ids.ravel()]).reshape(30, 40)
    assert (ours == name)[near].mean() > 0.99
    same = near & (ours == name)
    assert np.abs(seen.depth - depth)[same].max() < 0.01, "a cylinder of PhysX has flat sides"
    assert np.median(np.abs(seen.depth - depth)[same]) < 1e-5
