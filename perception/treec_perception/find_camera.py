"""Find a camera file, its scene and system by name, and look through it before a run."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property

from treec.files.entry import Entry
from treec.files.library import Library
from treec.files.places import SceneFile
from treec.files.systems import SystemFile
from treec.files.view import View
from treec.source.diagnostics import unknown
from treec.source.errors import suggest
from treec_perception.files import CameraFile
from treec_perception.simulated import SimulatedCamera, StartStage
from treec_sapien.bodies.jitter import jitter_layout
from treec_sapien.bodies.pose import Vector
from treec_sapien.bodies.scene import SceneLayout, read
from treec_sapien.check.robots import with_robot
from treec_sapien.check.scene_bodies import agents_of


class CameraNotFound(Exception):
    """There is no such camera or scene, or there are several; the message says what to do."""


class UnknownCamera(CameraNotFound):
    """No system has a camera of this name."""


@dataclass(frozen=True)
class SceneEyes:
    """A system's scene at its start, and the cameras in it."""

    view: View
    scene: Entry[SceneFile]

    @property
    def cameras(self) -> dict[str, CameraFile]:
        """The cameras of the system by name."""
        return {name: entry.model for name, entry in self.view.all("camera").items()}

    @cached_property
    def layout(self) -> SceneLayout:
        """The scene's bodies at their start."""
        return self.layout_of(None)

    def layout_of(self, seed: int | None) -> SceneLayout:
        """Return the scene's bodies, displaced by its jitter if there is a seed."""
        people = {n: _thing(body) for n, body in self._agents.items() if "kind" in body}
        objects = {
            name: spec.model_dump(include={"body", "pose", "yaw"})
            for name, spec in self.scene.model.objects.items()
        }
        layout = read({**objects, **people}, self.scene.model.body_packages)
        how = self.scene.model.jitter
        if seed is None or how is None:
            return layout
        return jitter_layout(layout, seed, how.metres, how.degrees)

    @property
    def _agents(self) -> dict[str, dict[str, object]]:
        agents = agents_of(self.view, self.scene)
        return {it.name: with_robot(self.view, it.model.body or {}) for it in agents}

    @property
    def robots(self) -> dict[str, dict[str, object]]:
        """The bodies of the agents that are robots."""
        return {name: body for name, body in self._agents.items() if "kind" not in body}

    def stage(self, layout: SceneLayout | None = None, *, robots: bool = True) -> StartStage:
        """Return the scene as cameras see it; robots need SAPIEN."""
        from treec_sapien.view.start_picture import AtStart

        shown = self.layout if layout is None else layout
        return StartStage(AtStart(shown, self.robots if robots else {}))

    def camera(self, name: str, stage: StartStage | None = None) -> SimulatedCamera:
        """Return a camera in the scene. Raises KeyError."""
        return SimulatedCamera(self.cameras[name], self.stage() if stage is None else stage)

    def place_of(self, thing: str) -> Vector:
        """Return a point of a thing at the start, for a camera that turns to it."""
        return self.layout.where(thing)

    def words_of(self, thing: str) -> tuple[str, ...]:
        """Return what people call a thing: its name, then its other names."""
        return (thing, *self.scene.model.objects[thing].also)


def systems_with_cameras(library: Library) -> list[Entry[SystemFile]]:
    """Return the library's systems that have cameras."""
    return [it for it in library.own("system") if View(library, it).all("camera")]


def find_eyes(
    library: Library, camera: str | None, system: str | None = None, scene: str | None = None
) -> SceneEyes:
    """Return the system with a camera, in its scene or another one of its domain.

    Raises CameraNotFound.
    """
    systems = systems_with_cameras(library)
    if system is not None:
        systems = [it for it in library.own("system") if it.name == system]
        if not systems:
            known = [it.name for it in systems_with_cameras(library)]
            near = suggest(system, [it.name for it in library.own("system")])
            hint = near or f"with cameras: {', '.join(known) or 'none'}"
            raise CameraNotFound(f"unknown system '{system}'; {hint}")
    if not systems:
        raise UnknownCamera("no system of this library has a camera: write NAME.camera.yaml")
    if camera is not None:
        systems = _with_camera(library, systems, camera)
    elif scene is not None:
        entry = library.find("scene", scene)
        domain = entry.model.domain if entry is not None else None
        systems = [it for it in systems if it.model.domain == domain] or systems
    chosen = systems[0]
    view = View(library, chosen)
    wanted = scene or chosen.model.scene
    scene_entry = library.find("scene", wanted) if wanted else None
    if scene_entry is None:
        known = [it.name for it in library.of_kind("scene")]
        raise CameraNotFound(unknown("scene", str(wanted), known))
    return SceneEyes(view, scene_entry)


def _with_camera(
    library: Library, systems: list[Entry[SystemFile]], camera: str
) -> list[Entry[SystemFile]]:
    cameras = {it.name: View(library, it).all("camera").get(camera) for it in systems}
    own = [it for it in systems if cameras[it.name] is not None]
    if not own:
        known = sorted({n for it in systems for n in View(library, it).all("camera")})
        raise UnknownCamera(unknown("camera", camera, known))
    if len({cameras[it.name].path for it in own}) > 1:  # type: ignore[union-attr]
        names = ", ".join(it.name for it in own)
        raise CameraNotFound(
            f"several systems have a camera '{camera}': choose one with --system: {names}"
        )
    return own


def _thing(body: Mapping[str, object]) -> dict[str, object]:
    """An agent's body of a kind, in the form of an object's."""
    placed: dict[str, object] = {key: body[key] for key in ("pose", "yaw") if key in body}
    return {**placed, "body": {key: it for key, it in body.items() if key not in placed}}
