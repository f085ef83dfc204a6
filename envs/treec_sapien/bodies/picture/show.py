"""Write a picture of a scene: PNG, GLB, or a plan as SVG."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

from treec_sapien.bodies.picture.mesh import Mesh, meshes
from treec_sapien.bodies.picture.plan import plan
from treec_sapien.bodies.picture.png import png
from treec_sapien.bodies.picture.robots import robots
from treec_sapien.bodies.scene import read
from treec_sapien.bodies.spec import Body
from treec_sapien.view.start_picture import AtStart

KINDS = (".png", ".glb", ".svg")


def show(
    objects: Mapping[str, Mapping[str, Any]],
    bodies: Sequence[str],
    agents: Mapping[str, Mapping[str, Any]],
    out: Path,
    *,
    turn: float = -30.0,
    tilt: float = 28.0,
    size: tuple[int, int] = (1100, 760),
    opened: bool = False,
) -> str:
    """Write a picture of a scene with its agents' robots; return a description of what was drawn.

    ``turn`` and ``tilt`` place a PNG's camera: degrees to the right of the front, and downwards.
    ``opened`` shows all doors open. The file's suffix selects the format.
    """
    people = {name: _thing(body) for name, body in agents.items() if "kind" in body}
    agents = {name: body for name, body in agents.items() if name not in people}
    layout = read({**objects, **people}, bodies)
    if opened:
        for name, placed in layout.bodies.items():
            layout.bodies[name] = replace(placed, body=_open(placed.body))
    if out.suffix == ".png":
        stage = AtStart(layout, agents)
        out.write_bytes(png(stage.picture(turn, tilt, size)))
        return f"{len(layout.bodies)} bodies and {stage.robots} robots"
    machines = robots(agents)
    if out.suffix == ".svg":
        out.write_text(plan(layout, machines, agents), "utf-8")
    else:
        scene_meshes = [
            mesh for name, placed in layout.bodies.items() for mesh in meshes(name, placed)
        ]
        out.write_bytes(glb([*scene_meshes, *machines]))
    names = len({mesh.name for mesh in machines})
    return f"{len(layout.bodies)} bodies and {names} robots"


def _thing(body: Mapping[str, Any]) -> dict[str, Any]:
    """An agent's body of a kind, in the form of an object's."""
    placed = {key: body[key] for key in ("pose", "yaw") if key in body}
    return {**placed, "body": {key: it for key, it in body.items() if key not in placed}}


def _open(body: Body) -> Body:
    """A body with its doors open and what a spring then pushes out."""
    joints = (
        replace(it, start=it.limits[1]) if it.name in body.opened or it.rest > 0 else it
        for it in body.joints
    )
    return replace(body, joints=tuple(joints))


def glb(bodies: Sequence[Mesh]) -> bytes:
    """Return meshes as binary glTF: one node for each thing, y up as the format requires."""
    import trimesh

    scene = trimesh.Scene()
    upright = trimesh.transformations.rotation_matrix(-np.pi / 2, [1, 0, 0])
    for number, mesh in enumerate(bodies):
        colour = [round(255 * it) for it in mesh.colour]
        material = trimesh.visual.material.PBRMaterial(
            baseColorFactor=colour, metallicFactor=0.0, roughnessFactor=0.8
        )
        solid = trimesh.Trimesh(
            mesh.vertices, mesh.faces, vertex_normals=mesh.normals, process=False
        )
        solid.visual = trimesh.visual.TextureVisuals(material=material)
        scene.add_geometry(
            solid,
            node_name=f"{mesh.name} {number}",
            geom_name=f"{mesh.name} {number}",
            transform=upright,
        )
    data: bytes = scene.export(file_type="glb")
    return data
