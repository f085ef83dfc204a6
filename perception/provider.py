"""Answers `localize(thing)` in runs: looks through the cameras and finds the thing.

Looking happens in a process of its own. In an environment with simulated bodies cameras show these;
in any other one they are what their files' `runs` say, a RealSense or a recording. The points of
cameras that agree are fused; where they disagree by more than the localizer allows, the best one's
is the answer, and that is told.
Of a simulator's truth only the place to which a head turns is used, as the robot's map; how far the
point is from it is journaled, with the truth itself, for the report.
"""

from __future__ import annotations

import multiprocessing
import threading
from collections.abc import Callable, Mapping
from contextlib import suppress
from multiprocessing.connection import Connection
from multiprocessing.context import SpawnProcess
from typing import Any

import numpy as np

from treec.envs.bodies.pose import Pose, Vector
from treec.nodes.needs import NeedAnswer, NeedCall, NeedSetup
from treec.perception.default import DEFAULT
from treec.perception.eye_process import EyeAnswer, EyeRequest, EyeSetup, Links, serve
from treec.perception.find_camera import SceneEyes
from treec.perception.fuse import fuse
from treec.perception.sources import source_of
from treec.perception.wanted import size_of, wanted_thing

PICTURES = "seen"
"""The folder of pictures in a run's folder."""


def open_localizer(setup: NeedSetup) -> RunEyes:
    """Open the provider for a run."""
    return RunEyes(setup)


class RunEyes:
    """The cameras of a run, with the localizer of the system."""

    takes = 0.5
    limit = 120.0

    def __init__(self, setup: NeedSetup) -> None:
        self._setup = setup
        localizers = list(setup.view.all("localizer").values())
        self._localizer = localizers[0].model if localizers else DEFAULT
        known = {name: entry.model for name, entry in setup.view.all("camera").items()}
        names = self._localizer.cameras or list(known)
        self._cameras = tuple(known[name] for name in names if name in known)
        self._pipe: Connection | None = None
        self._process: SpawnProcess | None = None
        self._view: Any = None
        self._number = 0
        self._lock = threading.Lock()

    def ask(self, call: NeedCall, answer: Callable[[NeedAnswer], None]) -> None:
        """Look for a thing; see `Needs`."""
        things: Any = call.environment
        thing = call.args["thing"]
        simulated = hasattr(things, "layout")
        if simulated and thing not in things.bodies:
            answer(NeedAnswer(why=f"not seen: {thing} has no body here", module=__name__))
            return
        if not self._cameras:
            answer(NeedAnswer(why="not seen: the system has no camera", module=__name__))
            return
        scene = self._setup.view.scenes[0]
        layout = things.layout if simulated else SceneEyes(self._setup.view, scene).layout
        truth = _middle(things, thing) if simulated else None
        self._start(things, simulated=simulated)
        self._number += 1
        request = EyeRequest(
            self._number,
            wanted_thing(thing, scene.model, layout),
            self._view.poses() if simulated else None,
            self._links(things, simulated=simulated),
            truth,  # the map: where the thing is said to be; cameras turn there
            1000 * self._setup.seed + self._number,
            call.time,
        )
        threading.Thread(
            target=self._exchange, args=(request, truth, answer), name="eyes", daemon=True
        ).start()

    def _start(self, things: Any, *, simulated: bool) -> None:
        if self._process is not None:
            return
        stage = None
        if simulated:
            from treec.envs.sapien.view.scene import SceneView

            self._view = SceneView(things)
            stage = self._view.stage
        named = [(it, source_of(it, simulated=simulated)) for it in self._cameras]
        folder = self._setup.folder
        setup = EyeSetup(
            stage,
            tuple((it, name) for it, name in named if name is not None),
            self._localizer,
            self._setup.view.library.root,
            None if folder is None else folder / PICTURES,
        )
        context = multiprocessing.get_context("spawn")
        self._pipe, other = context.Pipe()
        self._process = context.Process(target=serve, args=(other, setup), daemon=True)
        self._process.start()
        other.close()

    def _links(self, things: Any, *, simulated: bool) -> Links:
        found: Links = {}
        for camera in self._cameras:
            mount = camera.mounted
            if mount is None:
                continue
            if simulated:
                if mount.agent in things.hands:
                    pose = things.hands[mount.agent].robot.link(mount.link).entity.pose
                    p, q = [float(x) for x in pose.p], [float(x) for x in pose.q]
                    at = Pose((p[0], p[1], p[2]), (q[0], q[1], q[2], q[3]))
                    found[mount.agent, mount.link] = at
            elif hasattr(things, "link_pose"):
                with suppress(KeyError):  # the camera then has no place, and says so
                    found[mount.agent, mount.link] = things.link_pose(mount.agent, mount.link)
        return found

    def _exchange(
        self, request: EyeRequest, truth: Vector | None, answer: Callable[[NeedAnswer], None]
    ) -> None:
        """Send a request and wait for its answer, in a thread of its own."""
        try:
            with self._lock:
                assert self._pipe is not None
                self._pipe.send(request)
                got: EyeAnswer = self._pipe.recv()
        except (EOFError, OSError) as error:
            answer(NeedAnswer(why=f"the eyes are gone: {type(error).__name__}", module=__name__))
            return
        answer(self._answer(request.wanted.name, got, truth))

    def _answer(self, thing: str, got: EyeAnswer, truth: Vector | None) -> NeedAnswer:
        if got.error:
            return NeedAnswer(why=f"not seen: {got.error}", module=__name__)
        record: dict[str, Any] = {"looks": list(got.found), "files": list(got.files)}
        if truth is not None:
            record["truth"] = [round(x, 4) for x in truth]
        if got.blind:
            record["blind"] = list(got.blind)
        best: Mapping[str, Any] | None = got.found[0] if got.found else None
        if best is None:
            why = f"not seen: no camera has the place of the {thing} in view"
            return NeedAnswer(why=why, module=__name__, record=record)
        fused = fuse(got.found, self._localizer.agree)
        if fused is None:
            why = f"not seen: {thing}: {best['why'] or best['note']} ({best['camera']})"
            return NeedAnswer(why=why, module=__name__, record=record)
        point = [round(x, 4) for x in fused.point]
        summary = f"{' and '.join(fused.cameras)} see it, score {best['score']:.2f}"
        if len(fused.cameras) == 1:
            summary = f"{fused.cameras[0]} sees it, score {best['score']:.2f}"
        if truth is not None:
            off = float(np.linalg.norm(np.array(point) - truth))
            record["error"] = round(off, 4)
            summary += f", {1000 * off:.0f} mm off"
        for camera, apart in fused.apart.items():
            summary += f"; {camera} disagrees by {1000 * apart:.0f} mm"
        record["cameras"] = list(fused.cameras)
        record["summary"] = summary
        value = {"point": point, "score": best["score"], "spread": best["spread"]}
        return NeedAnswer(value, record=record)

    def close(self) -> None:
        """End the process."""
        if self._pipe is not None:
            self._pipe.close()
        if self._process is not None:
            self._process.join(5.0)
            if self._process.is_alive():
                self._process.terminate()
                self._process.join(5.0)


def _middle(things: Any, thing: str) -> Vector:
    """The true middle of a thing, as the simulator has it."""
    built = things.bodies[thing]
    high = size_of(built.body)[2]
    found: Vector = built.pose().apply((0.0, 0.0, high / 2))
    return found
