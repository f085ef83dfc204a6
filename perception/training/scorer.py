"""A small CLIP, fitted to crops of training pictures from scratch.

A batch's crops are compared with a batch's texts; several texts may be right for a crop ("peas" and
"green packet"), and crops of no thing have texts of their own.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import torch
from torch.nn import functional as F

from treec.perception.crops import Box, square_crop
from treec.perception.training.detector import MEAN, STD
from treec.perception.training.pictures import Annotation, read_annotations, read_picture
from treec.perception.training.tokenizer import LENGTH
from treec.perception.training.words import (
    BACKGROUND,
    Look,
    all_phrases,
    matches,
    phrase_of,
    sentence,
)

SIDE, PATCH = 64, 8
PICTURES, CROPS, OTHERS = 14, 7, 48
"""Pictures of a batch, crops of each, texts that belong to none."""
RATE = 1e-3


def make_scorer(tokenizer: Any) -> Any:
    """Return an untrained `CLIPModel` of a million parameters."""
    from transformers import CLIPConfig, CLIPModel

    shape = {"hidden_size": 128, "intermediate_size": 384, "num_attention_heads": 4}
    config = CLIPConfig(
        text_config={
            **shape,
            "num_hidden_layers": 3,
            "vocab_size": len(tokenizer),
            "max_position_embeddings": LENGTH,
            "pad_token_id": tokenizer.pad_token_id,
            "bos_token_id": tokenizer.bos_token_id,
            "eos_token_id": tokenizer.eos_token_id,
        },
        vision_config={**shape, "num_hidden_layers": 4, "image_size": SIDE, "patch_size": PATCH},
        projection_dim=128,
    )
    torch.manual_seed(2)
    return CLIPModel(config)


class ScorerBatches:
    """Draws batches of crops and texts from pictures on disk."""

    def __init__(
        self, folder: Path, pictures: int, looks: Sequence[Look], tokenizer: Any, seed: int = 2
    ) -> None:
        self.folder = folder
        self.pictures = pictures
        self.phrases = all_phrases(looks)
        self.names = sorted({name for look in looks for name in look.names})
        self.tokenizer = tokenizer
        self.seed = seed

    def loss(self, model: Any, step: int) -> Any:
        """Return the loss of a step's batch."""
        rng = np.random.default_rng([self.seed, step])
        crops: list[Any] = []
        looks: list[Look | None] = []
        for number in rng.integers(self.pictures, size=PICTURES):
            picture = read_picture(self.folder, int(number))
            found = read_annotations(self.folder, int(number))
            for at in rng.permutation(len(found))[:CROPS]:
                crops.append(_augmented(picture, _jittered(found[int(at)].box, rng), rng))
                looks.append(found[int(at)].look)
            empty = _empty_box(picture, found, rng)
            if empty is not None:
                crops.append(_augmented(picture, empty, rng))
                looks.append(None)
        phrases: list[str | None] = [
            None if look is None else phrase_of(look, rng) for look in looks
        ]
        others = [(self.names if rng.random() < 0.6 else self.phrases) for _ in range(OTHERS)]
        phrases += [pool[int(rng.integers(len(pool)))] for pool in others]
        texts = [
            BACKGROUND[int(rng.integers(len(BACKGROUND)))]
            if phrase is None
            else sentence(phrase, rng)
            for phrase in phrases
        ]
        right = torch.tensor(
            [
                [
                    phrase is None if look is None else phrase is not None and matches(phrase, look)
                    for phrase in phrases
                ]
                for look in looks
            ],
            dtype=torch.float32,
        )
        encoded = self.tokenizer(
            texts, padding="max_length", truncation=True, max_length=LENGTH, return_tensors="pt"
        )
        out = model(
            input_ids=encoded["input_ids"],
            attention_mask=encoded["attention_mask"],
            pixel_values=torch.from_numpy(np.stack(crops)),
        )
        logits = out.logits_per_image
        rows = -(right * F.log_softmax(logits, dim=1)).sum(dim=1) / right.sum(dim=1).clamp(min=1)
        columns = right.sum(dim=0)
        down = -(right * F.log_softmax(logits, dim=0)).sum(dim=0) / columns.clamp(min=1)
        return rows.mean() + 0.5 * down[columns > 0].mean()


def _jittered(box: Box, rng: np.random.Generator) -> Box:
    """A box as a detector may give it."""
    x0, y0, x1, y1 = box
    w, h = x1 - x0, y1 - y0
    dx, dy, du, dv = rng.normal(0.0, 0.06, 4) * (w, h, w, h)
    return (x0 + float(dx), y0 + float(dy), x1 + float(du), y1 + float(dv))


def _empty_box(picture: Any, found: Sequence[Annotation], rng: np.random.Generator) -> Box | None:
    """A square in which nothing stands, or a thing's edge at most."""
    high, wide, _ = picture.shape
    for _ in range(8):
        side = float(rng.uniform(0.06, 0.3)) * high
        x, y = float(rng.uniform(0, wide - side)), float(rng.uniform(0, high - side))
        shares = [
            max(0.0, min(x + side, it.box[2]) - max(x, it.box[0]))
            * max(0.0, min(y + side, it.box[3]) - max(y, it.box[1]))
            / side**2
            for it in found
        ]
        if max(shares, default=0.0) < 0.12:
            return (x, y, x + side, y + side)
    return None


def _augmented(picture: Any, box: Box, rng: np.random.Generator) -> Any:
    crop = square_crop(picture, box, float(rng.uniform(0.0, 0.35)), SIDE)
    pixels = crop.astype(np.float32) / 255.0
    gain = rng.uniform(0.75, 1.25) * rng.uniform(0.93, 1.07, 3)
    pixels = np.clip(pixels * gain + rng.normal(0, rng.uniform(0, 0.02), pixels.shape), 0, 1)
    if rng.random() < 0.5:
        pixels = pixels[:, ::-1]
    normal = ((pixels - MEAN) / STD).astype(np.float32)
    return np.ascontiguousarray(normal.transpose(2, 0, 1))
