"""Table 3 of MOSAIC: stirring and handing over beside a person, with and without forecasts.

A trial is a seeded scene with an arm, a person who moves as in a held-out recording, and one skill.
Distances are between surfaces, of the true body and of the arm with what it holds.
"""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from experiments.forecasting.motions import reaches_out, up_to_reach, write_motion
from treec import EnvironmentSetup, Outcome, WorkOrder
from treec.world.clock import VirtualClock
from treec_forecasting.files import CameraJoints, ForecasterFile, NoJoints
from treec_forecasting.live import LiveForecaster, Model, open_model
from treec_sapien.environment import SapienKitchen
from treec_sapien.people.recordings import Floats, MotionEpisode
from treec_sapien.people.skeleton import FUTURE, RATE
from treec_sapien.person.arm_shape import ArmShape
from treec_sapien.person.figure import HANDS
from treec_sapien.person.guard import distances
from treec_sapien.person.outlook import PersonOutlook
from treec_sapien.person.person import Person
from treec_sapien.person.separation import SLOW
from treec_sapien.person.tracking import JointSource, TrackingNoise
from treec_sapien.skills.hand_over.sapien import HandOver
from treec_sapien.skills.pick.sapien import Pick
from treec_sapien.skills.stir.reactive import PotSpace
from treec_sapien.skills.stir.sapien import Stir
from treec_sapien.view.run_film import FILE, RunFilm
from treec_sapien.worker import Physical

if TYPE_CHECKING:
    from treec_perception.pose.watch import PoseWatchProcess

PERFECT = "Perfect"
"""A row for reference: what the person will do, known at once."""

POT, RADIUS = (-0.28, 0.25), 0.09
TABLE = {"type": "Place", "body": {"kind": "table", "size": [1.5, 0.9, 0.75]}}
STIRRED: dict[str, dict[str, Any]] = {
    "table": TABLE,
    "ladle": {"type": "Item", "pose": [-0.25, -0.22, 0.75], "body": {"kind": "ladle"}},
    "pot": {"type": "Item", "pose": [*POT, 0.75], "body": {"kind": "pot"}},
}
HANDED: dict[str, dict[str, Any]] = {
    "table": TABLE,
    "jar": {"type": "Item", "pose": [-0.02, -0.2, 0.75], "body": {"kind": "jar"}},
}
AGENTS = {"R1": {"agent": "R1", "body": {"robot": "panda", "pose": [-0.6, 0.0, 0.75]}}}

LIMIT = 60.0
"""Seconds of a skill after which a trial ends."""

FILM_EVERY, FRAMES = 0.2, 150
"""Seconds between two frames of a film, and how many it has at most."""

WITHDRAWS = 8.0
"""Seconds that an arm has to draw back in a trial after it has let go."""

RETURNED, RELEASED = "returned", "released"
"""A trial of stirring is over when the person is where they began; one of handing over when the arm
is back, or `WITHDRAWS` seconds after it has let go."""


class LongStir(Stir):
    """Stirs long enough for a hand to come."""

    rounds = 9


@dataclass(frozen=True)
class ReactiveResult:
    """What was measured in a trial; metres and seconds, None where there is nothing to measure."""

    ok: bool
    margin: float
    contacts: int
    own_contacts: int
    reaction: float | None = None
    goal: float | None = None
    path: float | None = None
    inside: float | None = None
    """Share of the time of stirring for which the tool was where the pot stood at first."""
    why: str = ""

    @property
    def collided(self) -> bool:
        """Whether the person was touched, by the arm or by what it holds."""
        return self.contacts > 0 or self.margin <= 0.0


class TrialHost:
    """Keeps what a worker tells."""

    def __init__(self, kitchen: SapienKitchen) -> None:
        self.environment = kitchen
        self.clock = VirtualClock()
        self.outcome: Outcome | None = None
        self.notes: list[tuple[float, str, Mapping[str, Any]]] = []

    def sense(self, order_id: str, effects: object) -> None:
        """Nothing believes anything here."""

    def finish(self, order_id: str, outcome: Outcome) -> None:
        """Keep the outcome."""
        self.outcome = outcome

    def note(self, order_id: str, text: str, record: Mapping[str, Any]) -> None:
        """Keep a note with its time."""
        self.notes.append((self.environment.now, text, record))

    def begin_external(self, name: str, *, takes: float = 0.0, limit: float = 0.0) -> Any:
        """Workers of SAPIEN announce nothing."""
        raise NotImplementedError


class ReactiveTrials:
    """Trials with the recordings of held-out people, drawn by the seed."""

    def __init__(
        self,
        episodes: Sequence[MotionEpisode],
        root: Path,
        seed: int,
        joints: CameraJoints | None = None,
    ) -> None:
        """Joints come from the simulator, or with ``joints`` from two cameras."""
        self._joints = joints
        self.fitting = [it for it in episodes if reaches_out(it)]
        self._seed = seed
        self._models: dict[str, Model | str] = {}
        self._root = root
        self.milliseconds: dict[str, list[float]] = {}
        """What each forecast took, by model."""

    def stir(
        self, model: str, number: int, noise: Mapping[str, float], film: Path | None = None
    ) -> ReactiveResult:
        """Stir while a hand comes into the pot; with a ``film`` (.webp, .gif) written."""
        rng = np.random.default_rng((self._seed, number))
        episode = self.fitting[int(rng.integers(len(self.fitting)))]
        spec = {
            "reach": [*(np.array(POT) + rng.uniform(-0.02, 0.02, 2)), rng.uniform(0.88, 0.94)],
            "yaw": rng.uniform(-115, -65),
            "returns": True,
            "starts": {"skill": "stir", "after": rng.uniform(3.0, 6.0)},
        }
        scene = self._kitchen(episode, spec, model, number, noise, STIRRED, film)
        with scene as (kitchen, host):
            done = self._do(host, Pick(), "pick", item="ladle")
            if not done:
                return ReactiveResult(False, np.inf, 0, 0, why="the ladle was not picked up")
            pot = kitchen.bodies["pot"].links["body"].compute_global_aabb_tight()
            middle, rim = (pot[0] + pot[1])[:2] / 2, float(pot[1][2])
            space = PotSpace(middle, RADIUS, float(pot[0][2]), rim)
            onset: list[float] = []
            inside: list[bool] = []

            def watch(watched: _Watched) -> None:
                inside.append(is_in(watched.tool, middle, RADIUS, rim))
                if not onset and space.room(watched.truth, kitchen.now) < 0:
                    onset.append(kitchen.now)

            watched = _Watched(kitchen, watch)
            things = {"container": "pot", "tool": "ladle"}
            ok = self._do(host, LongStir(), "stir", watched, until=RETURNED, **things)
            reaction = reaction_of(host.notes, onset[0]) if onset else None
            share = float(np.mean(inside)) if inside else None
            return _result(kitchen, host, watched, ok, reaction=reaction, inside=share)

    def hand_over(
        self, model: str, number: int, noise: Mapping[str, float], film: Path | None = None
    ) -> ReactiveResult:
        """Hand a jar to a hand that comes for it; with a ``film`` (.webp, .gif) written."""
        rng = np.random.default_rng((self._seed, number, 1))
        episode = self.fitting[int(rng.integers(len(self.fitting)))]
        spec = {
            "reach": [
                -0.22 + rng.uniform(-0.12, 0.12),
                0.3 + rng.uniform(-0.05, 0.1),
                1.1 + rng.uniform(-0.1, 0.1),
            ],
            "yaw": rng.uniform(-115, -65),
            "until_reach": True,
            "starts": {"skill": "hand_over", "after": 0.5},
        }
        scene = self._kitchen(episode, spec, model, number, noise, HANDED, film)
        with scene as (kitchen, host):
            if not self._do(host, Pick(), "pick", item="jar"):
                return ReactiveResult(False, np.inf, 0, 0, why="the jar was not picked up")
            path: list[float] = []

            def watch(watched: _Watched) -> None:
                if not path and _noted(host, RELEASED) is not None:
                    path.append(watched.path)

            watched = _Watched(kitchen, watch)
            things = {"item": "jar", "person": "user"}
            self._do(host, HandOver(), "hand_over", watched, until=RELEASED, **things)
            released = _noted(host, RELEASED)
            begun = kitchen.people["user"].begins or 0.0
            goal = None if released is None else released - begun
            way = path[0] if path else None
            return _result(kitchen, host, watched, released is not None, goal=goal, path=way)

    def _kitchen(
        self,
        episode: MotionEpisode,
        spec: dict[str, Any],
        model: str,
        number: int,
        noise: Mapping[str, float],
        objects: Mapping[str, Mapping[str, Any]],
        film: Path | None,
    ) -> _OpenKitchen:
        loaded = None if model == PERFECT else self._model(model)
        took = self.milliseconds.setdefault(model, [])
        seed = self._seed * 1000 + number
        return _OpenKitchen(episode, spec, loaded, seed, noise, took, objects, film, self._joints)

    def _model(self, name: str) -> Model:
        if name not in self._models:
            self._models[name] = open_model(name, self._root)
        loaded = self._models[name]
        if isinstance(loaded, str):
            raise ValueError(loaded)
        return loaded

    def _do(
        self,
        host: TrialHost,
        worker: Physical,
        skill: str,
        watched: _Watched | None = None,
        until: str = "",
        **args: str,
    ) -> bool:
        kitchen = host.environment
        order = WorkOrder(
            skill, skill, "R1", {"agent": "R1", **args}, 1.0, needs={"forecast": {"person": "user"}}
        )
        host.outcome = None
        worker.start(order, host)
        end = kitchen.now + LIMIT
        user = kitchen.people["user"]
        over = False
        while host.outcome is None and kitchen.now < end and not over:
            kitchen.step(kitchen.now + 1 / 60)
            if watched is not None:
                watched.look()
            if until == RETURNED:
                over = user.begins is not None and kitchen.now > user.begins + user.motion.seconds
            elif until == RELEASED:
                given = _noted(host, RELEASED)
                over = given is not None and kitchen.now > given + WITHDRAWS
        if host.outcome is None:
            worker.cancel()
            return over
        return host.outcome.ok


def _noted(host: TrialHost, what: str) -> float | None:
    """When a worker first told that."""
    return next((at for at, _, record in host.notes if record.get(what)), None)


def _result(
    kitchen: SapienKitchen, host: TrialHost, watched: _Watched, ok: bool, **measured: Any
) -> ReactiveResult:
    contacts = [it for it in kitchen.people["user"].contacts if it[0] >= watched.since]
    why = str(host.outcome.failure or "") if host.outcome is not None else ""
    own = sum(own for *_, own in contacts)
    return ReactiveResult(ok, watched.margin, len(contacts), own, why=why, **measured)


def is_in(tool: Floats, middle: Floats, radius: float, rim: float) -> bool:
    """Whether an end of a tool (n, 3) is in an upright container, below the height of its rim."""
    level = np.linalg.norm(tool[:, :2] - middle, axis=1)
    return bool(((level < radius) & (tool[:, 2] < rim)).any())


class PerfectForecast:
    """Makes outlooks of what a person will do in the next second."""

    def __init__(self, person: Person) -> None:
        self._person = person

    def __call__(self, now: float, tracking: JointSource) -> PersonOutlook:
        """Return the outlook at a time of the run; whatever was tracked."""
        times = now + np.arange(FUTURE + 1) / RATE
        joints = np.stack([self._person.joints(time) for time in times])
        spread = np.zeros(len(times))
        return PersonOutlook(
            now, now, "forecast", times, joints, spread, person_speed=SLOW, lacking=0.0
        )


class _Watched:
    """Measures the arm's distance to the person's hands, and its path, at each control step."""

    def __init__(self, kitchen: SapienKitchen, also: Callable[[_Watched], None]) -> None:
        self._kitchen, self._also = kitchen, also
        self.since = kitchen.now
        self.margin = np.inf
        self.path = 0.0
        self._tcp: Floats | None = None
        self.tool = np.zeros((0, 3))
        """Ends of what is held."""
        self.truth = self._true()

    def _true(self) -> PersonOutlook:
        now = self._kitchen.now
        joints = self._kitchen.people["user"].joints(now)
        none = np.zeros(1)
        return PersonOutlook(now, now, "forecast", none + now, joints[None], none, person_speed=0.0)

    def look(self) -> None:
        """Measure."""
        kitchen = self._kitchen
        arm = kitchen.arm("R1")
        self.truth = self._true()
        q = arm.robot.qpos[arm.robot.indices(arm.chain.names)][None]
        held = next((it for it in kitchen.bodies.values() if it.entity is arm.holding), None)
        capsules = ArmShape(arm, held).capsules(q)
        self.tool = np.stack([it[0, -1] for it in capsules[:2]]) if held else np.zeros((0, 3))
        apart = distances(capsules, self.truth)
        self.margin = min(self.margin, float(apart[..., list(HANDS)].min()))
        tcp = arm.tcp[:3, 3]
        if self._tcp is not None:
            self.path += float(np.linalg.norm(tcp - self._tcp))
        self._tcp = tcp
        self._also(self)


class _OpenKitchen:
    """A kitchen with a person who is forecast, for one trial."""

    def __init__(
        self,
        episode: MotionEpisode,
        spec: dict[str, Any],
        model: Model | None,
        seed: int,
        noise: Mapping[str, float],
        took: list[float],
        objects: Mapping[str, Mapping[str, Any]],
        film: Path | None,
        cameras: CameraJoints | None = None,
    ) -> None:
        self._film = film
        self._watch: PoseWatchProcess | None = None
        self._folder = tempfile.TemporaryDirectory(prefix="treec-reactive-")
        path = Path(self._folder.name) / "motion.npz"
        joints = episode.joints
        if spec.pop("until_reach", False):
            joints = up_to_reach(joints)
        write_motion(path, joints)
        people = {"user": {"motion": str(path), **spec}}
        setup = EnvironmentSetup(
            "sapien",
            "reactive",
            objects,
            AGENTS,
            seed=seed,
            people=people,
            folder=None if film is None else path.parent,
            film=FILM_EVERY,
        )
        self._kitchen = SapienKitchen(setup)
        file = ForecasterFile.model_validate(
            {"forecaster": "trial", "joints": {"simulator": dict(noise)}}
        )
        user = self._kitchen.people["user"]
        if cameras is None:
            assert file.joints.noise is not None
            user.track(TrackingNoise(**file.joints.noise.model_dump()))
        else:
            self._watch = self._look(user, cameras, seed)
        user.rate = file.rate
        if model is None:
            user.forecast = PerfectForecast(user)
            return
        live = user.forecast = LiveForecaster(file, model)
        live.milliseconds = took

    def __enter__(self) -> tuple[SapienKitchen, TrialHost]:
        return self._kitchen, TrialHost(self._kitchen)

    def _look(self, user: Person, joints: CameraJoints, seed: int) -> PoseWatchProcess:
        """Let cameras tell the person's joints. Raises NoJoints."""
        from experiments.perception.people import CAMERAS
        from treec_forecasting.camera import track_by_cameras
        from treec_perception.default import BONES
        from treec_perception.files import CameraFile

        cameras = [CameraFile.model_validate(it) for it in CAMERAS]
        try:
            used = track_by_cameras(user, self._kitchen, joints, cameras, BONES, Path(), seed)
        except NoJoints:
            self._kitchen.close()
            self._folder.cleanup()
            raise
        return used[1]

    def __exit__(self, *_: object) -> None:
        if self._watch is not None:
            self._watch.close()
        self._kitchen.close()
        if self._film is not None:
            film = RunFilm(Path(self._folder.name) / FILE)
            self._film.write_bytes(film.animation(FRAMES, self._film.suffix))
        self._folder.cleanup()


def reaction_of(
    notes: Sequence[tuple[float, str, Mapping[str, Any]]], onset: float
) -> float | None:
    """Return when room was made, from when a hand truly came in (s; below 0: before it did).

    Room that was made earlier and given up again does not count.
    """
    made: float | None = None
    for at, _, record in notes:
        if record.get("reacts") and made is None:
            made = at
        elif record.get("resumes") and at < onset:
            made = None
    return None if made is None else made - onset
