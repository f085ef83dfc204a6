"""Kitchens with physics: our loop against a bare one, what thinking and whole episodes take."""

from __future__ import annotations

import sys
import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any

from benchmarks.process import ROOT, run_process
from benchmarks.table import Cell, Table, in_turns, middle_ratio
from treec.files.library import Library, load_library
from treec.files.view import View, in_scene, on_environment
from treec.run.clocks import SteppingClock
from treec.run.run import Run
from treec.world.journal import Journal
from treec.world.spec import RunSpec
from treec_testing.skill_trial import finish, try_skill

if TYPE_CHECKING:
    from treec_sapien.environment import SapienKitchen

SCENES = (("mosaic", "kitchen", "Panda, Stretch"), ("dag_plan", "kitchen_1", "Baxter"))
THINKING = 0.02
"""Real seconds between two control steps from which on somebody has planned."""

Call = tuple[str, dict[str, object]]


@dataclass(frozen=True)
class Episode:
    """Skills one after the other; those before ``from_`` only make ready."""

    what: str
    system: str
    scene: str
    calls: tuple[Call, ...]
    from_: int = 0


def _call(skill: str, **args: str) -> Call:
    return skill, dict(args)


EPISODES = (
    Episode(
        "Panda: pick, place",
        *("mosaic", "kitchen"),
        (
            _call("pick", agent="R1", item="lettuce"),
            _call("place", agent="R1", item="lettuce", place="table"),
        ),
    ),
    Episode(
        "Stretch: pick, place",
        *("mosaic", "kitchen"),
        (
            _call("go_to", agent="R2", place="pantry"),
            _call("pick", agent="R2", item="pepper"),
            _call("place", agent="R2", item="pepper", place="pantry"),
        ),
        from_=1,
    ),
    Episode(
        "Baxter, one arm: take, put",
        *("dag_plan", "kitchen_1"),
        (
            _call("grasp", agent="left", item="apple"),
            _call("put_onto", agent="left", item="apple", target="plate"),
        ),
    ),
    Episode(
        "a base alone: Stretch to the fridge",
        *("mosaic", "kitchen"),
        (_call("go_to", agent="R2", place="fridge"),),
    ),
    Episode(
        "Baxter, two arms: take the pot, put it",
        *("dag_plan", "kitchen_3"),
        (
            _call("open", agent="right", door="cabinet_right_door"),
            _call("grasp_both", agent="left", other="right", item="pot"),
            _call("put_onto_both", agent="left", other="right", item="pot", target="stove"),
        ),
        from_=1,
    ),
)


def run(small: bool) -> list[Table]:
    """All tables; nothing where SAPIEN is not installed."""
    if find_spec("sapien") is None:
        return []
    library = load_library(ROOT)
    scenes = SCENES[1:] if small else SCENES
    chosen = EPISODES[2:3] if small else EPISODES
    return [
        _loops(library, scenes, steps=6 if small else 300, turns=1 if small else 7),
        _episodes(library, chosen, seeds=1 if small else 2),
        _starts(scenes, times=1 if small else 2),
    ]


class SwingJoints:
    """A worker that never ends: all joints of all robots swing a little."""

    agents = ()
    succeeded = False

    def __init__(self, kitchen: SapienKitchen) -> None:
        self._joints = [
            (joint, float(joint.get_drive_target()[0]))
            for robot in kitchen.robots.values()
            for joint in robot.articulation.active_joints
        ]
        self._count = 0

    def step(self) -> bool:
        """One control step; it goes on."""
        self._count += 1
        by = 0.05 * (1 if self._count // 30 % 2 else -1)
        for joint, rest in self._joints:
            joint.set_drive_target(rest + by)
        return False


def _loops(library: Library, scenes: Sequence[tuple[str, ...]], steps: int, turns: int) -> Table:
    rows: list[tuple[Cell, ...]] = []
    for system, scene, robots in scenes:
        ours, bare = (_open_run(library, system, scene) for _ in range(2))
        kitchen = _kitchen(ours)
        kitchen.begin(SwingJoints(kitchen), _order())
        other = _kitchen(bare)
        swinging = SwingJoints(other)

        def bare_loop(other: SapienKitchen = other, swinging: SwingJoints = swinging) -> float:
            began = time.process_time()
            for _ in range(steps):
                swinging.step()
                for _ in range(4):
                    other.scene.step()
            return time.process_time() - began

        def our_loop(kitchen: SapienKitchen = kitchen) -> float:
            began = time.process_time()
            kitchen.step(kitchen.now + steps / 60)
            return time.process_time() - began

        least, ratios = in_turns((bare_loop, our_loop), turns)
        cells = (steps / least[0], steps / least[1], middle_ratio(ratios, 1))
        rows.append((f"{scene}, {robots}", len(kitchen.bodies), *cells))
        finish(ours)
        finish(bare)
    note = (
        f"Steps of 1/60 s a second of the processor, while all robots' joints swing; {turns} turns "
        f"of {steps} steps, the least. The ratio of times is the median over the turns. Goal: at "
        "most 1.15."
    )
    columns = ("scene", "bodies", "bare SAPIEN, steps/s", "ours, steps/s", "ratio")
    return Table("Control steps a second", columns, rows, (note,))


def _order() -> Any:
    from treec import WorkOrder

    return WorkOrder("bench", "swing", "nobody", {}, 1.0, (), (), None)


@dataclass
class Pauses:
    """Listens between control steps: real time in physics, and the pauses in which one plans."""

    physics: float = 0.0
    plans: list[float] = field(default_factory=list)
    _last: float = field(default_factory=time.perf_counter)

    def listen(self, kitchen: SapienKitchen) -> None:
        """Stand between the kitchen and its physics."""
        inner = kitchen.physics

        def physics() -> None:
            began = time.perf_counter()
            if began - self._last > THINKING:
                self.plans.append(began - self._last)
            inner()
            self._last = time.perf_counter()
            self.physics += self._last - began

        kitchen.physics = physics  # type: ignore[method-assign]
        self._last = time.perf_counter()


def _episodes(library: Library, episodes: Sequence[Episode], seeds: int) -> Table:
    rows = [_episode(library, episode, seeds) for episode in episodes]
    columns = (
        *("episode", "came off", "simulated, s", "wall, s", "worst, s", "processor, s"),
        *("physics, s", "planning, s", "longest plan, s"),
    )
    note = (
        f"Means of {seeds} seeds, the worst of them, and the longest single plan, in real seconds; "
        "seconds of the processor are what a machine by itself would take. "
        f"Planning is every pause of over {1000 * THINKING:.0f} ms between two control steps. "
        "Goals: Panda under 2 s, Baxter under 6 s, a plan of two arms under 10 s."
    )
    return Table("Wall time an episode", columns, rows, (note,))


def _episode(library: Library, episode: Episode, seeds: int) -> tuple[Cell, ...]:
    good, simulated, cpu, walls = 0, 0.0, 0.0, []
    physics, plans = 0.0, [0.0]
    for seed in range(seeds):
        run = _open_run(library, episode.system, episode.scene, seed)
        ok = True
        for skill, args in episode.calls[: episode.from_]:
            ok = ok and try_skill(run, skill, args).ok
        heard = Pauses()
        heard.listen(_kitchen(run))
        began, start, used = time.perf_counter(), run.clock.now(), time.process_time()
        for skill, args in episode.calls[episode.from_ :]:
            ok = ok and try_skill(run, skill, args).ok
        walls.append(time.perf_counter() - began)
        cpu += time.process_time() - used
        simulated += run.clock.now() - start
        good += ok
        physics += heard.physics
        plans += heard.plans
        finish(run)
    shares = (simulated / seeds, sum(walls) / seeds, max(walls), cpu / seeds)
    return (
        episode.what,
        f"{good} of {seeds}",
        *shares,
        physics / seeds,
        sum(plans) / seeds,
        max(plans),
    )


def _starts(scenes: Sequence[tuple[str, ...]], times: int) -> Table:
    rows: list[tuple[Cell, ...]] = []
    for system, scene, robots in scenes:
        found = []
        for env in ("symbolic", "sapien"):
            code = f"from benchmarks.bench_physics import start; start({(system, scene, env)!r})"
            command = (sys.executable, "-c", code)
            found.append(min(run_process(command).seconds for _ in range(times)))
        rows.append((f"{scene}, {robots}", *found))
    note = (
        "A fresh process from its first line to where the loop would begin: library read, tree "
        f"compiled, scene and robots built, things settled; the least of {times}. Robots come out "
        "of the cache."
    )
    columns = ("scene", "symbolic, s", "sapien, s")
    return Table("The start of a run", columns, rows, (note,))


def start(what: tuple[str, str, str]) -> None:
    """Make a run ready and let go of it."""
    system, scene, env = what
    finish(_open_run(load_library(ROOT), system, scene, env=env))


def _open_run(library: Library, system: str, scene: str, seed: int = 0, env: str = "sapien") -> Run:
    entry = library.find("system", system)
    assert entry is not None
    view = View(library, on_environment(in_scene(entry, scene), env))
    run = Run(view, SteppingClock(), Journal.in_memory(), RunSpec(seed=seed, env=env))
    run.open_environments()
    return run


def _kitchen(run: Run) -> Any:
    return run.runtime.environment(run.view.robots[0])
