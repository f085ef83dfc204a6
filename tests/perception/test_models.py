"""Checkpoints of the published layout load and run: OWL-ViT, OWLv2, CLIP, SAM; no torchvision."""

from __future__ import annotations

import importlib.util
import os
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

from tests.perception import checkpoints
from treec_perception.models import Detector, Models, ModelUnavailable, Scorer, Segmenter, locate

PICTURE = np.random.default_rng(0).integers(0, 255, (48, 64, 3)).astype(np.uint8)


@pytest.fixture(scope="module", autouse=True)
def _offline() -> Iterator[None]:
    before = os.environ.get("HF_HUB_OFFLINE")
    os.environ["HF_HUB_OFFLINE"] = "1"
    yield
    if before is None:
        del os.environ["HF_HUB_OFFLINE"]


def test_there_is_no_torchvision() -> None:
    """Else the tests below would not show that none is needed."""
    assert importlib.util.find_spec("torchvision") is None


@pytest.mark.thorough
@pytest.mark.few(1)
@pytest.mark.parametrize("kind", ["owlvit", "owlv2"])
def test_a_detector_gives_boxes_in_the_picture_best_first(kind: str, tmp_path: Path) -> None:
    folder = getattr(checkpoints, kind)(tmp_path / kind)
    found = Detector(str(folder)).boxes(PICTURE, ["a photo of a red can"], 10)
    assert 0 < len(found) <= 10
    scores = [score for _, score in found]
    assert scores == sorted(scores, reverse=True)
    for box, _ in found:
        assert (box >= 0).all()
        assert (box <= (64, 48, 64, 48)).all()
        assert (box[2:] > box[:2]).all()


@pytest.mark.thorough
def test_several_prompts_are_averaged(tmp_path: Path) -> None:
    detector = Detector(str(checkpoints.owlvit(tmp_path / "owl")))
    one, other = "a photo of a red can", "a picture of milk"
    best = {
        prompts: max(score for _, score in detector.boxes(PICTURE, prompts, 16))
        for prompts in ((one,), (other,), (one, other))
    }
    low, high = sorted((best[one,], best[other,]))
    assert low - 1e-3 <= best[one, other] <= high + 1e-3


@pytest.mark.thorough
def test_the_same_model_gives_what_transformers_gives(tmp_path: Path) -> None:
    import torch
    from transformers import OwlViTForObjectDetection, OwlViTImageProcessor, OwlViTProcessor
    from transformers.models.clip import CLIPTokenizer

    folder = str(checkpoints.owlvit(tmp_path / "owl"))
    processor = OwlViTProcessor(
        OwlViTImageProcessor.from_pretrained(folder), CLIPTokenizer.from_pretrained(folder)
    )
    model = OwlViTForObjectDetection.from_pretrained(folder)
    prompt = "a photo of a green fruit"
    with torch.inference_mode():
        out = model(**processor(images=PICTURE, text=[[prompt]], return_tensors="pt"))
    theirs = processor.post_process_grounded_object_detection(
        out, threshold=0.0, target_sizes=[(48, 64)]
    )[0]
    ours = Detector(folder).boxes(PICTURE, [prompt], 3)
    best = int(theirs["scores"].argmax())
    assert ours[0][1] == pytest.approx(float(theirs["scores"][best]), abs=1e-5)
    clipped = np.clip(theirs["boxes"][best].numpy(), 0, (64, 48, 64, 48))
    assert ours[0][0] == pytest.approx(clipped, abs=0.01)


@pytest.mark.thorough
def test_a_scorer_compares_every_crop_with_every_text(tmp_path: Path) -> None:
    scorer = Scorer(str(checkpoints.clip(tmp_path / "clip")))
    found = scorer.similarities([PICTURE, PICTURE[:20, :20], PICTURE[:9]], ["milk", "a red can"])
    assert found.shape == (3, 2)
    assert np.isfinite(found).all()


@pytest.mark.thorough
def test_a_segmenter_gives_a_mask_of_the_picture(tmp_path: Path) -> None:
    segmenter = Segmenter(str(checkpoints.sam(tmp_path / "sam")))
    mask = segmenter.mask(PICTURE, (10, 10, 40, 30))
    assert mask.shape == (48, 64)
    assert mask.dtype == bool


@pytest.mark.parametrize(
    ("name", "says"),
    [
        ("./nowhere", "unknown model './nowhere'"),
        ("nowhere", "unknown model 'nowhere': neither a folder nor a name of the hub"),
        ("empty", "has no config.json: it is not a model's folder"),
    ],
)
def test_what_is_no_model_is_refused(name: str, says: str, tmp_path: Path) -> None:
    (tmp_path / "empty").mkdir()
    with pytest.raises(ModelUnavailable, match=says):
        locate(name, "detector", tmp_path)


def test_another_kind_of_model_is_refused(tmp_path: Path) -> None:
    folder = str(checkpoints.clip(tmp_path / "clip"))
    with pytest.raises(ModelUnavailable, match=f"'{folder}' is a clip: a detector is owlvit or ow"):
        Detector(folder).boxes(PICTURE, ["milk"], 3)
    with pytest.raises(ModelUnavailable, match=f"'{folder}' is a clip: a segmenter is sam"):
        Segmenter(folder).load()
    (tmp_path / "clip/config.json").write_text('{"model_type": "sam"}', "utf-8")
    with pytest.raises(ModelUnavailable, match=f"'{folder}' is a sam: a scorer is clip"):
        Scorer(folder).load()


def test_the_model_of_sentences_is_loaded_once_for_all_words(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "model").mkdir()
    monkeypatch.setattr("treec_perception.models.package_folder", lambda _: tmp_path)
    models = Models()
    assert models.likeness is not None
    assert models.likeness is models.likeness


def test_a_hub_name_without_a_network_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("huggingface_hub.constants.HF_HUB_OFFLINE", True)
    models = Models()
    says = "no folder 'google/owlvit-base-patch32', and from the hub it cannot be loaded"
    with pytest.raises(ModelUnavailable, match=says):
        models.detector("google/owlvit-base-patch32").boxes(PICTURE, ["milk"], 3)


def test_broken_weights_are_a_clear_error(tmp_path: Path) -> None:
    folder = checkpoints.owlvit(tmp_path / "owl")
    (folder / "model.safetensors").write_bytes(b"no weights")
    with pytest.raises(ModelUnavailable, match="cannot be loaded as OwlViTForObjectDetection"):
        Detector(str(folder)).boxes(PICTURE, ["milk"], 3)
