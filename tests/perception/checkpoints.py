"""Tiny random checkpoints with the layout that Google, OpenAI and Meta publish theirs in.

Same files, same keys of the configurations and of the weights; the numbers are small and random.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

TEXTS = ("a photo of a red can", "a photo of a green fruit", "a picture of milk")
CLIP_MEAN, CLIP_STD = [0.48145466, 0.4578275, 0.40821073], [0.26862954, 0.26130258, 0.27577711]
SHAPE = {
    "hidden_size": 16,
    "intermediate_size": 32,
    "num_hidden_layers": 2,
    "num_attention_heads": 2,
}


def _tokenizer(folder: Path) -> Any:
    from treec_perception.training.tokenizer import make_tokenizer, save_published_layout

    tokenizer = make_tokenizer(TEXTS)
    tokenizer.save_pretrained(folder)
    save_published_layout(tokenizer, folder)
    (folder / "tokenizer.json").unlink()  # the older folders have vocab.json and merges.txt alone
    return tokenizer


def _text(tokenizer: Any) -> dict[str, Any]:
    return {
        **SHAPE,
        "vocab_size": len(tokenizer),
        "max_position_embeddings": 16,
        "pad_token_id": 0,
        "bos_token_id": len(tokenizer) - 2,
        "eos_token_id": len(tokenizer) - 1,
    }


def _preprocessor(folder: Path, **values: Any) -> None:
    common = {"do_normalize": True, "do_resize": True, "image_mean": CLIP_MEAN, "resample": 3}
    text = json.dumps({**common, "image_std": CLIP_STD, **values})
    (folder / "preprocessor_config.json").write_text(text, "utf-8")


def _spread(model: Any) -> Any:
    """Let the random heads give boxes that have a size."""
    import torch

    with torch.no_grad():
        for layer in (*model.box_head.modules(), *model.class_head.modules()):
            if isinstance(layer, torch.nn.Linear):
                layer.weight.normal_(0.0, 0.3)
                layer.bias.zero_()
    return model


def owlvit(folder: Path) -> Path:
    """As google/owlvit-base-patch32."""
    import torch
    from transformers import OwlViTConfig, OwlViTForObjectDetection

    folder.mkdir(parents=True)
    torch.manual_seed(3)
    config = OwlViTConfig(
        text_config=_text(_tokenizer(folder)),
        vision_config={**SHAPE, "image_size": 64, "patch_size": 16},
        projection_dim=16,
    )
    _spread(OwlViTForObjectDetection(config)).save_pretrained(folder)
    _preprocessor(
        folder,
        feature_extractor_type="OwlViTFeatureExtractor",
        do_center_crop=False,
        crop_size=64,
        size=[64, 64],
    )
    return folder


def owlv2(folder: Path) -> Path:
    """As google/owlv2-base-patch16-ensemble."""
    import torch
    from transformers import Owlv2Config, Owlv2ForObjectDetection

    folder.mkdir(parents=True)
    torch.manual_seed(3)
    config = Owlv2Config(
        text_config=_text(_tokenizer(folder)),
        vision_config={**SHAPE, "image_size": 64, "patch_size": 16},
        projection_dim=16,
    )
    _spread(Owlv2ForObjectDetection(config)).save_pretrained(folder)
    _preprocessor(
        folder,
        image_processor_type="Owlv2ImageProcessor",
        processor_class="Owlv2Processor",
        do_pad=True,
        do_rescale=True,
        rescale_factor=1 / 255,
        size={"height": 64, "width": 64},
    )
    return folder


def clip(folder: Path) -> Path:
    """As openai/clip-vit-base-patch32."""
    import torch
    from transformers import CLIPConfig, CLIPModel

    folder.mkdir(parents=True)
    torch.manual_seed(3)
    config = CLIPConfig(
        text_config=_text(_tokenizer(folder)),
        vision_config={**SHAPE, "image_size": 32, "patch_size": 16},
        projection_dim=16,
    )
    CLIPModel(config).save_pretrained(folder)
    _preprocessor(
        folder,
        feature_extractor_type="CLIPFeatureExtractor",
        do_center_crop=True,
        crop_size=32,
        size=32,
    )
    return folder


def sam(folder: Path) -> Path:
    """As facebook/sam-vit-base."""
    import torch
    from transformers import SamConfig, SamModel

    folder.mkdir(parents=True)
    torch.manual_seed(3)
    config = SamConfig(
        vision_config={
            "hidden_size": 16,
            "output_channels": 16,
            "num_hidden_layers": 1,
            "num_attention_heads": 2,
            "image_size": 64,
            "patch_size": 16,
            "window_size": 2,
            "global_attn_indexes": [0],
            "mlp_dim": 32,
            "num_pos_feats": 8,
        },
        prompt_encoder_config={
            "hidden_size": 16,
            "image_size": 64,
            "patch_size": 16,
            "mask_input_channels": 4,
        },
        mask_decoder_config={
            "hidden_size": 16,
            "mlp_dim": 32,
            "num_hidden_layers": 1,
            "num_attention_heads": 2,
            "iou_head_hidden_dim": 16,
        },
    )
    SamModel(config).save_pretrained(folder)
    values = {
        "image_processor_type": "SamImageProcessor",
        "processor_class": "SamProcessor",
        "do_convert_rgb": True,
        "do_normalize": True,
        "do_pad": True,
        "do_rescale": True,
        "do_resize": True,
        "image_mean": [0.485, 0.456, 0.406],
        "image_std": [0.229, 0.224, 0.225],
        "pad_size": {"height": 64, "width": 64},
        "resample": 2,
        "rescale_factor": 1 / 255,
        "size": {"longest_edge": 64},
    }
    (folder / "preprocessor_config.json").write_text(json.dumps(values), "utf-8")
    return folder
