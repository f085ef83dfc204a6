"""Makes treec's small weights: pictures, a tokenizer, a detector, a scorer, and their card.

Each part is continued where it was left off. Written folders have the layout of the published
models: ``config.json``, ``model.safetensors``, ``preprocessor_config.json``, the tokenizer's files.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from typing import Any, TypeVar

import torch

from treec.atomic import write_atomic
from treec.files.library import Library
from treec_perception.look_words import COLOURS, KINDS, words_of_kind
from treec_perception.models import Detector, Scorer
from treec_perception.training.detector import RATE as DETECTOR_RATE
from treec_perception.training.detector import SIDE as DETECTOR_SIDE
from treec_perception.training.detector import (
    DetectorBatches,
    detector_loss,
    make_detector,
)
from treec_perception.training.fit import device_of, fit
from treec_perception.training.pictures import PictureMaker, Robots, missing
from treec_perception.training.scenes import Room, TrainingThing, rooms_and_things
from treec_perception.training.scorer import RATE as SCORER_RATE
from treec_perception.training.scorer import SIDE as SCORER_SIDE
from treec_perception.training.scorer import ScorerBatches, make_scorer, scorer_loss
from treec_perception.training.tokenizer import make_tokenizer, save_published_layout
from treec_perception.training.trial import ScorerTrial, try_scorer
from treec_perception.training.words import Look, corpus
from treec_perception.vocabulary import FILE

DETECTOR, SCORER = "detector", "scorer"
"""The folders of the two models."""

MADE = "made.json"
"""How the weights beside it were made."""

BEGUN = "training.json"
"""From which weights a training in a folder goes on, and of which things it has pictures."""

T = TypeVar("T")

Told = Callable[[str, int, int, str], None]
"""Progress: the part, how much of it is done, of how much, a remark."""


@dataclass(frozen=True, slots=True)
class TrainingPlan:
    """How much of everything; ``processes`` prepare pictures and batches.

    ``base`` is a folder of weights from which the training goes on, with every third picture of
    the packs' scenes, so that what these weights know is kept; None begins anew.
    """

    pictures: int = 3600
    detector_steps: int = 2100
    scorer_steps: int = 7800
    threads: int = 1
    processes: int = 1
    device: str = "cpu"
    base: Path | None = None

    @property
    def drawn(self) -> int:
        """Pictures in all: of the training, and behind them those by which it is tried."""
        return self.pictures + (0 if self.base is None else TRIED)

    @property
    def slower(self) -> float:
        """The share of the learning rate with which it goes on from earlier weights."""
        return 1.0 if self.base is None else GOING_ON


GOING_ON = 0.4
"""Share of the first training's learning rate where one goes on from its weights."""

TRIED = 24
"""Pictures beside those of the training by which it is tried."""


def train(library: Library, out: Path, plan: TrainingPlan, told: Told) -> list[ScorerTrial]:
    """Make the weights in a folder: ``detector`` and ``scorer``, with what they are made from.

    Returns how well the scorer tells things apart on pictures that it never had: before, if it goes
    on from earlier weights, and after. Raises ValueError for a device that is not there, where
    there is nothing to learn, and for a folder with a training of other things or weights.
    """
    device_of(plan.device)
    torch.set_num_threads(plan.threads)
    own = rooms_and_things(library)
    known = rooms_and_things(library, packs=True) if plan.base is not None else ([], [])
    if not own[1]:
        raise ValueError("the library's scenes have no things with bodies that move")
    looks = list(dict.fromkeys(thing.look for thing in (*own[1], *known[1])))
    begin_or_continue(out, looks, plan.base)
    make_pictures(library, own, known, out, plan, told)
    tried = range(plan.pictures, plan.drawn)
    new = {name for thing in own[1] for name in thing.look.names}
    trials = []
    if plan.base is not None:
        trials.append(try_scorer("before", plan.base / SCORER, out / "pictures", tried, looks, new))
    fit_scorer(looks, out, plan, told)
    if plan.base is not None:
        trials.append(try_scorer("after", out / SCORER, out / "pictures", tried, looks, new))
    fit_detector(looks, out, plan, told)
    steps = {DETECTOR: plan.detector_steps, SCORER: plan.scorer_steps}
    device = device_name(plan.device)
    made = {
        part: {"pictures": plan.pictures, "steps": count, "device": device}
        for part, count in steps.items()
    }
    (out / MADE).write_text(json.dumps(made, indent=2) + "\n", "utf-8")
    write_known(looks, out)
    return trials


def begin_or_continue(out: Path, looks: Sequence[Look], base: Path | None) -> None:
    """Note what a folder's training is of. Raises ValueError if it is of something else.

    Its pictures and checkpoints would know nothing of a thing that was added since.
    """
    things = [[*look.names, look.kind, look.colour] for look in looks]
    given = {"weights": None if base is None else str(base.resolve()), "things": things}
    path = out / BEGUN
    begun = json.loads(path.read_text("utf-8")) if path.is_file() else given
    for key, value in given.items():
        if begun.get(key) != value:
            raise ValueError(f"{out} has a training with other {key}: use another folder")
    write_atomic(path, json.dumps(given) + "\n")


def write_known(looks: Sequence[Look], folder: Path) -> None:
    """Write which names, kinds and colours a training has, for `treec_perception.vocabulary`."""
    names = {name: (look.kind, look.colour) for look in reversed(looks) for name in look.names}
    known = {
        "names": [[name, *names[name]] for name in sorted(names)],
        "kinds": {**{look.kind: words_of_kind(look.kind) for look in looks}, **KINDS},
        "colours": COLOURS,
    }
    (folder / FILE).write_text(json.dumps(known) + "\n", "utf-8")


def make_pictures(
    library: Library,
    own: tuple[Sequence[Room], Sequence[TrainingThing]],
    known: tuple[Sequence[Room], Sequence[TrainingThing]],
    out: Path,
    plan: TrainingPlan,
    told: Told,
) -> None:
    """Make the training pictures that are missing."""
    folder = out / "pictures"
    folder.mkdir(parents=True, exist_ok=True)
    lacking = missing(folder, plan.drawn)
    robots = Robots(_robots(library)) if lacking else Robots([])
    make = PictureMaker(folder, *own, robots, known)
    there = plan.drawn - len(lacking)
    for done, _ in enumerate(_each(make, lacking, plan.processes), there + 1):
        told("pictures", done, plan.drawn, "")


def _each(make: Callable[[int], T], numbers: Iterable[int], processes: int) -> Iterator[T]:
    """What is made of each number, in their order; by several processes if treec-testing is there.

    Raises ValueError without it.
    """
    if processes <= 1:
        yield from map(make, numbers)
        return
    try:
        pool = import_module("treec_testing.pool.spread")
    except ImportError:
        raise ValueError("--processes needs the package treec-testing: treec[testing]") from None
    yield from pool.in_order(make, numbers, pool.Pool(processes))


def _begin(part: str, looks: Sequence[Look], plan: TrainingPlan) -> tuple[Any, Any]:
    """A model and its tokenizer: new ones, or those of the weights from which it goes on."""
    if plan.base is None:
        tokenizer = make_tokenizer(corpus(looks))
        model = (make_scorer if part == SCORER else make_detector)(tokenizer)
    else:
        folder = str(plan.base / part)
        loaded = Scorer(folder) if part == SCORER else Detector(folder)
        model, tokenizer = loaded.for_training()
    return model.to(device_of(plan.device)), tokenizer


def fit_scorer(looks: Sequence[Look], out: Path, plan: TrainingPlan, told: Told) -> None:
    """Fit the scorer to the pictures of a folder, and save it there."""
    model, tokenizer = _begin(SCORER, looks, plan)
    batches = ScorerBatches(out / "pictures", plan.pictures, looks)
    steps = plan.scorer_steps
    fit(
        model,
        lambda batch: scorer_loss(model, tokenizer, batch),
        lambda first: _each(batches, range(first, steps), plan.processes),
        out / "scorer.checkpoint",
        steps=steps,
        highest=SCORER_RATE * plan.slower,
        told=_loss("scorer", steps, told),
    )
    save(model, tokenizer, out / SCORER, SCORER_SIDE, "CLIPImageProcessor")


def fit_detector(looks: Sequence[Look], out: Path, plan: TrainingPlan, told: Told) -> None:
    """Fit the detector to the pictures of a folder, and save it there."""
    model, tokenizer = _begin(DETECTOR, looks, plan)
    batches = DetectorBatches(out / "pictures", plan.pictures, looks)
    steps = plan.detector_steps
    fit(
        model,
        lambda batch: detector_loss(model, tokenizer, batch),
        lambda first: _each(batches, range(first, steps), plan.processes),
        out / "detector.checkpoint",
        steps=steps,
        highest=DETECTOR_RATE * plan.slower,
        told=_loss("detector", steps, told),
    )
    save(model, tokenizer, out / DETECTOR, DETECTOR_SIDE, "OwlViTImageProcessor")


def device_name(device: str) -> str:
    """Return what a device is: `CPU`, or the GPU's own name."""
    found = device_of(device)
    return "CPU" if found.type == "cpu" else torch.cuda.get_device_name(found)


def save(model: Any, tokenizer: Any, folder: Path, side: int, processor: str) -> None:
    """Write a model as a folder of the published layout, its weights in half precision."""
    folder.mkdir(parents=True, exist_ok=True)
    half = type(model)(model.config)
    half.load_state_dict(model.state_dict())  # on the CPU, wherever it was fitted
    half.half().save_pretrained(folder)
    config = folder / "config.json"
    data = json.loads(config.read_text("utf-8"))
    for key in ("dtype", "torch_dtype"):
        data.pop(key, None)  # to be computed with in full precision
    config.write_text(json.dumps(data, indent=2, sort_keys=True) + "\n", "utf-8")
    tokenizer.save_pretrained(folder)
    save_published_layout(tokenizer, folder)
    preprocessor = {
        "image_processor_type": processor,
        "do_resize": True,
        "size": {"height": side, "width": side},
        "resample": 3,
        "do_center_crop": False,
        "crop_size": {"height": side, "width": side},
        "do_rescale": True,
        "rescale_factor": 1 / 255,
        "do_normalize": True,
        "image_mean": [0.48145466, 0.4578275, 0.40821073],
        "image_std": [0.26862954, 0.26130258, 0.27577711],
        "do_convert_rgb": True,
    }
    (folder / "preprocessor_config.json").write_text(json.dumps(preprocessor, indent=2) + "\n")


def _robots(library: Library) -> list[dict[str, Any]]:
    """One body of each robot of the library's agents."""
    found: dict[str, dict[str, Any]] = {}
    for entry in library.own("agent"):
        body = entry.model.body or {}
        if "robot" in body and str(body["robot"]) not in found:
            pose = [0.0, 0.0, float(body.get("pose", [0, 0, 0])[2])]
            side = {"side": body["side"]} if "side" in body else {}
            found[str(body["robot"])] = {"robot": body["robot"], "pose": pose, **side}
    return [found[name] for name in sorted(found)]


def _loss(part: str, steps: int, told: Told) -> Callable[[int, float], None]:
    mean = [0.0]

    def tell(step: int, loss: float) -> None:
        mean[0] = loss if not mean[0] else 0.97 * mean[0] + 0.03 * loss
        told(part, step, steps, f"loss {mean[0]:.3f}")

    return tell
