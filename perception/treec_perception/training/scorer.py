"""A small CLIP, fitted to crops of training pictures from scratch, for three questions at once.

*Which thing is it?* A crop is compared with one name of every thing that the kitchens know, and
with words for no thing, as `score_crops` does in use: its share is then the chance that the thing
is the one that is called so. (With all names of all things in one softmax a thing of four names
would get a quarter of the share of a thing of one.) *Which words fit?* A batch's crops are compared
with a batch's texts; several may be right for a crop ("peas" and "green packet"). *How is it?* A
crop with more around it is compared with sentences about a state of the same thing.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import torch
from torch.nn import functional as F

from treec_perception.crops import Box, square_crop
from treec_perception.negative_words import BACKGROUND, NOTHING, UNNAMED
from treec_perception.pipeline.suppress import iou
from treec_perception.training.detector import encoded, normalised, relit
from treec_perception.training.pictures import Annotation, read_annotations, read_picture
from treec_perception.training.tokenizer import LENGTH
from treec_perception.training.words import (
    STATES,
    Look,
    all_phrases,
    matches,
    phrase_of,
    sentence,
)

SIDE, PATCH = 64, 8
PICTURES, CROPS, STATE_CROPS, OTHERS = 12, 7, 4, 48
"""Pictures of a batch, crops of each for names and for states, texts that belong to none."""
RATE = 1e-3
HIDDEN, CLEAR = 0.5, 0.15
"""Shares of a thing that others hide: from which it is hidden, up to which it is not."""


def make_scorer(tokenizer: Any) -> Any:
    """Return an untrained `CLIPModel` of two million parameters."""
    from transformers import CLIPConfig, CLIPModel

    config = CLIPConfig(
        text_config={
            "hidden_size": 128,
            "intermediate_size": 384,
            "num_attention_heads": 4,
            "num_hidden_layers": 3,
            "vocab_size": len(tokenizer),
            "max_position_embeddings": LENGTH,
            "pad_token_id": tokenizer.pad_token_id,
            "bos_token_id": tokenizer.bos_token_id,
            "eos_token_id": tokenizer.eos_token_id,
        },
        vision_config={
            "hidden_size": 160,
            "intermediate_size": 480,
            "num_attention_heads": 5,
            "num_hidden_layers": 5,
            "image_size": SIDE,
            "patch_size": PATCH,
        },
        projection_dim=128,
    )
    torch.manual_seed(2)
    return CLIPModel(config)


@dataclass(frozen=True)
class ScorerBatch:
    """Crops (n, side, side, 3; bytes), texts, and what is right.

    The first ``named`` crops are asked which thing they show: ``names`` texts come first, of which
    ``which`` (named, names) says how much each is right (rows sum to 1); then ``words`` of which
    ``right`` (named, words) fit. Each further crop has four texts of its own, one of which,
    ``state``, is right.
    """

    crops: Any
    texts: tuple[str, ...]
    which: Any
    right: Any
    state: Any


class ScorerBatches:
    """Draws batches of crops and texts from pictures on disk."""

    def __init__(self, folder: Path, pictures: int, looks: Sequence[Look], seed: int = 2) -> None:
        self.folder = folder
        self.pictures = pictures
        self.looks = tuple(look for look in looks if look.names)
        self.phrases = all_phrases(looks)
        self.names = sorted({name for look in looks for name in look.names})
        self.seed = seed

    def __call__(self, step: int) -> ScorerBatch:
        """Return the batch of a step."""
        rng = np.random.default_rng([self.seed, step])
        crops: list[Any] = []
        looks: list[Look | None] = []
        stated: list[tuple[Any, list[str], int]] = []
        for number in rng.integers(self.pictures, size=PICTURES):
            picture = read_picture(self.folder, int(number))
            found = read_annotations(self.folder, int(number))
            for at in rng.permutation(len(found))[:CROPS]:
                margin = float(rng.uniform(0.0, 0.35))
                crops.append(_augmented(picture, _jittered(found[int(at)].box, rng), margin, rng))
                looks.append(found[int(at)].look)
            for empty in (_empty_box(picture, found, rng), _beside(found, rng)):
                if empty is not None:
                    crops.append(_augmented(picture, empty, float(rng.uniform(0.0, 0.35)), rng))
                    looks.append(None)
            for _ in range(STATE_CROPS):
                one = self._state(picture, found, rng)
                if one is not None:
                    stated.append(one)
        names = self._one_name_each(rng)
        which = np.stack([_which(look, names) for look in looks])
        words, right = self._words(looks, rng)
        template = sentence("{}", rng)
        one_for_all = rng.random() < 0.5
        asked = [
            it if it in NOTHING else template.format(it) if one_for_all else sentence(it, rng)
            for it in names
        ]
        texts = [*asked, *words, *(text for _, own, _ in stated for text in own)]
        return ScorerBatch(
            np.stack([*crops, *(crop for crop, _, _ in stated)]),
            tuple(texts),
            which,
            right,
            np.array([at for _, _, at in stated], np.int64),
        )

    def _one_name_each(self, rng: np.random.Generator) -> list[str]:
        chosen = (look.names[int(rng.integers(len(look.names)))] for look in self.looks)
        return [*dict.fromkeys(chosen), *NOTHING]

    def _words(
        self, looks: Sequence[Look | None], rng: np.random.Generator
    ) -> tuple[list[str], Any]:
        phrases = [phrase_of(look, rng) for look in looks if look is not None]
        for _ in range(OTHERS):
            pool = self.names if rng.random() < 0.6 else self.phrases
            phrases.append(pool[int(rng.integers(len(pool)))])
        phrases = list(dict.fromkeys(phrases))
        nothing = BACKGROUND[int(rng.integers(len(BACKGROUND)))]
        right = [
            [*(look is not None and matches(it, look) for it in phrases), look is None]
            for look in looks
        ]
        return [*(sentence(it, rng) for it in phrases), nothing], np.array(right, np.float32)

    def _state(
        self, picture: Any, found: Sequence[Annotation], rng: np.random.Generator
    ) -> tuple[Any, list[str], int] | None:
        """A crop, a sentence of each state about a thing, and which of them is right."""
        named = [it for it in found if it.look.names]
        if rng.random() < 0.35 or not named:
            name = self.names[int(rng.integers(len(self.names)))]
            if any(matches(name, it.look) for it in found):
                return None
            box = found[int(rng.integers(len(found)))].box if found else None
            if box is None or rng.random() < 0.3:
                box = _empty_box(picture, found, rng)
            state = "absent"
        else:
            odd = [it for it in named if it.state == "lying" or it.hidden > HIDDEN]
            pool = odd if odd and rng.random() < 0.5 else named
            it = pool[int(rng.integers(len(pool)))]
            name = it.look.names[int(rng.integers(len(it.look.names)))]
            if sum(matches(name, other.look) for other in found) > 1 or (
                CLEAR < it.hidden <= HIDDEN
            ):
                return None
            box = it.box
            state = "hidden" if it.hidden > HIDDEN else it.state or "upright"
        if box is None:
            return None
        crop = _augmented(picture, _jittered(box, rng), float(rng.uniform(0.3, 0.6)), rng)
        texts = [
            templates[int(rng.integers(len(templates)))].format(name)
            for templates in STATES.values()
        ]
        return crop, texts, list(STATES).index(state)


def _which(look: Look | None, names: Sequence[str]) -> Any:
    """How much each name is right for a crop: shares that sum to 1."""
    if look is None:
        right = [it in BACKGROUND for it in names]
    elif not look.names:
        right = [it == UNNAMED for it in names]
    else:
        right = [it in look.names for it in names]
    shares = np.array(right, np.float32)
    return shares / shares.sum()


def scorer_loss(model: Any, tokenizer: Any, batch: ScorerBatch) -> Any:
    """Return the loss of a batch."""
    device = next(model.parameters()).device
    out = model(
        pixel_values=normalised(batch.crops, device), **encoded(tokenizer, batch.texts, device)
    )
    which, right, state = (
        torch.from_numpy(it).to(device) for it in (batch.which, batch.right, batch.state)
    )
    (count, names), words = which.shape, right.shape[1]
    logits = out.logits_per_image
    loss = -(which * F.log_softmax(logits[:count, :names], dim=1)).sum(dim=1).mean()
    free = logits[:count, names : names + words]
    has = right.sum(dim=1)
    rows = -(right * F.log_softmax(free, dim=1)).sum(dim=1) / has.clamp(min=1)
    columns = right.sum(dim=0)
    down = -(right * F.log_softmax(free, dim=0)).sum(dim=0) / columns.clamp(min=1)
    loss = loss + 0.5 * rows[has > 0].mean() + 0.25 * down[columns > 0].mean()
    if len(state):
        per_state = len(STATES)
        at = torch.arange(len(state), device=device)
        first = names + words + per_state * at[:, None]
        own = logits[count:].gather(1, first + torch.arange(per_state, device=device))
        loss = loss + F.cross_entropy(own, state)
    return loss


def _jittered(box: Box, rng: np.random.Generator) -> Box:
    """A box as a detector may give it."""
    x0, y0, x1, y1 = box
    w, h = x1 - x0, y1 - y0
    wide = 0.12 if rng.random() < 0.2 else 0.05
    dx, dy, du, dv = rng.normal(0.0, wide, 4) * (w, h, w, h)
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


def _beside(found: Sequence[Annotation], rng: np.random.Generator) -> Box | None:
    """A box beside a thing: it shows edges of things at most, and none in its middle."""
    if not found:
        return None
    x0, y0, x1, y1 = found[int(rng.integers(len(found)))].box
    w, h = x1 - x0, y1 - y0
    for _ in range(6):
        turn, far = rng.uniform(0, 2 * np.pi), rng.uniform(0.75, 1.3)
        dx, dy = far * w * float(np.cos(turn)), far * h * float(np.sin(turn))
        box = (x0 + dx, y0 + dy, x1 + dx, y1 + dy)
        x, y = (box[0] + box[2]) / 2, (box[1] + box[3]) / 2
        free = all(
            iou(box, it.box) < 0.15
            and not (it.box[0] < x < it.box[2] and it.box[1] < y < it.box[3])
            for it in found
        )
        if free:
            return box
    return None


def _augmented(picture: Any, box: Box, margin: float, rng: np.random.Generator) -> Any:
    pixels = relit(square_crop(picture, box, margin, SIDE), rng)
    return pixels[:, ::-1] if rng.random() < 0.5 else pixels
