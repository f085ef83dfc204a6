"""Answers `localize(thing)` and `describe(thing)` in runs: looks through the cameras.

Looking happens in a process of its own. In an environment with simulated bodies cameras show these;
in any other one they are what their files' `runs` say, a RealSense or a recording. The points of
cameras that agree are fused; where others say something else by more than the localizer allows and
score at least half as much, it is looked for again (`looks`), and the place that has the greatest
sum of scores is the answer, which is reported. What is not found then, or in doubt, a skill with
`if_unmet:` has looked for from elsewhere: the looks from all places are fused.
A head turns to where a thing is believed to be: where it was seen last, else where the scene's file
has it, else along its place, or along all places. Of a simulator's truth nothing is used; how far
the point is from it is journaled, with the truth itself, for the report.
"""

from __future__ import annotations

import math
import multiprocessing
import threading
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from multiprocessing.connection import Connection
from multiprocessing.context import SpawnProcess
from typing import Any

import numpy as np

from treec.crash import contain
from treec.nodes.needs import NeedAnswer, NeedCall, NeedSetup
from treec.nodes.worker import Effect
from treec_perception.beliefs import Belief, Beliefs, Sighting
from treec_perception.capture import Links, links_of
from treec_perception.default import DEFAULT
from treec_perception.describe import DescriptionQuery, question_of
from treec_perception.files import CameraFile, DescriptionsFile, LocalizerFile
from treec_perception.find_camera import SceneEyes
from treec_perception.fuse import FusedPoint, fuse
from treec_perception.localize import Wanted
from treec_perception.localizer_query import elsewhere, movable, size_of, wanted_thing
from treec_perception.sources import source_of
from treec_perception.stages import eye_of
from treec_perception.vision_process import EyeAnswer, EyeRequest, EyeSetup, serve
from treec_sapien.bodies.pose import Vector

AGAIN = 100
"""What a second look adds to the seed of its pictures' noise."""

AIMED = 10_000
"""What a look in another direction adds to it."""

APART = 0.05
"""Metres by which a camera on a robot has to have moved so that its looks count as another view."""

CLEARLY = 0.5
"""Share of the chosen place's score up to which what another camera says raises no doubt."""

BELIEVED = 3.0
"""What the hand measures is the thing up to so many times as far off as that may be from afar."""

SHOWN = 10
"""How many candidates of a description the journal has."""


Look = Mapping[str, Any]
"""What a camera found, as `Localization.to_json` has it."""


@dataclass
class _Earlier:
    """What was found of a thing until now, and from where each camera has looked, in order."""

    found: tuple[Look, ...] = ()
    spots: dict[str, list[Vector]] = field(default_factory=dict)

    def place(self, camera: CameraFile, links: Links) -> int:
        """Return the number of the place from which a camera looks now; 0 is the first."""
        mount = camera.mounted
        link = None if mount is None else links.get((mount.agent, mount.link))
        if mount is None or link is None:
            return 0
        x, y, z = mount.offset
        now = link.apply((x, y, z))
        spots = self.spots.setdefault(camera.camera, [])
        for place, spot in enumerate(spots):
            if math.dist(now, spot) <= APART:
                return place
        spots.append(now)
        return len(spots) - 1


def open_localizer(setup: NeedSetup) -> RunEyes:
    """Open the provider for a run."""
    return RunEyes(setup)


def open_describer(setup: NeedSetup) -> Describer:
    """Open the provider of descriptions for a run."""
    return Describer(setup)


class RunEyes:
    """The cameras of a run, with the localizer of the system."""

    takes = 0.5
    limit = 600.0
    """The first answer takes the longest: a process is started, and models are loaded, maybe from
    the hub."""
    pictures = "seen"
    """The folder of pictures in a run's folder."""

    def __init__(self, setup: NeedSetup) -> None:
        self._setup = setup
        localizer = setup.view.used("localizer")
        self._localizer = self.for_skills(DEFAULT if localizer is None else localizer.model)
        known = {name: entry.model for name, entry in setup.view.all("camera").items()}
        names = self._localizer.cameras or list(known)
        self._cameras = tuple(known[name] for name in names if name in known)
        self._pipe: Connection | None = None
        self._process: SpawnProcess | None = None
        self._view: Any = None
        self._number = 0
        self._earlier: dict[tuple[str, str], _Earlier] = {}
        """What was found from the places before, by agent and thing, while it is looked for."""
        self._beliefs = Beliefs(setup.view, self._localizer)
        self._hands = {
            it.camera: it.mounted.agent
            for it in self._cameras
            if it.mounted is not None and it.mounted.hand
        }
        """The cameras that hands carry, with their agents."""
        self._sightings: dict[tuple[str, str], Vector] | None = None
        """Where an environment is told what is to be looked at from before it."""
        self._believed: dict[tuple[str, str], Belief] = {}
        """Where a thing was believed to be when it was last asked for, by agent and thing."""
        self._lock = threading.Lock()

    @staticmethod
    def for_skills(spec: LocalizerFile) -> LocalizerFile:
        """Return a localizer as it judges for a skill, which knows that the thing is here."""
        if spec.expected is None:
            return spec
        return spec.model_copy(update={"accept": spec.expected, "likeliest": False})

    def ask(self, call: NeedCall, answer: Callable[[NeedAnswer], None]) -> None:
        """Look for a thing; see `Needs`."""
        things: Any = call.environment
        thing = call.args["thing"]
        key = call.agent, thing
        if not call.again:
            self._earlier.pop(key, None)
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
        belief = self._believed[key] = self._beliefs.believe(thing, call.facts)
        turns = any(it.mounted and (it.mounted.pans or it.mounted.tilts) for it in self._cameras)
        self._sightings = getattr(things, "sightings", None)
        self._start(things, simulated=simulated)
        self._number += 1
        wanted = wanted_thing(thing, scene.model, layout)
        if call.facts is not None and self._localizer.place is not None:
            away = elsewhere(thing, movable(layout), call.facts, self._localizer.place)
            wanted = replace(wanted, elsewhere=away)
        others = self._beliefs.middles((it for it in movable(layout) if it != thing), call.facts)
        believed = {name.replace("_", " "): middle for name, middle in others.items()}
        wanted = replace(wanted, believed=believed)
        request = EyeRequest(
            self._number,
            wanted,
            self._view.poses() if simulated else None,
            links_of(self._cameras, things, simulated=simulated),
            next(iter(belief.aims), None),
            1000 * self._setup.seed + self._number,
            call.time,
            self._question(wanted),
            belief.middle,
            belief.aims[1:] if turns else (),
        )
        threading.Thread(
            target=self._exchange, args=(key, request, truth, answer), name="eyes", daemon=True
        ).start()

    def _question(self, wanted: Wanted) -> DescriptionQuery | None:
        """Return what is to be said about a picture, beside where the thing is."""
        return None

    def _start(self, things: Any, *, simulated: bool) -> None:
        if self._process is not None:
            return
        stage = None
        if simulated:
            from treec_sapien.view.scene import SceneView

            self._view = SceneView(things)
            stage = self._view.stage
        named = [(it, source_of(it, simulated=simulated)) for it in self._cameras]
        folder = self._setup.folder
        setup = EyeSetup(
            stage,
            tuple((it, name) for it, name in named if name is not None),
            self._localizer,
            self._setup.view.library.root,
            None if folder is None else folder / self.pictures,
        )
        context = multiprocessing.get_context("spawn")
        self._pipe, other = context.Pipe()
        self._process = context.Process(target=contain, args=(serve, other, setup), daemon=True)
        self._process.start()
        other.close()

    def _exchange(
        self,
        key: tuple[str, str],
        request: EyeRequest,
        truth: Vector | None,
        answer: Callable[[NeedAnswer], None],
    ) -> None:
        """Send a request and wait for its answer, in a thread of its own; again if in doubt.

        ``key`` are the agent and the thing.
        """
        try:
            got = self._look(request)
            for number, aim in enumerate(request.aims, 1):
                if got.error or fuse(got.found, self._localizer.agree) is not None:
                    break
                seed = request.seed + AIMED * number
                turned = replace(request, seed=seed, towards=aim, aims=())
                got = _both(got, self._look(turned))
            for again in range(1, self._localizer.looks):
                if not self._doubtful(got):
                    break
                more = self._look(replace(request, seed=request.seed + AGAIN * again))
                got = _both(got, more)
        except (EOFError, OSError) as error:
            answer(NeedAnswer(why=f"the eyes are gone: {type(error).__name__}", module=__name__))
            return
        again = key in self._earlier
        got, earlier = self._with_earlier(key, request, got)
        given = self._answer(request.wanted.name, got, truth, earlier)
        effects, learned = self._learn(key, given, got)
        given = self._if_exact(key, given, got)
        record = {**given.record, **learned, **({"again": True} if again else {})}
        answer(replace(given, record=record, effects=effects))

    def _if_exact(self, key: tuple[str, str], given: NeedAnswer, got: EyeAnswer) -> NeedAnswer:
        """Put an answer in doubt that a camera on the agent's hand would make more exact.

        Not if that has looked already. The environment is told where the thing was seen.
        """
        agent, thing = key
        if self._sightings is not None:
            self._sightings.pop(key, None)
        least, off = self._localizer.exact, given.record.get("uncertainty")
        own = {camera for camera, of in self._hands.items() if of == agent}
        looked = any(it["camera"] in own for it in got.found)
        exact = least is None or off is None or off <= least
        if given.value is None or given.doubt or exact or looked or not own:
            return given
        if self._sightings is not None:
            x, y, z = given.value["point"]
            self._sightings[key] = x, y, z
        assert off is not None
        return replace(given, doubt=f"not exact: {thing} may be {1000 * off:.0f} mm off")

    def _learn(
        self, key: tuple[str, str], given: NeedAnswer, got: EyeAnswer
    ) -> tuple[tuple[Effect, ...], dict[str, Any]]:
        """The facts that an answer makes, and what the journal has of them."""
        point = None if given.value is None else given.value["point"]
        used = given.record.get("cameras", ())
        lasts = [
            it.doubted_after
            for it in self._cameras
            if it.doubted_after is not None
            and any(eye.split(" from ")[0] == it.camera for eye in used)
        ]
        sight = Sighting(
            None if point is None else (point[0], point[1], point[2]),
            tuple(used),
            given.record.get("uncertainty"),
            min(lasts, default=None),
            not given.doubt,
            got.through,
        )
        return self._beliefs.learn(key[1], self._believed.get(key, Belief()), sight)

    def _with_earlier(
        self, key: tuple[str, str], request: EyeRequest, got: EyeAnswer
    ) -> tuple[EyeAnswer, tuple[Look, ...]]:
        """Say from which place each camera looked, return what was found before, and keep both.

        A camera that has not moved sees the same once more, which is not a second opinion: what it
        finds now replaces what it found from there.
        """
        earlier = self._earlier.setdefault(key, _Earlier())
        places = {it.camera: earlier.place(it, request.links) for it in self._cameras}
        rows = []
        for look in got.found:
            place = places.get(look["camera"], 0)
            rows.append({**look, "place": place} if place else look)
        new = {eye_of(it) for it in rows}
        before = tuple(it for it in earlier.found if eye_of(it) not in new)
        earlier.found = (*rows, *before)
        return replace(got, found=tuple(rows)), before

    def _look(self, request: EyeRequest) -> EyeAnswer:
        with self._lock:
            assert self._pipe is not None
            self._pipe.send(request)
            got: EyeAnswer = self._pipe.recv()
            return got

    def _doubtful(self, got: EyeAnswer) -> bool:
        """Whether nothing is found, or cameras find different places that score about as much."""
        if got.error or not got.found:
            return False
        fused = fuse(got.found, self._localizer.agree)
        return fused is None or fused.rival > CLEARLY * fused.score

    def _answer(
        self, thing: str, got: EyeAnswer, truth: Vector | None, earlier: tuple[Look, ...] = ()
    ) -> NeedAnswer:
        """Answer from what was found now and from places before."""
        looks: Sequence[Look] = sorted((*got.found, *earlier), key=_best_first)
        looks = self._from_hand(got, looks) or looks
        fused = fuse(looks, self._localizer.agree)
        if got.error and fused is None:
            return NeedAnswer(why=f"not seen: {got.error}", module=__name__)
        record: dict[str, Any] = {
            "localizer": self._localizer.localizer,
            "looks": list(got.found),
            "files": list(got.files),
        }
        if truth is not None:
            record["truth"] = [round(x, 4) for x in truth]
        if got.blind:
            record["blind"] = list(got.blind)
        if not looks:
            why = f"not seen: no camera has the place of the {thing} in view"
            return NeedAnswer(why=why, module=__name__, record=record)
        if fused is None:
            best = looks[0]
            why = f"not seen: {thing}: {best['why'] or best['note']} ({best['camera']})"
            return NeedAnswer(why=why, module=__name__, record=record)
        point = [round(x, 4) for x in self._beliefs.level(thing, fused.point)]
        verb = "sees" if len(fused.cameras) == 1 else "see"
        looked = sum(eye_of(it) == fused.cameras[0] for it in looks)
        summary = f"{' and '.join(fused.cameras)} {verb} it, score {fused.score:.2f}"
        if truth is not None:
            off = float(np.linalg.norm(np.array(point) - truth))
            record["error"] = round(off, 4)
            summary += f", {1000 * off:.0f} mm off"
        summary += f", ±{1000 * fused.uncertainty:.0f} mm"
        for camera, apart in fused.apart.items():
            summary += f"; {camera} disagrees by {1000 * apart:.0f} mm"
        if looked > 1:
            summary += f"; looked {looked} times"
        if got.error:
            summary += f"; the last look failed: {got.error}"
        record["cameras"] = list(fused.cameras)
        record["uncertainty"] = round(fused.uncertainty, 4)
        record["summary"] = summary
        lead = next(it for it in looks if eye_of(it) == fused.cameras[0])
        value = {"point": point, "score": fused.score, "spread": lead["spread"]}
        return NeedAnswer(value, module=__name__, record=record, doubt=self._doubt(thing, fused))

    def _from_hand(self, got: EyeAnswer, looks: Sequence[Look]) -> list[Look]:
        """The looks of cameras on hands, if these say enough to go by alone.

        What such a camera measures where the others find the thing is that thing, as surely as they
        know it: so near, it looks unlike any picture of the training, and what it finds elsewhere
        does not count. If it sees that nothing is there, what was seen from afar counts no more.
        """
        own = [it for it in got.found if it["camera"] in self._hands]
        far = fuse([it for it in looks if it["camera"] not in self._hands], self._localizer.agree)
        better: list[Look] = []
        for look in own:
            here = look.get("there")
            if (
                here
                and far is not None
                and math.dist(here, far.point) <= BELIEVED * far.uncertainty
            ):
                score = max(look["score"], far.score)
                better.append({**look, "found": True, "point": here, "score": score, "others": []})
        why = "what is behind its place is seen"
        gone: list[Look] = [
            {**it, "found": False, "why": why} for it in own if it["camera"] in got.through
        ]
        afar = [it for it in looks if it["camera"] not in self._hands] if far is not None else []
        return sorted(better or gone or afar, key=_best_first)

    def _doubt(self, thing: str, fused: FusedPoint) -> str:
        """Why what was found may be something else; empty if there is no doubt."""
        sure = self._localizer.sure
        if sure is None:
            return ""
        if fused.score < sure:
            return f"not sure: {thing} scores only {fused.score:.2f}"
        if fused.rival > CLEARLY * fused.score:
            return f"not sure: {thing} may be elsewhere, too"
        return ""

    def close(self) -> None:
        """End the process."""
        if self._pipe is not None:
            self._pipe.close()
        if self._process is not None:
            self._process.join(5.0)
            if self._process.is_alive():
                self._process.terminate()
                self._process.join(5.0)


class Describer(RunEyes):
    """Says what is the matter with a thing, by the candidates of the system's descriptions."""

    pictures = "described"

    def __init__(self, setup: NeedSetup) -> None:
        super().__init__(setup)
        file = setup.view.used("descriptions")
        self._file: DescriptionsFile | None = None if file is None else file.model

    def ask(self, call: NeedCall, answer: Callable[[NeedAnswer], None]) -> None:
        """Describe a thing; see `Needs`."""
        if self._file is None:
            answer(NeedAnswer(why="the system has no file of descriptions", module=__name__))
            return
        super().ask(call, answer)

    def _doubtful(self, got: EyeAnswer) -> bool:
        return False

    def _if_exact(self, key: tuple[str, str], given: NeedAnswer, got: EyeAnswer) -> NeedAnswer:
        return given  # it says nothing about where the thing is

    def _learn(
        self, key: tuple[str, str], given: NeedAnswer, got: EyeAnswer
    ) -> tuple[tuple[Effect, ...], dict[str, Any]]:
        return (), {}

    def _question(self, wanted: Wanted) -> DescriptionQuery | None:
        return None if self._file is None else question_of(self._file, wanted)

    def _answer(
        self, thing: str, got: EyeAnswer, truth: Vector | None, earlier: tuple[Look, ...] = ()
    ) -> NeedAnswer:
        if got.error or not got.shares:
            why = got.error or f"no camera has the place of the {thing} in view"
            return NeedAnswer(why=f"not seen: {why}", module=__name__)
        assert self._file is not None
        text, share = got.shares[0]
        shown = {
            "descriptions": self._file.descriptions,
            "camera": got.found[0]["camera"],
            "shares": [list(one) for one in got.shares[:SHOWN]],
            "files": list(got.files[:1]),
        }
        if share < self._file.accept:
            why = f"nothing is clear: '{text}' is the best of {len(got.shares)}, {share:.2f}"
            return NeedAnswer(why=why, module=__name__, record=shown)
        record = {**shown, "summary": f"{text} ({share:.2f})"}
        return NeedAnswer({"text": text, "share": share}, record=record)


def _both(first: EyeAnswer, second: EyeAnswer) -> EyeAnswer:
    """Two looks as one, best first; the second one's error is that of neither."""
    localizations = sorted((*first.found, *second.found), key=_best_first)
    files = (*first.files, *second.files)
    through = tuple(dict.fromkeys((*first.through, *second.through)))
    return replace(first, found=tuple(localizations), files=files, through=through)


def _best_first(look: Look) -> tuple[bool, float]:
    return (not look["found"], -look["score"])


def _middle(things: Any, thing: str) -> Vector:
    """The true middle of a thing, as the simulator has it."""
    built = things.bodies[thing]
    high = size_of(built.body)[2]
    middle: Vector = built.pose().apply((0.0, 0.0, high / 2))
    return middle
