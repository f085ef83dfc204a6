"""A small OWL-ViT, fitted to training pictures from scratch.

Its classes and its configuration are those of the published model, only smaller. Each patch near
the middle of a thing answers for it (a fixed assignment instead of OWL-ViT's bipartite matching,
which learns too slowly from a few thousand pictures); losses are the focal loss of the logits, L1
and generalized IoU of the boxes.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
import torch
from torch.nn import functional as F

from treec_perception.training.pictures import Annotation, read_annotations, read_picture
from treec_perception.training.tokenizer import LENGTH
from treec_perception.training.words import Look, all_phrases, matches, phrase_of, sentence

SIDE, PATCH = 320, 16
GRID = SIDE // PATCH
BATCH, QUERIES = 12, 20
RATE = 8e-4
MEAN = np.array([0.48145466, 0.4578275, 0.40821073], np.float32)
STD = np.array([0.26862954, 0.26130258, 0.27577711], np.float32)
"""CLIP's normalisation of pixels."""


def make_detector(tokenizer: Any) -> Any:
    """Return an untrained `OwlViTForObjectDetection` of a few million parameters."""
    from transformers import OwlViTConfig, OwlViTForObjectDetection

    config = OwlViTConfig(
        text_config={
            "vocab_size": len(tokenizer),
            "hidden_size": 128,
            "intermediate_size": 320,
            "num_hidden_layers": 3,
            "num_attention_heads": 4,
            "max_position_embeddings": LENGTH,
            "pad_token_id": tokenizer.pad_token_id,
            "bos_token_id": tokenizer.bos_token_id,
            "eos_token_id": tokenizer.eos_token_id,
        },
        vision_config={
            "hidden_size": 160,
            "intermediate_size": 480,
            "num_hidden_layers": 5,
            "num_attention_heads": 5,
            "image_size": SIDE,
            "patch_size": PATCH,
        },
        projection_dim=128,
    )
    torch.manual_seed(1)
    model = OwlViTForObjectDetection(config)
    with torch.no_grad():
        for head in (model.class_head, model.box_head):
            for layer in head.modules():
                if isinstance(layer, torch.nn.Linear):
                    layer.weight.normal_(0.0, layer.in_features**-0.5)
                    layer.bias.zero_()
        for layer in (model.class_head.logit_scale, model.class_head.logit_shift):
            layer.weight.mul_(0.1)
        model.box_head.dense2.weight.mul_(0.1)
        model.class_head.logit_scale.bias.fill_(7.0)  # few patches show anything:
        model.class_head.logit_shift.bias.fill_(-0.55)  # begin with low scores
    return model


@dataclass(frozen=True)
class DetectorBatch:
    """Pixels (n, side, side, 3; bytes), texts of each picture (n · queries), targets by patch.

    ``wanted`` (n, patches, queries) is 1, 0 or -1 (not learned from), ``boxes`` (n, patches, 4) are
    middle and size, 0 to 1, where ``answers`` (n, patches).
    """

    pixels: Any
    texts: tuple[str, ...]
    wanted: Any
    boxes: Any
    answers: Any


class DetectorBatches:
    """Draws batches from pictures on disk: cropped, mirrored, of other brightness and tint."""

    def __init__(self, folder: Path, pictures: int, looks: Sequence[Look], seed: int = 1) -> None:
        self.folder = folder
        self.pictures = pictures
        self.phrases = all_phrases(looks)
        self.names = sorted({name for look in looks for name in look.names})
        self.seed = seed

    def __call__(self, step: int) -> DetectorBatch:
        """Return the batch of a step."""
        rng = np.random.default_rng([self.seed, step])
        texts: list[str] = []
        pixels, wanted, boxes, answers = [], [], [], []
        for number in rng.integers(self.pictures, size=BATCH):
            picture, found = augment(
                read_picture(self.folder, int(number)),
                read_annotations(self.folder, int(number)),
                rng,
            )
            phrases = self._phrases(found, rng)
            texts += [sentence(phrase, rng) for phrase in phrases]
            one = targets(found, phrases)
            pixels.append(picture)
            wanted.append(one[0])
            boxes.append(one[1])
            answers.append(one[2])
        return DetectorBatch(
            np.stack(pixels), tuple(texts), np.stack(wanted), np.stack(boxes), np.stack(answers)
        )

    def _phrases(self, found: Sequence[Annotation], rng: np.random.Generator) -> list[str]:
        present = [phrase_of(it.look, rng) for it in found]
        rng.shuffle(present)
        phrases = list(dict.fromkeys(present))[: QUERIES - 6]
        while len(phrases) < QUERIES:
            pool = self.names if rng.random() < 0.6 else self.phrases
            phrase = pool[int(rng.integers(len(pool)))]
            if phrase not in phrases:
                phrases.append(phrase)
        return phrases


def augment(
    picture: Any, found: Sequence[Annotation], rng: np.random.Generator
) -> tuple[Any, list[Annotation]]:
    """Return a picture (side, side, 3; bytes), and boxes as shares of it."""
    from PIL import Image

    high, wide, _ = picture.shape
    share = float(rng.uniform(0.55, 1.0)) if rng.random() < 0.7 else 1.0
    w, h = wide * share, high * share
    x, y = float(rng.uniform(0, wide - w)), float(rng.uniform(0, high - h))
    image = Image.fromarray(picture).resize(
        (SIDE, SIDE), Image.Resampling.BICUBIC, box=(x, y, x + w, y + h)
    )
    pixels = relit(np.asarray(image), rng)
    flip = rng.random() < 0.5
    if flip:
        pixels = pixels[:, ::-1]
    kept = []
    for it in found:
        x0, y0, x1, y1 = it.box
        box = np.clip([(x0 - x) / w, (y0 - y) / h, (x1 - x) / w, (y1 - y) / h], 0.0, 1.0)
        area = (box[2] - box[0]) * (box[3] - box[1]) * w * h
        if area < 0.4 * (x1 - x0) * (y1 - y0) or (box[2] - box[0]) * SIDE < 3:
            continue
        if flip:
            box = np.array([1 - box[2], box[1], 1 - box[0], box[3]])
        a, b, c, d = (float(number) for number in box)
        kept.append(replace(it, box=(a, b, c, d)))
    return np.ascontiguousarray(pixels), kept


def relit(pixels: Any, rng: np.random.Generator) -> Any:
    """Return pixels (bytes) brighter or darker, of another tint, with noise."""
    gain = (rng.uniform(0.75, 1.25) * rng.uniform(0.93, 1.07, 3)).astype(np.float32)
    noise = rng.standard_normal(pixels.shape, np.float32) * np.float32(rng.uniform(0, 5))
    return np.clip(pixels * gain + noise, 0, 255).astype(np.uint8)


def normalised(pixels: Any, device: Any) -> Any:
    """Return pixels (n, high, wide, 3; bytes) as models take them (n, 3, high, wide)."""
    rows = torch.from_numpy(pixels).to(device).permute(0, 3, 1, 2).float() / 255.0
    mean, std = (torch.from_numpy(it).to(device)[:, None, None] for it in (MEAN, STD))
    return (rows - mean) / std


def encoded(tokenizer: Any, texts: Sequence[str], device: Any) -> dict[str, Any]:
    """Return texts as models take them."""
    found = tokenizer(
        list(texts), padding="max_length", truncation=True, max_length=LENGTH, return_tensors="pt"
    )
    return {key: found[key].to(device) for key in ("input_ids", "attention_mask")}


def targets(found: Sequence[Annotation], phrases: Sequence[str]) -> tuple[Any, Any, Any]:
    """Return what each patch answers for: see `DetectorBatch`."""
    wanted = np.zeros((GRID * GRID, len(phrases)), np.float32)
    boxes = np.zeros((GRID * GRID, 4), np.float32)
    answers = np.zeros(GRID * GRID, bool)
    centre = (np.arange(GRID) + 0.5) / GRID
    u, v = np.tile(centre, GRID), np.repeat(centre, GRID)
    size = lambda it: (it.box[2] - it.box[0]) * (it.box[3] - it.box[1])  # noqa: E731
    for it in sorted(found, key=size, reverse=True):  # the smaller one has the last word
        x0, y0, x1, y1 = it.box
        x, y, w, h = (x0 + x1) / 2, (y0 + y1) / 2, x1 - x0, y1 - y0
        inside = (np.abs(u - x) < w / 2) & (np.abs(v - y) < h / 2)
        core = (np.abs(u - x) < 0.3 * w) & (np.abs(v - y) < 0.3 * h)
        core[np.argmin((u - x) ** 2 + (v - y) ** 2)] = True
        means = np.array([matches(phrase, it.look) for phrase in phrases], bool)
        border = np.ix_(inside & ~core, means)
        wanted[border] = np.where(wanted[border] > 0, wanted[border], -1.0)
        wanted[np.ix_(core, means)] = 1.0
        wanted[np.ix_(core, ~means)] = 0.0
        boxes[core] = (x, y, w, h)
        answers |= core
    return wanted, boxes, answers


def detector_loss(model: Any, tokenizer: Any, batch: DetectorBatch) -> Any:
    """Return the loss of a batch."""
    device = next(model.parameters()).device
    out = model(
        pixel_values=normalised(batch.pixels, device), **encoded(tokenizer, batch.texts, device)
    )
    marks, boxes, answers = (
        torch.from_numpy(it).to(device) for it in (batch.wanted, batch.boxes, batch.answers)
    )
    count = answers.sum().clamp(min=1)
    logits, wanted = out.logits, marks.clamp(min=0)
    chance = torch.sigmoid(logits)
    hit = torch.where(wanted > 0, chance, 1 - chance)
    plain = F.binary_cross_entropy_with_logits(logits, wanted, reduction="none")
    learned = (marks >= 0).float()
    classes = ((1 - hit) ** 2 * plain * learned).sum() / count  # the focal loss
    mine, right = out.pred_boxes[answers], boxes[answers]
    distance = F.l1_loss(mine, right, reduction="sum") / count
    return classes + 5.0 * distance + 2.0 * (1 - giou(mine, right)).sum() / count


def giou(a: Any, b: Any) -> Any:
    """Return the generalized IoU of boxes given as middle and size (n, 4)."""
    a0, a1 = a[:, :2] - a[:, 2:] / 2, a[:, :2] + a[:, 2:] / 2
    b0, b1 = b[:, :2] - b[:, 2:] / 2, b[:, :2] + b[:, 2:] / 2
    both = (torch.minimum(a1, b1) - torch.maximum(a0, b0)).clamp(min=0).prod(dim=1)
    either = a[:, 2:].prod(dim=1) + b[:, 2:].prod(dim=1) - both
    hull = (torch.maximum(a1, b1) - torch.minimum(a0, b0)).prod(dim=1)
    return both / (either + 1e-7) - (hull - either) / (hull + 1e-7)
