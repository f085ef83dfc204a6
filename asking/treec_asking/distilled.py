"""The header of a distilled scorer, `distilled/NAME.json`: what it was fitted to, when it is stale.

The weights beside it, `NAME.npz`, are read by the package that scores; nothing here needs numpy.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from functools import lru_cache
from pathlib import Path
from typing import Any

from treec.files.entry import AnyEntry
from treec.frozen import frozen

FOLDER = "distilled"
MOST = 1 << 20
"""Bytes that a header may have."""
KEPT = 64
"""Headers, and fingerprints of prompts, that are kept."""

FITTED_TO = (
    *("about", "sees", "recalls", "knows", "system", "observation", "instructions", "memory"),
    *("options", "only_when", "acts", "for_", "sets"),
)
"""The keys of a prompt that decide what is asked and what may be answered."""


class Unfit(ValueError):
    """A scorer that cannot answer, and why."""


@frozen(slots=False)
class ScorerHeader:
    """What is known of a scorer without its weights."""

    path: Path
    node: str
    prompt: str
    """The fingerprint of the prompt that it was fitted to."""
    sure: float
    """The confidence from which on the bound on its error holds."""
    options: tuple[str, ...]
    """The options of a decision; of a reading none."""
    data: Mapping[str, Any]

    @property
    def weights(self) -> Path:
        """The file of its weights."""
        return self.path.with_suffix(".npz")


def prompt_fingerprint(entry: AnyEntry) -> str:
    """A hash of what a node is asked and may answer."""
    found = entry.model.model_dump(mode="json", include={*FITTED_TO})
    text = json.dumps([entry.kind, entry.name, found], sort_keys=True, ensure_ascii=False)
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:16]


def remedy(name: str, node: str) -> str:
    """The command that fits a scorer."""
    return f"treec distil {node}" + ("" if name == node else f" --name {name}")


def fitting_header(root: Path, name: str, entry: AnyEntry) -> ScorerHeader:
    """The header of a scorer that answers a node's questions as they are. Raises Unfit."""
    path = root / FOLDER / f"{name}.json"
    try:
        state = path.stat()
        header = _read(path, state.st_mtime_ns, state.st_size)
        size = header.weights.stat().st_size
    except OSError as error:
        file = Path(error.filename or path).relative_to(root).as_posix()
        raise Unfit(f"{file} is missing") from None
    if header.node != entry.name:
        raise Unfit(f"it was fitted to '{header.node}'")
    if header.prompt != _fingerprint_of(entry):
        raise Unfit("the prompt, its options or its schema have changed since it was fitted")
    if size != header.data["weights"]["bytes"]:
        raise Unfit(f"{FOLDER}/{header.weights.name} is not the file that was written with it")
    return header


@lru_cache(KEPT)
def _read(path: Path, _: int, size: int) -> ScorerHeader:
    if size > MOST:
        raise Unfit(f"its header has {size:,} bytes; at most {MOST:,} are read")
    try:
        data = json.loads(path.read_text("utf-8"))
        sure, questions = float(data["bound"]["sure"]), data["questions"]
        names = [name for options in questions.values() for name in options or ()]
        options = tuple(names) if data["kind"] == "decision" else ()
        node, prompt, _ = str(data["node"]), str(data["prompt"]), int(data["weights"]["bytes"])
    except (ValueError, LookupError, TypeError, AttributeError, RecursionError) as error:
        raise Unfit(f"its header cannot be read ({type(error).__name__}: {error})") from None
    return ScorerHeader(path, node, prompt, sure, options, data)


_fingerprints: dict[int, tuple[object, str]] = {}


def _fingerprint_of(entry: AnyEntry) -> str:
    """The fingerprint of an entry, computed once."""
    model = entry.model
    known = _fingerprints.get(id(model))
    if known is None or known[0] is not model:
        if len(_fingerprints) >= KEPT:
            _fingerprints.clear()
        known = _fingerprints[id(model)] = (model, prompt_fingerprint(entry))
    return known[1]
