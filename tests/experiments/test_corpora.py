"""The labelled phrases are those that were written: their number, and a checksum of each set."""

from __future__ import annotations

import hashlib
import json
from pathlib import Path

import pytest

from experiments import corpora
from tests.support.library import ROOT

FOLDER = ROOT / "experiments/corpora"


@pytest.mark.parametrize(
    ("name", "count", "checksum"),
    [
        ("kitchen", 12_407, "fdd7095abd8cbf3d299e24c49ed3632b3e69638b30435aab232fc8199115c9b6"),
        ("workshop", 240, "fc8ecc0f658dd6f9993da3b5fb99a607a3a0337425f93a4ce2ded0c191e38bc3"),
    ],
)
def test_phrases_moments_and_frames_are_whole(name: str, count: int, checksum: str) -> None:
    """The checksums were taken of the YAML files that these were made of."""
    whole = {path.name: corpora.read(path) for path in (FOLDER / name).glob("*.xz")}
    assert sum(len(lines) for file, lines in whole.items() if file.count(".") == 2) == count
    text = json.dumps(whole, sort_keys=True, ensure_ascii=False)
    assert hashlib.sha256(text.encode()).hexdigest() == checksum


def test_what_is_written_is_read(tmp_path: Path) -> None:
    lines = [{"id": "a", "text": "Crème brûlée?"}, {"id": "b"}]
    corpora.write(tmp_path / "1.jsonl.xz", lines)
    assert corpora.read(tmp_path / "1.jsonl.xz") == lines
    (tmp_path / "1.jsonl.xz").write_bytes(b"no xz")
    with pytest.raises(corpora.CorpusError):
        corpora.read(tmp_path / "1.jsonl.xz")
