"""Makes treec's small weights: pictures, a tokenizer, a detector, a scorer, and their card.

Each part is continued where it was left off. Written folders have the layout of the published
models: ``config.json``, ``model.safetensors``, ``preprocessor_config.json``, the tokenizer's files.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import torch

from treec.files.library import Library
from treec.perception.training.detector import RATE as DETECTOR_RATE
from treec.perception.training.detector import SIDE as DETECTOR_SIDE
from treec.perception.training.detector import (
    DetectorBatches,
    detector_loss,
    make_detector,
)
from treec.perception.training.fit import fit
from treec.perception.training.pictures import Robots, make_pictures
from treec.perception.training.scenes import rooms_and_things
from treec.perception.training.scorer import RATE as SCORER_RATE
from treec.perception.training.scorer import SIDE as SCORER_SIDE
from treec.perception.training.scorer import ScorerBatches, make_scorer
from treec.perception.training.tokenizer import make_tokenizer, save_published_layout
from treec.perception.training.words import corpus

DETECTOR, SCORER = "detector", "scorer"
"""The folders of the two models."""

MADE = "made.json"
"""How the weights beside it were made."""

Told = Callable[[str, int, int, str], None]
"""Progress: the part, how much of it is done, of how much, a remark."""


@dataclass(frozen=True, slots=True)
class TrainingPlan:
    """How much of everything."""

    pictures: int = 2400
    detector_steps: int = 2400
    scorer_steps: int = 900
    threads: int = 1


def train(library: Library, out: Path, plan: TrainingPlan, told: Told) -> None:
    """Make the weights in a folder: ``detector`` and ``scorer``, with what they are made from."""
    torch.set_num_threads(plan.threads)
    rooms, things = rooms_and_things(library)
    looks = [thing.look for thing in things]
    pictures = out / "pictures"
    make_pictures(
        pictures,
        plan.pictures,
        rooms,
        things,
        Robots(_robots(library)),
        lambda done: told("pictures", done, plan.pictures, ""),
    )
    tokenizer = make_tokenizer(corpus(looks))
    scorer = make_scorer(tokenizer)
    crops = ScorerBatches(pictures, plan.pictures, looks, tokenizer)
    fit(
        scorer,
        lambda step: crops.loss(scorer, step),
        out / "scorer.checkpoint",
        steps=plan.scorer_steps,
        highest=SCORER_RATE,
        told=_loss("scorer", plan.scorer_steps, told),
    )
    save(scorer, tokenizer, out / SCORER, SCORER_SIDE, "CLIPImageProcessor")
    detector = make_detector(tokenizer)
    batches = DetectorBatches(pictures, plan.pictures, looks, tokenizer)
    fit(
        detector,
        lambda step: detector_loss(detector, batches.batch(step)),
        out / "detector.checkpoint",
        steps=plan.detector_steps,
        highest=DETECTOR_RATE,
        told=_loss("detector", plan.detector_steps, told),
    )
    save(detector, tokenizer, out / DETECTOR, DETECTOR_SIDE, "OwlViTImageProcessor")
    made = {key: value for key, value in asdict(plan).items() if key != "threads"}
    (out / MADE).write_text(json.dumps(made, indent=2) + "\n", "utf-8")


def save(model: Any, tokenizer: Any, folder: Path, side: int, processor: str) -> None:
    """Write a model as a folder of the published layout, its weights in half precision."""
    folder.mkdir(parents=True, exist_ok=True)
    half = type(model)(model.config)
    half.load_state_dict(model.state_dict())
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
