"""SAPIEN's renderer where available: the same views as by ray casting, with its light and speed.

It needs Vulkan: a graphics card's, or Mesa's software renderer from version 25 on (Debian 12's own
22 lacks what SAPIEN requires). A missing or broken one may crash the process that tries it, so it
is tried once in a process of its own. The rendered scene is built from the stage: scenes for
physics have no visuals.
"""

from __future__ import annotations

import math
import subprocess
import sys
from dataclasses import replace
from functools import cache
from typing import Any

import numpy as np

from treec_sapien.view.camera import Camera, Floats
from treec_sapien.view.depth_image import DepthImage, How
from treec_sapien.view.solids import SolidStage, StageSolid

PATIENCE = 60.0
"""Time limit of the trial in seconds: software renderers compile shaders first."""

_FLOOR = 40.0
"""Extent (m) of the rendered floor to each side."""

_TRIAL = """
import warnings; warnings.simplefilter("ignore")
import sapien
scene = sapien.Scene([sapien.render.RenderSystem()])
sapien.render.set_camera_shader_dir("trivial")
camera = scene.add_camera("trial", 8, 8, 1.0, 0.01, 10.0)
scene.update_render(); camera.take_picture()
assert camera.get_picture("Position").shape == (8, 8, 4)
print("rendered")
"""


@cache
def rendering_available() -> tuple[bool, str]:
    """Whether SAPIEN can render here, and why not. Tried once, in a process of its own."""
    try:
        process = subprocess.run(
            [sys.executable, "-c", _TRIAL],
            capture_output=True,
            text=True,
            timeout=PATIENCE,
            check=False,
        )
    except subprocess.TimeoutExpired:
        return False, f"the renderer gave no picture in {PATIENCE:.0f} s"
    except OSError as error:
        return False, str(error)
    if process.returncode == 0 and "rendered" in process.stdout:
        return True, "SAPIEN renders here"
    lines = [line.strip() for line in process.stderr.splitlines() if line.strip()]
    why = lines[-1] if lines else f"the trial ended with status {process.returncode}"
    return False, why


class NoRendering(RuntimeError):
    """There is no renderer here; the message says why."""


class RenderedView:
    """A view by SAPIEN's renderer. Raises NoRendering.

    ``shader`` is SAPIEN's: default, or trivial, which is faster and has no shadows.
    """

    how: How = "rendered"

    def __init__(self, stage: SolidStage, shader: str = "default") -> None:
        there, why = rendering_available()
        if not there:
            raise NoRendering(why)
        import sapien

        self.stage = stage
        self._sapien = sapien
        sapien.render.set_camera_shader_dir(shader)
        self._scene = sapien.Scene([sapien.render.RenderSystem()])
        self._scene.set_ambient_light([0.35, 0.35, 0.35])
        self._scene.add_directional_light([0.35, 0.55, -0.76], [1.6, 1.6, 1.5], shadow=True)
        self._names = dict(enumerate(stage.things))
        self._entities: list[Any] = [None] * len(stage.pieces)
        self._number: dict[int, int] = {}
        numbers = stage.numbers()
        for at in range(len(stage.pieces)):
            mine = [(n, s) for n, s in zip(numbers, stage.solids, strict=True) if s.piece == at]
            if mine:
                self._entities[at] = self._entity([solid for _, solid in mine])
                self._number[self._entities[at].per_scene_id] = int(mine[0][0])
        self._cameras: dict[tuple[float, ...], Any] = {}

    def depth_and_segmentation(self, camera: Camera, poses: Floats) -> DepthImage:
        """Return what the camera sees of the stage with the pieces at these poses (pieces, 7)."""
        return self.picture(camera, poses)

    def picture(self, camera: Camera, poses: Floats, *, smooth: bool = True) -> DepthImage:
        """Return the same: the renderer makes all three at once."""
        del smooth
        for entity, row in zip(self._entities, poses, strict=True):
            if entity is not None:
                entity.pose = self._pose(row)
        sensor = self._camera(camera)
        sensor.entity.pose = _as_sapien_camera(camera, self._sapien)
        self._scene.update_render()
        sensor.take_picture()
        depth = -sensor.get_picture("Position")[..., 2].astype(np.float32)
        entity = sensor.get_picture("Segmentation")[..., 1]
        table = np.zeros(int(entity.max()) + 1, np.int32)
        for of, number in self._number.items():
            if of < len(table):
                table[of] = number
        ids = table[entity]
        depth[ids == 0] = np.inf
        rgb = np.clip(sensor.get_picture("Color")[..., :3] * 255 + 0.5, 0, 255).astype(np.uint8)
        return DepthImage(self.how, depth, ids, self._names, rgb)

    def close(self) -> None:
        """Release the renderer's scene."""
        self._cameras.clear()
        self._entities.clear()
        del self._scene

    def _camera(self, camera: Camera) -> Any:
        size = (camera.width, camera.height, camera.fx, camera.fy, camera.cx, camera.cy)
        if size not in self._cameras:
            angle = 2 * math.atan(camera.height / 2 / camera.fy)
            sensor = self._scene.add_camera(
                f"camera {len(self._cameras)}", camera.width, camera.height, angle, 0.01, 100.0
            )
            sensor.set_perspective_parameters(
                0.01, 100.0, camera.fx, camera.fy, camera.cx, camera.cy, 0.0
            )
            self._cameras[size] = sensor
        return self._cameras[size]

    def _pose(self, row: Floats) -> Any:
        return self._sapien.Pose(p=row[:3].tolist(), q=row[3:].tolist())

    def _entity(self, solids: list[StageSolid]) -> Any:
        body = self._sapien.render.RenderBodyComponent()
        for solid in solids:
            body.attach(self._shape(solid))
        entity = self._sapien.Entity()
        entity.add_component(body)
        self._scene.add_entity(entity)
        return entity

    def _shape(self, solid: StageSolid) -> Any:
        render = self._sapien.render
        material = render.RenderMaterial(
            base_color=[c**2.2 for c in solid.colour[:3]] + [solid.colour[3]],
            roughness=0.7,
            specular=0.2,
        )
        pose = self._sapien.Pose(p=list(solid.pose.p), q=list(solid.pose.q))
        lying = self._sapien.Pose(q=[math.sqrt(0.5), 0.0, -math.sqrt(0.5), 0.0])
        if solid.kind == "box":
            shape = render.RenderShapeBox(list(solid.half), material)
        elif solid.kind == "sphere":
            shape = render.RenderShapeSphere(solid.half[0], material)
        elif solid.kind == "cylinder":
            shape = render.RenderShapeCylinder(solid.half[0], solid.half[2], material)
            pose = pose * lying
        elif solid.kind == "ellipsoid":
            shape = _mesh(render, _as_hull(solid), material)
        elif solid.kind == "plane":
            shape = render.RenderShapeBox([_FLOOR, _FLOOR, 0.05], material)
            pose = pose * self._sapien.Pose([0.0, 0.0, -0.05])
        else:
            shape = _mesh(render, solid, material)
        shape.local_pose = pose
        return shape


def _as_hull(solid: StageSolid) -> StageSolid:
    """An ellipsoid as a hull of triangles."""
    rings, around = 12, 20
    polar = np.linspace(0.0, np.pi, rings + 1)[:, None]
    turn = np.linspace(0.0, 2 * np.pi, around, endpoint=False)
    unit = np.stack(
        np.broadcast_arrays(
            np.sin(polar) * np.cos(turn), np.sin(polar) * np.sin(turn), np.cos(polar)
        ),
        axis=-1,
    )
    corners = (unit * solid.half).reshape(-1, 3)
    at = np.arange(len(corners)).reshape(rings + 1, around)
    a, b = at[:-1], at[1:]
    faces = [(a, b, np.roll(b, -1, 1)), (a, np.roll(b, -1, 1), np.roll(a, -1, 1))]
    triangles = np.concatenate([np.stack(three, -1).reshape(-1, 3) for three in faces])
    return replace(
        solid,
        kind="hull",
        corners=tuple(map(tuple, corners.tolist())),
        faces=tuple(map(tuple, triangles.tolist())),
    )


def _mesh(render: Any, solid: StageSolid, material: Any) -> Any:
    """A hull as triangles with their own vertices, for flat shading."""
    corners = np.array(solid.corners, np.float32)[np.array(solid.faces)]
    normals = np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0])
    out = corners.mean(axis=1) - np.array(solid.corners).mean(axis=0)
    wrong = (normals * out).sum(axis=1) < 0
    corners[wrong], normals[wrong] = corners[wrong][:, ::-1], -normals[wrong]
    normals /= np.linalg.norm(normals, axis=1, keepdims=True) + 1e-12
    count = 3 * len(corners)
    return render.RenderShapeTriangleMesh(
        corners.reshape(-1, 3),
        np.arange(count, dtype=np.uint32).reshape(-1, 3),
        np.repeat(normals, 3, axis=0).astype(np.float32),
        np.zeros((count, 2), np.float32),
        material,
    )


def _as_sapien_camera(camera: Camera, sapien: Any) -> Any:
    """SAPIEN's cameras look along +x, with y to the left and z up."""
    right, down, ahead = camera.turn.T
    matrix = np.eye(4)
    matrix[:3, :3] = np.column_stack([ahead, -right, -down])
    matrix[:3, 3] = camera.eye
    return sapien.Pose(matrix)
