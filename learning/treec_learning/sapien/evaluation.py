"""MOSAIC's Table 4 with physics: policies, straight motion and the pick that plans, in SAPIEN.

An episode is a success if the thing is held in the end, and nothing else was touched and the thing
not pushed away before. All controllers meet the same scenes.
"""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from treec_learning.evaluation import (
    GUARDED,
    GUARDED_NOTES,
    PAPER,
    STRAIGHT_GUARDED,
    follow_straight,
    share_text,
)
from treec_learning.guarded_choice import HERE, GuardedChoice, place_after
from treec_learning.names import STARTS
from treec_learning.pantry.cases import Purpose, generator
from treec_learning.pantry.simulator import MOST
from treec_learning.policy import Policy
from treec_learning.sapien.ahead import StepsAhead
from treec_learning.sapien.episode import PhysicalEpisode
from treec_learning.sapien.grasp import take_here
from treec_learning.sapien.scene import THING, draw_scene
from treec_learning.trials import Scores, scores_of, straight_scores
from treec_sapien.motion.failure import MotionFailure
from treec_sapien.motion.grasp import take

STREAM = 10
"""Number of the first stream of generators: those before are the kinematic pantry's."""

AHEAD = ", steps ahead"
"""Ending of the rows whose actions are searched for before the hand moves."""

_LONGEST = 120.0
"""Seconds of an episode, as the skill's timeout has it."""

Act = Callable[[PhysicalEpisode], int | None]


@dataclass(frozen=True)
class PhysicalResult:
    """What came of an episode; ``seconds`` are simulated, ``wall`` are those that it took."""

    reached: bool
    held: bool
    touched: Mapping[str, int]
    steps: int
    seconds: float
    wall: float
    failure: str = ""

    @property
    def success(self) -> bool:
        """Whether the thing is held and nothing was touched."""
        return self.held and not self.touched


@dataclass
class PhysicalTable:
    """Results by row and start."""

    episodes: int
    seed: int
    rows: dict[str, dict[str, list[PhysicalResult]]] = field(default_factory=dict)


def evaluate(
    policies: Mapping[str, Policy],
    episodes: int,
    seed: int,
    *,
    tell: Callable[[str], None] = lambda text: None,
) -> PhysicalTable:
    """Try every controller on the same episodes of each start."""
    table = PhysicalTable(episodes, seed)
    for start in STARTS:
        for number in range(episodes):
            for name, make in _controllers(policies):
                tell(f"{start}, {number + 1} of {episodes}: {name}")
                results = table.rows.setdefault(name, {}).setdefault(start, [])
                results.append(try_once(start, seed, number, make))
    return table


def try_once(start: str, seed: int, number: int, make: Callable[[], Act | None]) -> PhysicalResult:
    """Try a controller, or the pick that plans, in one scene."""
    scene = draw_scene(
        generator(Purpose.EVALUATION, seed, STREAM + STARTS.index(start), number), {start: 1.0}
    )
    began = time.monotonic()
    episode = PhysicalEpisode(scene)
    act = make()
    rng = np.random.default_rng(number)
    failure, reached, held = "", True, False
    try:
        if act is None:
            _plan(episode, rng)
        else:
            reached = _reach(episode, act)
            if reached and not episode.touched:
                at = episode.reach.grasp_pose()
                built = scene.kitchen.bodies[THING]
                steps = take_here(scene.arm, built, at, rng, keep_upright=True)
                episode.run(steps, pushes=False)
        held = scene.arm.grips(scene.kitchen.bodies[THING].entity)
    except MotionFailure as error:
        failure = error.name
        reached = act is not None
    seconds, wall = episode.seconds, time.monotonic() - began
    touched = dict(episode.touched)
    scene.kitchen.close()
    return PhysicalResult(reached, held, touched, episode.steps, seconds, wall, failure)


def follow(policy: Policy) -> Act:
    """Return a controller that takes a policy's likeliest action."""
    return lambda episode: int(policy.act(episode.reach.seen(policy.observation)[None])[0])


def follow_guarded(scores: Scores, *, repeats: bool) -> Act:
    """Return one that takes the best free action; see `GuardedChoice`."""
    choice, place = GuardedChoice(repeats=repeats), HERE

    def act(episode: PhysicalEpisode) -> int | None:
        nonlocal place
        episode.reach.arm.motion.space.update()
        liked = scores(episode.reach.picture())[0]
        action = choice(place, liked, episode.reach.is_free)
        if action is not None:
            place = place_after(place, action)
        return action

    return act


def follow_ahead(scores: Scores) -> Act:
    """Return one that searches the model for a way first; see `StepsAhead`."""
    choose: StepsAhead | None = None

    def act(episode: PhysicalEpisode) -> int | None:
        nonlocal choose
        episode.reach.arm.motion.space.update()
        choose = choose or StepsAhead(episode.reach, scores)
        return choose()

    return act


def _straight(episode: PhysicalEpisode) -> int:
    return int(follow_straight(episode.reach.picture())[0])


def _controllers(
    policies: Mapping[str, Policy],
) -> Iterator[tuple[str, Callable[[], Act | None]]]:
    for name, policy in policies.items():
        yield name, lambda policy=policy: follow(policy)  # type: ignore[misc]
        for ending, repeats in GUARDED.items():

            def guarded(policy: Policy = policy, repeats: bool = repeats) -> Act:
                return follow_guarded(scores_of(policy), repeats=repeats)

            yield name + ending, guarded
        yield name + AHEAD, lambda policy=policy: follow_ahead(scores_of(policy))  # type: ignore[misc]
    yield "straight", lambda: _straight
    yield STRAIGHT_GUARDED, lambda: follow_guarded(straight_scores, repeats=False)
    yield "straight" + AHEAD, lambda: follow_ahead(straight_scores)
    yield "planner", lambda: None


def _reach(episode: PhysicalEpisode, act: Act) -> bool:
    """Whether the thing is between the fingers; a touch, or no action, ends the episode."""
    while episode.steps < MOST and not episode.touched:
        if episode.reach.reached:
            return True
        action = act(episode)
        if action is None:
            return False
        episode.step(action, guarded=False)
    return episode.reach.reached


def _plan(episode: PhysicalEpisode, rng: np.random.Generator) -> None:
    """Take the thing as the worker of `pick` does."""
    built = episode.kitchen.bodies[THING]

    def bounded() -> Any:
        for _ in take(episode.scene.arm, built, rng, keep_upright=True):
            if episode.seconds > _LONGEST:
                raise MotionFailure("timeout")
            yield

    episode.run(bounded(), pushes=False)


def to_text(table: PhysicalTable) -> str:
    """The table as text, with the paper's beside it."""
    width = max(map(len, table.rows)) + 2
    lines = [f"{'':{width}}" + "".join(f"{start:>14}" for start in STARTS) + f"{'s':>8}{'wall':>8}"]
    for name, starts in table.rows.items():
        shares = "".join(f"{share_text([it.success for it in starts[s]]):>14}" for s in STARTS)
        every = [it for results in starts.values() for it in results]
        seconds, wall = (
            float(np.mean([getattr(it, w) for it in every])) for w in ("seconds", "wall")
        )
        lines.append(f"{name:{width}}{shares}{seconds:>8.0f}{wall:>8.1f}")
    for name, counts in PAPER.items():
        shares = "".join(f"{f'{count}/10':>14}" for count in counts)
        lines.append(f"{f'the paper, {name}':{width}}{shares}")
    lines += [
        "",
        "Held in the end, nothing else touched before, the thing not pushed away; in SAPIEN.",
        "s: simulated seconds of an episode; wall: seconds that it took.",
        *GUARDED_NOTES,
        "steps ahead: along a way that was found in the scene's model, in the controller's order.",
        "planner: the pick of the kitchen, with every grasp of the thing and the base driving.",
    ]
    for name, starts in table.rows.items():
        causes = Counter(
            _cause(it) for results in starts.values() for it in results if not it.success
        )
        contacts = sum(sum(it.touched.values()) for results in starts.values() for it in results)
        if causes:
            listed = ", ".join(f"{cause} {n}" for cause, n in causes.most_common())
            lines.append(f"{name}, failures: {listed}; contacts: {contacts}")
    return "\n".join(lines) + "\n"


def to_json(table: PhysicalTable) -> dict[str, Any]:
    """The table as plain data."""
    return {
        "environment": "sapien",
        "episodes": table.episodes,
        "seed": table.seed,
        "rows": [
            {
                "controller": name,
                "starts": {
                    start: {
                        "success": sum(it.success for it in results),
                        "reached": sum(it.reached for it in results),
                        "contacts": sum(sum(it.touched.values()) for it in results),
                        "failures": dict(Counter(_cause(it) for it in results if not it.success)),
                        "seconds": round(float(np.mean([it.seconds for it in results])), 1),
                    }
                    for start, results in starts.items()
                },
            }
            for name, starts in table.rows.items()
        ],
    }


def _cause(result: PhysicalResult) -> str:
    if result.touched:
        return "pushed the thing" if THING in result.touched else "touched " + _kind(result)
    return result.failure or ("not held" if result.reached else "not reached")


def _kind(result: PhysicalResult) -> str:
    return next(iter(result.touched)).split(" ")[0]
