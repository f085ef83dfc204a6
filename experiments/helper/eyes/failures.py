"""``python -m experiments.helper.eyes.failures``: are failures described rightly from pictures?"""

from __future__ import annotations

import random
import sys
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any

import numpy as np
import typer

from experiments.command import main
from experiments.helper.eyes.homes import ROBOT, random_home, stand_before
from experiments.helper.eyes.pictures import types_of
from treec_household.actions import Refused
from treec_household.embodied.failures import (
    FailedAction,
    FailureScorer,
    Seen,
    Sentence,
    SmallScorer,
    describe,
)
from treec_household.embodied.memory import Detection
from treec_household.embodied.robot import Eyes
from treec_household.embodied.simulator import Simulator
from treec_household.embodied.small_eyes import SmallEyes
from treec_household.embodied.true_masks import TrueMasks

UNSEEN = 1_000_000
"""Seed of the first home: those before it may have been learned from."""
AFFORD = {
    "open": ("opens", "encloses"),
    "close": ("opens",),
    "toggle_on": ("turns_on",),
    "slice": ("slices",),
    "place": ("room",),
    "pour": ("fills",),
}
"""What a thing has to afford for an action to be tried on it."""
TRUTH = {
    "too far": "too far",
    "hand holds": "hand is full",
    "is not in the hand": "nothing in the hand",
    "nothing in the hand": "nothing in the hand",
    "no knife": "no knife",
    "is closed": "is closed",
    "is running": "is running",
    "is open": "is open",
    "no room": "no room",
    "is empty": "nothing in it to be poured",
}
"""Words of the simulator's reasons, and words of the sentence that is right then."""


@dataclass(frozen=True)
class DescribedFailure:
    """A failure: its true sentence (in part), and the one that the pictures gave."""

    skill: str
    thing: str
    truth: str
    said: str

    @property
    def right(self) -> bool:
        """Whether that is the same."""
        return self.truth in self.said


def failures(
    n: int, types: Mapping[str, Mapping[str, Any]], eyes: str, scorer: FailureScorer, seed: int
) -> Iterator[DescribedFailure]:
    """Failures of actions in random homes, at most n / 4 of one kind, with their descriptions."""
    kinds: Counter[str] = Counter()
    for number in range(20 * n):
        sim = random_home(UNSEEN + seed + number, types)
        rng = random.Random(f"failures {seed} {number}")
        looks: Eyes = TrueMasks() if eyes == "true" else SmallEyes(afford(types))
        for _ in range(6):
            skill = rng.choice(("pickup", "open", "toggle_on", "slice", "place", "pour"))
            found = _attempt(sim, skill, rng, looks, scorer)
            if found is not None and kinds[found.truth] < max(1, n // 4):
                kinds[found.truth] += 1
                yield found
                if kinds.total() == n:
                    return


def afford(types: Mapping[str, Mapping[str, Any]]) -> Mapping[str, frozenset[str]]:
    """What things of each class afford, as names of facts."""
    return {
        name: frozenset(fact for fact, value in has.items() if value) for name, has in types.items()
    }


def _attempt(
    sim: Simulator, skill: str, rng: random.Random, eyes: Eyes, scorer: FailureScorer
) -> DescribedFailure | None:
    """Try an action before a thing; None where it cannot be tried or succeeds."""
    state = sim.home.state
    names = [
        n
        for n in state.kinds
        if all(state.get(fact, n) for fact in AFFORD.get(skill, ()))
        and (n not in sim.home.fixtures if skill == "pickup" else True)
        and sim.home.pose(n) is not None
        and state.shut_behind(n) is None
    ]
    if not names:
        return None
    thing = rng.choice(names)
    if not stand_before(sim, thing, rng, (0.4, 1.2) if rng.random() < 0.7 else (1.4, 2.4)):
        return None
    free = [n for n in state.kinds if n not in sim.home.fixtures and n != thing]
    held = rng.choice(free) if skill in ("place", "pour", "pickup", "slice") else None
    if held is not None and rng.random() < 0.6 and thing not in state.all_contents(held):
        state.set("at", held, ROBOT)
        state.set("holding", ROBOT, held)
        sim.home.settle()
    else:
        held = None
    try:
        return _try(sim, skill, thing, held, eyes, scorer)
    finally:
        if state.held is not None:
            state.set("at", state.held, None)
            state.set("holding", ROBOT, None)


def _try(
    sim: Simulator, skill: str, thing: str, held: str | None, eyes: Eyes, scorer: FailureScorer
) -> DescribedFailure | None:
    state = sim.home.state
    image = eyes.picture(sim)
    depth = np.where(np.isfinite(image.depth), image.depth, 0.0).astype(np.float64)
    points = sim.upright_camera().points(depth.astype(np.float32))
    far = np.linalg.norm(points - sim.upright_camera().eye, axis=-1)
    found = eyes.detect(sim, image, depth)
    true = image.mask(thing) if thing in image.names.values() else np.zeros(depth.shape, bool)
    own = max(
        (one for one in found if one.kind == state.kinds[thing]),
        key=lambda one: int((one.mask & true).sum()),
        default=None,
    )
    if own is None or not (own.mask & true).any():
        return None
    rows, columns = own.mask.nonzero()
    at = int(np.argmin((rows - np.median(rows)) ** 2 + (columns - np.median(columns)) ** 2))
    pixel = (int(rows[at]), int(columns[at]))
    sim.steps = sim.failures = 0
    try:
        sim.act(skill, image, pixel)
        return None
    except Refused as error:
        why = str(error)
    truth = next((said for words, said in TRUTH.items() if words in why), None)
    if truth is None:
        return None
    before = _seen(found, own, far[pixel], state.number("room", thing))
    attempt = FailedAction(
        skill,
        state.kinds[thing],
        before,
        before,
        hand=held is not None,
        knife=held is not None and bool(state.get("cuts", held)),
        filled=held is not None and bool(state.get("filled", held)),
        pictures=() if isinstance(scorer, SmallScorer) else (sim.picture(), sim.picture()),
    )
    return DescribedFailure(skill, state.kinds[thing], truth, describe(attempt, scorer)[0][1])


def _seen(found: list[Detection], own: Detection, far: float, room: float) -> Seen:
    number = next(n for n, one in enumerate(found) if one is own)
    on_it = sum(one.below == number for one in found)
    return Seen(float(far), own.likely, on_it / room if room else 0.0)


class PictureScorer:
    """Scores by CLIP: a model's folder or name, as everywhere in perception (extra `see`)."""

    def __init__(self, model: str) -> None:
        from treec_perception.models import Models

        self._scorer = Models().scorer(model)

    def scores(self, attempt: FailedAction, sentences: Sequence[Sentence]) -> list[float]:
        """The shares of the sentences, by the pictures before and after, side by side."""
        picture = np.concatenate(attempt.pictures, axis=1)
        texts = [one.says.format(name=attempt.name.lower()) for one in sentences]
        logits = self._scorer.similarities([picture], texts)[0]
        shares = np.exp(logits - logits.max())
        return [float(one) for one in shares / shares.sum()]


def command(
    n: Annotated[int, typer.Option("--n", min=1, help="Failures.")] = 100,
    eyes: Annotated[str, typer.Option("--eyes", help="true or small.")] = "small",
    scorer: Annotated[
        str, typer.Option("--scorer", help="small, or a folder or name of a model like CLIP.")
    ] = "small",
    domain: Annotated[Path, typer.Option("--domain", help="The household's domain file.")] = Path(
        "envs/household/household.domain.yaml"
    ),
    seed: Annotated[int, typer.Option("--seed", help="Random seed.")] = 0,
) -> int:
    """Let actions fail in random homes, and count how many are described as they are."""
    chosen: FailureScorer = SmallScorer() if scorer == "small" else PictureScorer(scorer)
    rows: list[DescribedFailure] = []
    for one in failures(n, types_of(str(domain)), eyes, chosen, seed):
        rows.append(one)
        print(f"{len(rows)} of {n}", end="\r", file=sys.stderr, flush=True)
    print(f"described rightly: {sum(one.right for one in rows)} of {len(rows)}")
    for truth, count in Counter(one.truth for one in rows).most_common():
        own = [one for one in rows if one.truth == truth]
        wrong = Counter(one.said for one in own if not one.right)
        shown = "; ".join(f"{times} '{said}'" for said, times in wrong.most_common(3))
        print(f"  {sum(one.right for one in own):3} of {count:3}  {truth}  {shown}")
    return 0


if __name__ == "__main__":
    sys.exit(main(command))
