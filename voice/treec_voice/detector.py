"""Silero's voice activity detector, of the file that faster-whisper brings."""

from __future__ import annotations

from importlib.util import find_spec
from pathlib import Path

import numpy as np

from treec_voice.doors import FRAME, CannotTalk, Sound

CONTEXT = 64
"""Samples of the frame before that its network reads again."""


class SileroDetector:
    """Runs the network on one frame after another; 0.1 ms each."""

    def __init__(self, file: str | None = None) -> None:
        """``file`` is the network, in ONNX (default: faster-whisper's). Raises CannotTalk."""
        import onnxruntime

        options = onnxruntime.SessionOptions()
        options.inter_op_num_threads = options.intra_op_num_threads = 1
        options.log_severity_level = 4
        path = Path(file) if file is not None else _shipped()
        self._run = onnxruntime.InferenceSession(
            str(path), options, providers=["CPUExecutionProvider"]
        ).run
        self._h = self._c = np.zeros((1, 1, 128), np.float32)
        self._before = np.zeros(CONTEXT, np.float32)

    def __call__(self, frame: Sound) -> float:
        """The probability that somebody speaks in the next frame."""
        given = np.concatenate([self._before, frame])[None].astype(np.float32)
        self._before = frame[FRAME - CONTEXT :]
        spoken, self._h, self._c = self._run(None, {"input": given, "h": self._h, "c": self._c})
        return float(spoken[0])


def _shipped() -> Path:
    spec = find_spec("faster_whisper")
    if spec is None or spec.origin is None:
        raise CannotTalk(
            "the network of the detector comes with 'faster-whisper': pip install 'treec[voice]'"
        )
    found = sorted((Path(spec.origin).parent / "assets").glob("silero_vad*.onnx"))
    if not found:
        raise CannotTalk("this faster-whisper has no network of a detector; name its file")
    return found[-1]
