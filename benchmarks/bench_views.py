"""What it takes to see a kitchen: depth and segmentation, pictures; beside PhysX' ray casts."""

from __future__ import annotations

import time
from collections.abc import Callable
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any

import yaml

from benchmarks.process import ROOT
from benchmarks.table import Cell, Table

if TYPE_CHECKING:
    from treec_sapien.things import Things
    from treec_sapien.view.camera import Camera

SIZE = (128, 128)
PICTURE = (320, 240)

SCENES = {
    "kitchen, Panda and Stretch": ("envs/kitchen", "kitchen", ("R1", "R2")),
    "kitchen_1, Baxter": ("envs/dual_kitchen", "kitchen_1", ("left", "right")),
    "kitchen_3, Baxter": ("envs/dual_kitchen", "kitchen_3", ("left", "right")),
}


def run(small: bool) -> list[Table]:
    """Frames a second of each way to see; nothing where SAPIEN is not installed."""
    if find_spec("sapien") is None:
        return []
    from treec_sapien.view.rendering import rendering_available

    there, why = rendering_available()
    scenes = list(SCENES)[-1:] if small else list(SCENES)
    rows = [_row(name, there, 1 if small else 9) for name in scenes]
    rendered = "SAPIEN's default shader" if there else f"not here: {why}"
    return [
        Table(
            "Frames a second of what one sees",
            (
                *("scene", "solids", "depth and things, rays", "PhysX' ray casts"),
                *("picture, rays", "edges not smoothed", "picture, rendered"),
            ),
            rows,
            (
                f"Depth and things at {SIZE[0]} × {SIZE[1]}, pictures at {PICTURE[0]} × "
                f"{PICTURE[1]}. Rays and PhysX: seconds of the processor, one core, the least of "
                "all turns; PhysX with the hits' distances and entities read. "
                f"Rendered: {rendered}; real seconds.",
            ),
        )
    ]


def _row(name: str, there: bool, turns: int) -> tuple[Cell, ...]:
    from treec_sapien.view.rays import RayView
    from treec_sapien.view.rendering import RenderedView
    from treec_sapien.view.scene import SceneView
    from treec_sapien.view.viewpoints import overview

    things = kitchen(*SCENES[name])
    things.scene.step()  # PhysX' ray casts know of where things were before the last step
    watched = SceneView(things)
    view, poses = RayView(watched.stage), watched.poses()
    camera = overview(view, poses, SIZE)
    wide = overview(view, poses, PICTURE)

    def ours() -> None:
        view.depth_and_segmentation(camera, watched.poses())

    cells: list[Cell] = [name, len(watched.stage.solids)]
    cells.append(1 / least(ours, turns))
    cells.append(1 / least(lambda: _physx(things, camera), turns))
    for smooth in (True, False):
        one = least(lambda smooth=smooth: view.picture(wide, poses, smooth=smooth), turns)
        cells.append(1 / one)
    if there:
        rendered = RenderedView(watched.stage)
        rendered.picture(wide, poses)  # the first one compiles shaders
        cells.append(1 / least(lambda: rendered.picture(wide, poses), turns, time.perf_counter))
    else:
        cells.append("-")
    return tuple(cells)


def least(
    action: Callable[[], object], turns: int, clock: Callable[[], float] = time.process_time
) -> float:
    found = []
    for _ in range(turns):
        started = clock()
        action()
        found.append(clock() - started)
    return min(found)


def _physx(things: Things, camera: Camera) -> None:
    """The same depth and segmentation by PhysX, a call for each ray."""
    import numpy as np

    y, x = (np.mgrid[0 : camera.height, 0 : camera.width] + 0.5).reshape(2, -1)
    rays = camera.towards(x, y)
    lengths = np.linalg.norm(rays, axis=1)
    cast, eye = things.scene.physx_system.raycast, camera.eye
    hits = [cast(eye, ray, 50.0) for ray in rays / lengths[:, None]]
    depth = np.array([np.inf if hit is None else hit.distance for hit in hits]) / lengths
    entities = [None if hit is None else hit.component.entity for hit in hits]
    assert len(depth) == len(entities)


def kitchen(
    folder: str, scene: str, agents: tuple[str, ...], people: dict[str, Any] | None = None
) -> Things:
    from treec import EnvironmentSetup
    from treec_sapien.things import Things

    def read(kind: str, name: str) -> dict[str, Any]:
        text = (ROOT / folder / f"{name}.{kind}.yaml").read_text("utf-8")
        data: dict[str, Any] = yaml.safe_load(text)
        return data

    objects = read("scene", scene)["objects"]
    bodies = {name: {"body": read("agent", name)["body"]} for name in agents}
    packages = ("treec_sapien.bodies",)
    setup = EnvironmentSetup("sapien", scene, objects, bodies, bodies=packages, people=people or {})
    return Things(setup)
