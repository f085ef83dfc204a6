"""Where a run is kept: a folder with its journal, and beside it what depends on the machine."""

from __future__ import annotations

import json
from collections.abc import Mapping
from datetime import datetime
from pathlib import Path

JOURNAL = "journal.jsonl"
META = "run.json"
SUMMARY = "summary.json"


def new_folder(runs: Path, name: str, now: datetime) -> Path:
    """A new folder such as ``runs/20261121-104500-depot-morning_order``; never one that exists."""
    stem = f"{now:%Y%m%d-%H%M%S}-{name}"
    number = 1
    while True:
        folder = runs / (stem if number == 1 else f"{stem}-{number}")
        try:
            folder.mkdir(parents=True)
        except FileExistsError:
            number += 1
            continue
        return folder


def write_meta(folder: Path, meta: Mapping[str, object]) -> None:
    """What is no part of the journal since it differs from machine to machine."""
    _write(folder / META, meta)


def read_meta(folder: Path) -> dict[str, object]:
    """What :func:`write_meta` wrote; nothing if it is missing or damaged."""
    try:
        meta = json.loads((folder / META).read_text("utf-8"))
    except (OSError, ValueError):
        return {}
    return meta if isinstance(meta, dict) else {}


def write_summary(folder: Path, summary: Mapping[str, object]) -> None:
    """What the run came to, for programs; people read the journal's summary."""
    _write(folder / SUMMARY, summary)


def _write(path: Path, data: Mapping[str, object]) -> None:
    text = json.dumps(data, indent=2, sort_keys=True, ensure_ascii=False)
    path.write_text(text + "\n", "utf-8")
