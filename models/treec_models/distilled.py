"""Scorers that `treec distil` fits: typed questions about a state in, probabilities out.

A state's words, pairs of words and words of a line with its key are looked up in a table; a small
layer and a linear one give each answer its score. The header, `NAME.json`, says what it was fitted
to and from which confidence on the bound on its error holds; the weights are arrays in `NAME.npz`.
"""

from __future__ import annotations

import hashlib
import itertools
import json
import re
import zlib
from collections.abc import Mapping, Sequence
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from treec_asking.answerers import NotSure

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Array = NDArray[np.float32]

Questions = Mapping[str, Mapping[str, Any]]
Options = Mapping[str, Sequence[str] | None]
"""The options of each question; None for a yes or no."""

BUCKETS = 1 << 20
"""Numbers of which each word has one."""
KNOWN = 0.5
"""The share of what a state says that must have been seen when the scorer was fitted."""
MOST_BYTES = 64 << 20
"""Bytes that the weights may have."""
SHAPES = ("words", "hidden", "hidden.bias", "direct", "out", "out.bias")

_DAMAGED = (OSError, ValueError, LookupError, TypeError, AttributeError, RecursionError)
_WORD = re.compile(r"[^\W_]+(?:'[^\W_]+)*|[?!]")


def buckets_of(state: str) -> list[int]:
    """The numbers of a state's words, pairs of words, and words with the key of their line."""
    found: set[str] = set()
    for line in state.lower().splitlines():
        words = _WORD.findall(line)
        key, colon, _ = line.partition(":")
        prefix = " ".join(_WORD.findall(key)) if colon and len(key) < 40 else ""
        found.update(words)
        found.update(f"{prefix}|{word}" for word in words)
        found.update(" ".join(pair) for pair in itertools.pairwise(words))
    return sorted({zlib.crc32(word.encode()) % BUCKETS for word in found})


class DistilledScorer:
    """A fitted scorer: its weights, and what its header says of them."""

    def __init__(
        self, weights: Mapping[str, Any], options: Options, temperature: float = 1.0
    ) -> None:
        self.weights = weights
        self.options = options
        self.temperature = temperature
        self._rows = {int(word): row for row, word in enumerate(weights["words"])}
        self._columns: dict[str, int] = {}
        for name, given in options.items():
            for option in given or ("",):
                self._columns[f"{name}={option}"] = len(self._columns)

    def logits(self, state: str) -> Array:
        """The score of each answer. Raises NotSure for a state of which too little is known."""
        import numpy as np

        buckets = buckets_of(state)
        rows = [row for bucket in buckets if (row := self._rows.get(bucket)) is not None]
        if len(rows) < KNOWN * len(buckets) or not rows:
            raise NotSure(
                f"{1 - len(rows) / max(1, len(buckets)):.0%} of what it sees is new to it"
            )
        w, scale = self.weights, np.float32(len(rows) ** -0.5)
        hidden = np.maximum(w["hidden"][rows].sum(axis=0) * scale + w["hidden.bias"], 0)
        direct = w["direct"][rows].sum(axis=0) * scale
        found: Array = (hidden @ w["out"] + direct + w["out.bias"]) / np.float32(self.temperature)
        return found

    def answer(self, state: str, questions: Questions) -> dict[str, dict[str, Any]]:
        """The answers to typed questions. Raises NotSure for one that it was not fitted to."""
        logits = self.logits(state)
        answers: dict[str, dict[str, Any]] = {}
        for name, question in questions.items():
            kind = name.partition(".")[0]
            if kind != name and answers.get(kind, {}).get("noul", 1.0) < 0.5:
                answers[name] = {"noul": 0.0}  # of an act that is not there: nobody asks
            elif name not in self.options or (
                (question["type"] == "noul") != (self.options[name] is None)
            ):
                raise NotSure(f"it was not fitted to the question '{name}'")
            elif question["type"] == "noul":
                score = logits[self._columns[f"{name}="]]
                answers[name] = {"noul": _share(score)}
            else:
                answers[name] = self._choice(name, list(question["criteria"]), logits)
                if question["type"] == "score":  # the likeliest level, by its number
                    level = [*question["criteria"]].index(answers[name].pop("choice"))
                    answers[name] = {"score": float(level), **answers[name]}
        return answers

    def _choice(self, name: str, criteria: list[str], logits: Array) -> dict[str, Any]:
        import numpy as np

        new = [one for one in criteria if f"{name}={one}" not in self._columns]
        if new:
            raise NotSure(f"it was not fitted to the option '{new[0]}'")
        scores = logits[[self._columns[f"{name}={one}"] for one in criteria]]
        powers = np.exp(scores - scores.max())
        chances = dict(zip(criteria, (powers / powers.sum()).tolist(), strict=True))
        choice = max(chances, key=lambda one: chances[one])
        return {"choice": choice, "probabilities": chances, "confidence": chances[choice]}


def _share(logit: Any) -> float:
    import numpy as np

    return float(1 / (1 + np.exp(-np.clip(logit, -30, 30))))


def read_scorer(path: Path) -> DistilledScorer:
    """The scorer of a header's file, read once as long as the files stay. Raises NotSure."""
    try:
        states = path.stat(), path.with_suffix(".npz").stat()
    except OSError as error:
        raise NotSure(f"{path.name} cannot be read: {error.strerror}") from None
    try:
        return _read(path, *(number for one in states for number in (one.st_mtime_ns, one.st_size)))
    except ImportError as error:
        raise NotSure(f"{error}: pip install 'treec[distil]'") from None


@lru_cache(16)
def _read(path: Path, *of_files: int) -> DistilledScorer:
    import numpy as np

    from treec.arrays import read_arrays

    weights = path.with_suffix(".npz")
    try:
        if of_files[-1] > MOST_BYTES:
            raise ValueError(f"{of_files[-1]:,} bytes; at most {MOST_BYTES:,} are read")
        about = json.loads(path.read_text("utf-8"))
        if hashlib.sha256(weights.read_bytes()).hexdigest() != about["weights"]["sha256"]:
            raise ValueError(f"{weights.name} is not the file that was written with it")
        arrays = read_arrays(weights)
        options = {str(name): given for name, given in about["questions"].items()}
        check_shapes(arrays, options)
        table = {
            name: array.astype(np.int64 if name == "words" else np.float32)
            for name, array in arrays.items()
        }
        return DistilledScorer(table, options, float(about["temperature"]))
    except _DAMAGED as error:
        raise NotSure(f"the scorer {path.name} cannot be read ({error})") from None


def check_shapes(arrays: Mapping[str, Any], options: Options) -> None:
    """Check that the layers fit each other and are finite numbers. Raises ValueError."""
    import numpy as np

    if missing := sorted({*SHAPES} - arrays.keys()):
        raise ValueError(f"'{missing[0]}' is missing")
    words, size = len(arrays["words"]), arrays["hidden.bias"].size
    answers = sum(1 if given is None else len(given) for given in options.values())
    wanted = {
        "words": (words,),
        "hidden": (words, size),
        "hidden.bias": (size,),
        "direct": (words, answers),
        "out": (size, answers),
        "out.bias": (answers,),
    }
    for name, shape in wanted.items():
        if arrays[name].shape != shape:
            raise ValueError(f"'{name}' has the shape {arrays[name].shape}, and {shape} is needed")
        if not np.isfinite(arrays[name]).all():
            raise ValueError(f"'{name}' holds values that are not finite")
